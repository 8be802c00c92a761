import { decodeText } from '../text/encoding.ts';
import { tidy } from './exif.ts';
import type { ImageFacts } from './parts.ts';

const MAX_RECORDS = 1000;
const TITLE = 5;
const KEYWORD = 25;
const CREATED = 55;
const AUTHOR = 80;
const HEADLINE = 105;
const COPYRIGHT = 116;
const CAPTION = 120;

/** The facts in the records that agencies and archives write. */
export function iptcFacts(bytes: Buffer): ImageFacts {
  const records = new Map<number, string[]>();
  let at = 0;
  // 0x1C, the number of the record and of its field, a length, and a text.
  for (let count = 0; count < MAX_RECORDS && at + 5 <= bytes.length && bytes[at] === 0x1c; count += 1) {
    const [record, field = 0] = bytes.subarray(at + 1, at + 3);
    const length = bytes.readUInt16BE(at + 3);
    const text = tidy(decodeText(bytes.subarray(at + 5, at + 5 + length)));
    if (record === 2 && text !== '') records.set(field, [...(records.get(field) ?? []), text]);
    at += 5 + length;
  }
  const first = (field: number) => records.get(field)?.[0] ?? '';
  const day = /^(\d{4})(\d\d)(\d\d)$/.exec(first(CREATED));
  return {
    title: first(HEADLINE) || first(TITLE),
    description: first(CAPTION),
    keywords: records.get(KEYWORD) ?? [],
    author: (records.get(AUTHOR) ?? []).join(', '),
    copyright: first(COPYRIGHT),
    taken: day === null ? '' : day.slice(1).join('-'),
    camera: '',
  };
}
