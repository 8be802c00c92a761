import { unzipSync, zipSync } from 'fflate';
import type { Random } from '../random.ts';

const MAX_BYTES = 1024 * 1024;
const MAX_MUTATIONS = 6;
/** How a zip archive begins. A locked workbook is none. */
const ARCHIVE = Buffer.from('PK');

/** Texts that mean something to one reader or another. */
const words = [
  ...['[', ']', '{', '}', '(', ')', '<', '>', '<<', '>>', '"', "'", '\\', '/', '|', '#', '*', '_', '`', '~', '>', '-'],
  ...['\n', '\n\n', '\r', '\t', '\0', ' ', '\ufeff', '\u2028', '---\n', '```\n', '<!--', '-->', '<![CDATA[', ']]>'],
  ...['0', '-1', '1e999', '4294967296', '99999999999999999999', 'NaN', 'null', 'true', '1048576', 'XFD1048576'],
  ...['<text:h>', '<text:list>', '<table:table-cell table:number-columns-repeated="99999">', '--b--', 'charset=gbk'],
  ...['<div>', '</div>', '<table>', '<tr><td>', '<ul><li>', '<b>', '<p>', '<w:p>', '</w:p>', '<w:tbl>', '<row>', '<c>'],
  ...['obj', 'endobj', 'stream\n', 'endstream', 'xref\n', 'trailer', '1 0 R', '3 0 R', '/Kids[', '/Filter/FlateDecode'],
  ...['q ', 'Q ', '/F1 Do ', 'BT ', 'ET ', '/Length 0', '/Count 999999', '/Prev 0', '&amp;', '&a;', '<!DOCTYPE a>'],
];

/** A sample with some of its bytes changed; in an archive, those of a part or of the archive itself. */
export function mutate(sample: Buffer, random: Random): Uint8Array {
  if (!sample.subarray(0, 2).equals(ARCHIVE) || random.chance(0.15)) return mutateBytes(sample, random);
  const parts = unzipSync(sample);
  for (let count = 1 + random.below(2); count > 0; count -= 1) {
    const name = random.pick(Object.keys(parts));
    if (random.chance(0.05)) delete parts[name];
    else parts[name] = new Uint8Array(mutateBytes(parts[name] ?? new Uint8Array(), random));
    if (Object.keys(parts).length === 0) return new Uint8Array();
  }
  return zipSync(parts, { level: 1 });
}

function mutateBytes(sample: Uint8Array, random: Random): Uint8Array {
  let bytes = Buffer.from(sample);
  for (let count = 1 + random.below(MAX_MUTATIONS); count > 0; count -= 1) {
    const at = random.below(bytes.length + 1);
    const length = random.below(Math.min(64, bytes.length - at) + 1);
    const [before, part, after] = [bytes.subarray(0, at), bytes.subarray(at, at + length), bytes.subarray(at + length)];
    bytes = Buffer.concat(random.pick(mutations)(before, part, after, random)).subarray(0, MAX_BYTES);
  }
  return bytes;
}

type Mutation = (before: Buffer, part: Buffer, after: Buffer, random: Random) => Buffer[];

const mutations: Mutation[] = [
  /** Changes bytes. */
  (before, part, after, random) => [before, part.map(byte => byte ^ (1 << random.below(8))) as Buffer, after],
  /** Removes bytes. */
  (before, _, after) => [before, after],
  /** Cuts the end off. */
  before => [before],
  /** Puts a text in the place of bytes. */
  (before, _, after, random) => [before, Buffer.from(random.pick(words)), after],
  /** Inserts a text, often. */
  (before, part, after, random) => {
    const text = random.pick(words);
    return [before, part, Buffer.from(text.repeat(1 + random.below(2 ** random.below(16)))), after];
  },
  /** Repeats bytes, often. */
  (before, part, after, random) => {
    const times = 1 + random.below(2 ** random.below(12));
    return [before, ...Array.from({ length: times }, () => part), after];
  },
  /** Exchanges the halves. */
  (before, part, after) => [after, part, before],
  /** Changes a number. */
  (before, part, after, random) => {
    const text = Buffer.concat([part, after]).toString('latin1');
    const changed = text.replace(/\d+/, () => random.pick(['0', '-1', '2147483648', '99999999999', '1', '3.7']));
    return [before, Buffer.from(changed, 'latin1')];
  },
];
