import { UnreadableError } from '../../file.ts';
import type { PdfDictionary, PdfReference, PdfValue } from './objects.ts';
import type { OperatorList } from './operators.ts';
import { type Form, matrixOf, readPaths } from './page-paths.ts';
import { countWords } from './page-words.ts';
import { type PdfStructure, StreamSizeError } from './structure.ts';

/** Operators of one page, with those of the forms it draws, as often as it draws them. */
const MAX_OPERATORS = 1_000_000;
/** Bytes of content of one page, unpacked. */
const MAX_CONTENT_BYTES = 32 * 1024 * 1024;
/** Pages whose counts are cached. */
const MAX_CHECKS = 16;
/** States that are saved at the same time. pdf.js takes time by the square of it. */
const MAX_SAVES = 5000;

/** The content of a page beside its text. */
export interface Drawn {
  /** The large pictures. */
  pictures: LargePicture[];
  /** True if there may be pictures. */
  hasPictures: boolean;
  /** The lines and shapes of a page without pictures. */
  paths: OperatorList;
}

/** A picture that a page draws, by the number of its object. */
export interface LargePicture {
  object: number;
  width: number;
  height: number;
  pixels: number;
}

/** Pictures of fewer pixels are not listed, and no more than this number. */
const LARGE_PIXELS = 1_000_000;
const MAX_PICTURES = 50;

/** Operators of some content, and the large pictures among what it draws. */
interface Count extends Omit<Drawn, 'paths'> {
  operators: number;
  hasPaths: boolean;
}

const nothing: Count = { operators: 0, pictures: [], hasPaths: false, hasPictures: false };

/**
 * Counts the operators of a page before pdf.js reads it. pdf.js has no limit of its own: a few kilobytes of forms that draw
 * forms, or of content that was packed twice, occupy it until the time limit. Files that break the rules of the format are
 * not counted and left to the time limit.
 */
export class PageBudget {
  readonly #pdf: PdfStructure;
  readonly #forms = new Map<number, Promise<Count>>();
  readonly #checks = new Map<number, Promise<Drawn>>();

  constructor(pdf: PdfStructure) {
    this.#pdf = pdf;
  }

  /** Throws an `UnreadableError` if the page is too complex. Recent pages are not counted again. @param number of the page's object */
  check(number: number): Promise<Drawn> {
    const known = this.#checks.get(number);
    if (known !== undefined) return known;
    const check = this.#check(number);
    this.#checks.set(number, check);
    const [oldest] = this.#checks.keys();
    if (this.#checks.size > MAX_CHECKS && oldest !== undefined) this.#checks.delete(oldest);
    return check;
  }

  async #check(number: number): Promise<Drawn> {
    const drawn: Drawn = { pictures: [], hasPictures: false, paths: { fnArray: [], argsArray: [] } };
    try {
      const { contents, resources } = await this.#content(number);
      let operators = 0;
      let hasPaths = false;
      for (const content of contents) {
        const count = await this.#count(content, resources);
        operators += count.operators;
        drawn.pictures.push(...count.pictures);
        drawn.hasPictures ||= count.hasPictures;
        hasPaths ||= count.hasPaths;
        if (operators > MAX_OPERATORS) throw tooComplex();
      }
      const form = (name: string, own: PdfDictionary) => this.#drawnForm(name, own);
      if (hasPaths && !drawn.hasPictures) drawn.paths = await readPaths({ form }, contents, resources);
    } catch (error) {
      if (error instanceof StreamSizeError) throw tooComplex();
      if (error instanceof UnreadableError) throw error;
      drawn.hasPictures = true;
    }
    return { ...drawn, pictures: distinct(drawn.pictures) };
  }

  /** The content streams of a page, a character for each byte. */
  async #content(number: number): Promise<{ contents: string[]; resources: PdfDictionary }> {
    const page = await this.#pdf.dictionary({ ref: number });
    const resources = await this.#resources(page);
    const value = await this.#pdf.resolve(page.get('Contents'));
    const contents: string[] = [];
    let bytes = 0;
    for (const stream of Array.isArray(value) ? value : [page.get('Contents')]) {
      const content = (await this.#pdf.stream(stream, MAX_CONTENT_BYTES)).bytes;
      bytes += content.length;
      if (bytes > MAX_CONTENT_BYTES) throw tooComplex();
      contents.push(content.toString('latin1'));
    }
    return { contents, resources };
  }

