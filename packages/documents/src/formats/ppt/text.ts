import { type PptRecord, RecordType, records } from './records.ts';

/** A text of a slide: its kind and its paragraphs. */
export interface PptText {
  kind: number;
  lines: PptLine[];
}

/** A paragraph. `length` is that in the file, in characters; `hasBullet` is undefined if the layout decides. */
export interface PptLine {
  text: string;
  length: number;
  level: number;
  hasBullet: boolean | undefined;
}

/** Kinds of texts. */
export const TextKind = { title: 0, body: 1, notes: 2, centerTitle: 6, halfBody: 7, quarterBody: 8 } as const;

/** Fields of a paragraph's properties, by the bits that announce them, with their bytes in the order of the file. */
const fields: [mask: number, bytes: number][] = [
  [0x80, 2],
  [0x10, 2],
  [0x40, 2],
  [0x20, 4],
  [0x0800, 2],
  [0x1000, 2],
  [0x2000, 2],
  [0x4000, 2],
  [0x0100, 2],
  [0x0400, 2],
  [0x8000, 2],
];
/** Stands in a line for the number of its slide. */
export const NUMBER_FIELD = '\u0001';
/** Fields, by the types of their records, that a program fills in when it shows them; the file has an asterisk instead. */
const otherFields: readonly number[] = [
  RecordType.timeField,
  RecordType.dateField,
  RecordType.headerField,
  RecordType.footerField,
  RecordType.formattedTimeField,
];
const BULLET_FLAGS = 0xf;
const MAX_LEVEL = 4;

/** A text while it is read: as it is written, and the characters that its fields become, by their positions. */
interface WrittenText extends PptText {
  written: string;
  fields: Map<number, string>;
}

/** The texts of a list of records, of which each begins with a header. */
export function readTexts(bytes: Buffer): PptText[] {
  const texts: WrittenText[] = [];
  for (const record of records(bytes)) {
    if (record.type === RecordType.textHeader)
      texts.push({ kind: record.body[0] ?? 0, lines: [], written: '', fields: new Map() });
    else addTo(texts.at(-1), record);
  }
  return texts.map(({ kind, lines, written, fields }) => {
    return { kind, lines: fields.size === 0 ? lines : withFields(lines, written, fields) };
  });
}

function addTo(text: WrittenText | undefined, { type, body }: PptRecord): void {
  if (text === undefined) return;
  if (type === RecordType.wideText || type === RecordType.byteText) {
    text.written = body.toString(type === RecordType.wideText ? 'utf16le' : 'latin1');
    text.lines = linesOf(text.written);
  } else if (type === RecordType.textStyle) applyStyle(text, body);
  else if (body.length >= 4 && type === RecordType.numberField) text.fields.set(body.readUInt32LE(0), NUMBER_FIELD);
  else if (body.length >= 4 && otherFields.includes(type)) text.fields.set(body.readUInt32LE(0), '');
}

/** Lines whose fields are replaced. Fields follow the text and its properties. */
function withFields(lines: readonly PptLine[], written: string, fields: ReadonlyMap<number, string>): PptLine[] {
  const parts: string[] = [];
  let from = 0;
  for (const [at, field] of [...fields].toSorted(([a], [b]) => a - b)) {
    if (written[at] !== '*') continue;
    parts.push(withoutControls(written.slice(from, at)), field);
    from = at + 1;
  }
  const texts = [...parts, withoutControls(written.slice(from))].join('').split('\r');
  return lines.map((line, index) => ({ ...line, text: texts[index]?.trim() ?? line.text }));
}

function linesOf(text: string): PptLine[] {
  return text.split('\r').map(line => ({ text: tidy(line), length: line.length, level: 0, hasBullet: undefined }));
}

function tidy(line: string): string {
  return withoutControls(line).trim();
}

/** Line breaks are vertical tabs; of other control characters, only tabs and ends of paragraphs mean something here. */
function withoutControls(text: string): string {
  return [...text]
    .map(char => (char === '\v' ? '\n' : char < ' ' && char !== '\t' && char !== '\r' ? '' : char))
    .join('');
}

/** Sets levels and bullets. The properties count characters, with one for the end of each paragraph. */
function applyStyle(text: PptText, body: Buffer): void {
  let [at, line, characters] = [0, 0, 0];
  while (at + 10 <= body.length && line < text.lines.length) {
    const count = body.readUInt32LE(at);
    const level = Math.min(body.readUInt16LE(at + 4), MAX_LEVEL);
    const mask = body.readUInt32LE(at + 6);
    at += 10;
    const hasFlags = (mask & BULLET_FLAGS) !== 0;
    if (hasFlags && at + 2 > body.length) return;
    const hasBullet = mask & 1 ? (body.readUInt16LE(at) & 1) !== 0 : undefined;
    at = skipFields(body, mask, at + (hasFlags ? 2 : 0));
    characters += count;
    for (let current = text.lines[line]; current && characters > 0; current = text.lines[line]) {
      current.level = level;
      current.hasBullet = hasBullet;
      characters -= current.length + 1;
      line += 1;
    }
  }
}

function skipFields(body: Buffer, mask: number, from: number): number {
  let at = from;
  for (const [bit, bytes] of fields) if (mask & bit) at += bytes;
  if (mask & 0x100000) at += 2 + 4 * (at + 2 <= body.length ? body.readUInt16LE(at) : 0);
  if (mask & 0x10000) at += 2;
  if (mask & 0xe0000) at += 2;
  if (mask & 0x200000) at += 2;
  return at;
}
