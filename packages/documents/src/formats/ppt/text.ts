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
const BULLET_FLAGS = 0xf;
const MAX_LEVEL = 4;

/** The texts of a list of records, of which each begins with a header. */
export function readTexts(bytes: Buffer): PptText[] {
  const texts: PptText[] = [];
  for (const record of records(bytes)) {
    if (record.type === RecordType.textHeader) texts.push({ kind: record.body[0] ?? 0, lines: [] });
    else addTo(texts.at(-1), record);
  }
  return texts;
}

function addTo(text: PptText | undefined, { type, body }: PptRecord): void {
  if (text === undefined) return;
  if (type === RecordType.wideText) text.lines = linesOf(body.toString('utf16le'));
  if (type === RecordType.byteText) text.lines = linesOf(body.toString('latin1'));
  if (type === RecordType.textStyle) applyStyle(text, body);
}

function linesOf(text: string): PptLine[] {
  return text.split('\r').map(line => ({ text: tidy(line), length: line.length, level: 0, hasBullet: undefined }));
}

/** Line breaks are vertical tabs; other control characters stand for fields and mean nothing here. */
function tidy(line: string): string {
  return [...line]
    .map(char => (char === '\v' ? '\n' : char < ' ' && char !== '\t' ? '' : char))
    .join('')
    .trim();
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