  async #drawnForm(name: string, resources: PdfDictionary): Promise<Form | undefined> {
    const objects = await this.#pdf.dictionary(resources.get('XObject'));
    const value = objects.get(name);
    const dictionary = await this.#pdf.dictionary(value);
    if (dictionary.get('Subtype') !== '/Form') return undefined;
    const { bytes } = await this.#pdf.stream(value, MAX_CONTENT_BYTES);
    const own = dictionary.has('Resources') ? await this.#pdf.dictionary(dictionary.get('Resources')) : resources;
    const matrix = matrixOf(await this.#pdf.resolve(dictionary.get('Matrix')));
    return { content: bytes.toString('latin1'), resources: own, matrix };
  }

  /** The operators of a content stream, with those of its forms. */
  async #count(text: string, resources: PdfDictionary): Promise<Count> {
    const { words, drawn, ...found } = countWords(text, { words: MAX_OPERATORS, saves: MAX_SAVES }) ?? tooMany();
    let operators = words;
    const objects = drawn.size === 0 ? undefined : await this.#pdf.dictionary(resources.get('XObject'));
    const pictures: LargePicture[] = [];
    let { hasPaths, hasPictures } = found;
    for (const [name, times] of drawn) {
      const form = await this.#form(objects?.get(name), resources);
      operators += times * form.operators;
      pictures.push(...form.pictures);
      hasPaths ||= form.hasPaths;
      hasPictures ||= form.hasPictures;
    }
    return { operators, pictures: distinct(pictures), hasPaths, hasPictures };
  }

  #form(value: PdfValue | undefined, resources: PdfDictionary): Promise<Count> | Count {
    if (typeof value !== 'object' || value === null || !('ref' in value)) return nothing;
    const known = this.#forms.get(value.ref);
    if (known !== undefined) return known;
    // A form inside of itself counts once.
    this.#forms.set(value.ref, Promise.resolve(nothing));
    const counting = this.#countForm(value, resources);
    counting.then(count => this.#forms.set(value.ref, Promise.resolve(count))).catch(() => {});
    return counting;
  }

  async #countForm(value: PdfReference, resources: PdfDictionary): Promise<Count> {
    const dictionary = await this.#pdf.dictionary(value);
    if (dictionary.get('Subtype') === '/Image')
      return { ...nothing, pictures: await this.#large(value.ref, dictionary), hasPictures: true };
    if (dictionary.get('Subtype') !== '/Form') return nothing;
    const { bytes } = await this.#pdf.stream(value, MAX_CONTENT_BYTES);
    const own = dictionary.has('Resources') ? await this.#pdf.dictionary(dictionary.get('Resources')) : resources;
    return this.#count(bytes.toString('latin1'), own);
  }

  /** A picture, if it is large. */
  async #large(object: number, dictionary: PdfDictionary): Promise<LargePicture[]> {
    const width = Number(await this.#pdf.resolve(dictionary.get('Width')));
    const height = Number(await this.#pdf.resolve(dictionary.get('Height')));
    const pixels = width * height;
    return pixels > LARGE_PIXELS ? [{ object, width, height, pixels }] : [];
  }

  /** Those of the page or of the nearest group of pages around it. */
  async #resources(page: PdfDictionary): Promise<PdfDictionary> {
    let node = page;
    for (let depth = 0; depth < 50 && !node.has('Resources') && node.has('Parent'); depth += 1) {
      node = await this.#pdf.dictionary(node.get('Parent'));
    }
    return this.#pdf.dictionary(node.get('Resources'));
  }
}

function distinct(pictures: readonly LargePicture[]): LargePicture[] {
  return [...new Map(pictures.map(picture => [picture.object, picture])).values()].slice(0, MAX_PICTURES);
}

function tooMany(): never {
  throw tooComplex();
}

function tooComplex(): UnreadableError {
  const limits = `${MAX_OPERATORS.toLocaleString('en')} drawing operators or ${MAX_CONTENT_BYTES / 1024 / 1024} MiB of them`;
  return new UnreadableError(`The page is too complex: it has more than ${limits}. Other pages may be readable`);
}
