import { decodeText } from '../text/encoding.ts';
import type { ImageFacts } from './parts.ts';
import type { TiffTags } from './tiff.ts';

const DESCRIPTION = 0x010e;
const MAKE = 0x010f;
const MODEL = 0x0110;
const ORIENTATION = 0x0112;
const DATE = 0x0132;
const ARTIST = 0x013b;
const COPYRIGHT = 0x8298;
const TAKEN = 0x9003;
const TAKEN_OFFSET = 0x9011;
const USER_COMMENT = 0x9286;
const WINDOWS_TITLE = 0x9c9b;
const WINDOWS_COMMENT = 0x9c9c;
const WINDOWS_KEYWORDS = 0x9c9e;

/** A comment begins with the name of its encoding. */
const COMMENT_CODE_BYTES = 8;

/** The tags that are read. Positions (GPS), names of owners and serial numbers are not among them. */
export const exifTags: ReadonlySet<number> = new Set([
  DESCRIPTION,
  MAKE,
  MODEL,
  ORIENTATION,
  DATE,
  ARTIST,
  COPYRIGHT,
  TAKEN,
  TAKEN_OFFSET,
  USER_COMMENT,
  WINDOWS_TITLE,
  WINDOWS_COMMENT,
  WINDOWS_KEYWORDS,
]);

/** Descriptions that cameras fill in by themselves. */
const fillers = /^(?:OLYMPUS DIGITAL CAMERA|SONY DSC|KONICA MINOLTA.*|DCIM.*|Default|ASCII|binary comment)?$/i;

/** The facts in the tags of Exif; `isTurned` if the picture is shown on its side. */
export function exifFacts(tags: TiffTags): ImageFacts & { isTurned: boolean } {
  const text = (tag: number) => decoded(tags.get(tag)?.bytes);
  const wide = (tag: number) => tidy(tags.get(tag)?.bytes.toString('utf16le') ?? '');
  const [make, model] = [text(MAKE), text(MODEL)];
  // Most models are named with their maker.
  const [brand = ''] = make.split(' ');
  const camera = model.toLowerCase().startsWith(brand.toLowerCase()) ? model : `${make} ${model}`.trim();
  const comment = decoded(tags.get(USER_COMMENT)?.bytes.subarray(COMMENT_CODE_BYTES));
  const description = [text(DESCRIPTION), wide(WINDOWS_COMMENT), comment];
  const keywords = wide(WINDOWS_KEYWORDS).split(';');
  return {
    title: wide(WINDOWS_TITLE),
    description: description.find(part => !fillers.test(part)) ?? '',
    keywords,
    author: text(ARTIST),
    copyright: text(COPYRIGHT),
    taken: isoDate(text(TAKEN) || text(DATE), text(TAKEN_OFFSET)),
    camera,
    isTurned: (tags.get(ORIENTATION)?.number ?? 1) >= 5,
  };
}

/** A text ends with a NUL, which would pass for one half of a wide letter. */
function decoded(bytes: Buffer = Buffer.alloc(0)): string {
  const end = bytes.indexOf(0);
  return tidy(decodeText(end < 0 ? bytes : bytes.subarray(0, end)));
}

/** `2024:05:01 12:30:00` as ISO 8601; empty for one of zeros or blanks. */
export function isoDate(date: string, offset = ''): string {
  const [, year = '', month, day, time] =
    /^(\d{4})[:-]?(\d\d)[:-]?(\d\d)(?:[ T](\d\d:\d\d(?::\d\d)?))?/.exec(date) ?? [];
  if (year === '' || Number(year) === 0) return '';
  const own = /(?:Z|[+-]\d\d:\d\d)$/.exec(date)?.[0] ?? '';
  const zone = /^[+-]\d\d:\d\d$/.test(offset) ? offset : own;
  return `${year}-${month}-${day}${time === undefined ? '' : `T${time}${zone}`}`;
}

/** Text in one line, without what ends or pads it. */
export function tidy(text: string): string {
  return text
    .replace(/\0.*$/s, '')
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim();
}
