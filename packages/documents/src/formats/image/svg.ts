import { SaxesParser } from 'saxes';
import { FileSource, type FileVersion, UnreadableError } from '../../file.ts';
import { decodeText, MAX_TEXT_BYTES } from '../text/encoding.ts';
import { tidy } from './exif.ts';

/** Characters of all texts, and texts, that are kept. */
const MAX_CHARACTERS = 100_000;
const MAX_TEXTS = 5000;
/** Open elements, and breaches of the rules of XML, after which the rest of a file is not read. */
const MAX_DEPTH = 1000;
const MAX_ERRORS = 1000;

/** The words of a drawing. */
export interface SvgWords {
  title: string;
  description: string;
  /** The texts that it shows, in the order of the file. */
  texts: string[];
  width?: number;
  height?: number;
}

/** Reads the words of a drawing. Neither scripts, styles nor references in it are looked at. */
export async function readSvg(file: FileVersion): Promise<SvgWords> {
  await using source = await FileSource.open(file);
  const text = decodeText(await source.read(0, Math.min(file.size, MAX_TEXT_BYTES)));
  const words: SvgWords = { title: '', description: '', texts: [] };
  const open: string[] = [];
  let [isRoot, characters, current] = [true, 0, ''];
  /** Open elements whose text is read. */
  let depth = 0;
  const add = (part: string) => {
    if (depth === 0 || characters > MAX_CHARACTERS) return;
    characters += part.length;
    current += part;
  };
  const parser = new SaxesParser<{ position: false; xmlns: false }>({ position: false, xmlns: false });
  let errors = 0;
  // Skips malformed markup; entities that the file declares stay as they are written.
  parser.on('error', error => {
    errors += 1;
    if (errors > MAX_ERRORS) throw error;
  });
  parser.on('text', add);
  parser.on('cdata', add);
  parser.on('opentag', ({ name, attributes }) => {
    if (isRoot) Object.assign(words, sizeOf(attributes));
    isRoot = false;
    const local = localName(name);
    open.push(local);
    if (open.length > MAX_DEPTH) throw new UnreadableError('The file nests its contents too deeply');
    if (isWords(local)) depth += 1;
    // A part of a text with a place of its own is another word or line.
    if (local === 'tspan' && (attributes.x ?? attributes.y ?? attributes.dy) !== undefined) current += ' ';
    if (isWords(local)) current = '';
  });
  parser.on('closetag', () => {
    const name = open.pop();
    if (name === undefined || !isWords(name)) return;
    depth -= 1;
    const said = tidy(current);
    current = '';
    if (said === '') return;
    if (name === 'desc') words.description ||= said;
    // The title of the drawing stands directly inside of it; those of its parts are shown on hovering.
    else if (name === 'title' && open.length === 1 && words.title === '') words.title = said;
    else if (words.texts.length < MAX_TEXTS) words.texts.push(said);
  });
  try {
    parser.write(text).close();
  } catch {
    // The words up to here are shown.
  }
  return words;
}

function isWords(name: string): boolean {
  return name === 'text' || name === 'title' || name === 'desc';
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

/** In pixels, or the last two numbers of the view box. */
function sizeOf(attributes: Record<string, string>): { width?: number; height?: number } {
  const [, , boxWidth, boxHeight] = (attributes.viewBox ?? '')
    .trim()
    .split(/[\s,]+/)
    .map(Number);
  const [width, height] = [pixels(attributes.width) ?? boxWidth, pixels(attributes.height) ?? boxHeight];
  return width && height ? { width: Math.round(width), height: Math.round(height) } : {};
}

function pixels(length: string | undefined): number | undefined {
  const [, number] = /^\s*([\d.]+)(?:px)?\s*$/.exec(length ?? '') ?? [];
  return number === undefined ? undefined : Number(number);
}
