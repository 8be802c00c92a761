import { findRecord, type PptRecord, RecordType, records } from './records.ts';

/** Headers and footers of all slides among those of the document, by their instance. */
const SLIDES = 3;
/** Bits of the texts that are shown; a date that a program fills in is not in the file. */
const USER_DATE = 0x04;
const NUMBER = 0x08;
const FOOTER = 0x20;
/** Texts by their instances. */
const DATE_TEXT = 0;
const FOOTER_TEXT = 2;
const FIRST_NUMBER_OFFSET = 32;
const MAX_CHARACTERS = 1000;

/** The number of the first slide, which a presentation may choose. */
export function firstNumber(document: Buffer): number {
  const atom = findRecord(document, RecordType.documentAtom)?.body;
  return atom === undefined || atom.length < FIRST_NUMBER_OFFSET + 2 ? 1 : atom.readUInt16LE(FIRST_NUMBER_OFFSET);
}

/** The headers and footers that slides have unless they have their own. */
export function commonEdges(document: Buffer): PptRecord | undefined {
  for (const record of records(document)) {
    if (record.type === RecordType.headersFooters && record.instance === SLIDES) return record;
  }
  return undefined;
}

/** Date, footer and number at the edges of a slide, as far as it shows them. */
export function edgeTexts(edges: PptRecord | undefined, number: number): string[] {
  const atom = findRecord(edges?.body, RecordType.headersFootersAtom)?.body;
  if (edges === undefined || atom === undefined || atom.length < 4) return [];
  const shown = atom.readUInt16LE(2);
  const text = (instance: number) => {
    for (const { type, instance: own, body } of records(edges.body)) {
      if (type !== RecordType.string || own !== instance) continue;
      return body.toString('utf16le', 0, 2 * MAX_CHARACTERS).trim();
    }
    return '';
  };
  return [
    ...(shown & USER_DATE ? [text(DATE_TEXT)] : []),
    ...(shown & FOOTER ? [text(FOOTER_TEXT)] : []),
    ...(shown & NUMBER ? [String(number)] : []),
  ].filter(part => part !== '');
}
