import { randomInt } from 'node:crypto';
import { MIN_SECRET_LENGTH } from './forms.ts';

export type Range = [start: number, end: number];

/** Bits that a character moves the hash of the last `MIN_SECRET_LENGTH` characters; older ones have left it. */
const HASH_SHIFT = 3;
const HASH_MASK = (1 << (HASH_SHIFT * MIN_SECRET_LENGTH)) - 1;

/** Texts of one length that start alike, so that any number of them costs one lookup. */
interface Group {
  length: number;
  /** The factor by which a hash grows over `length` characters. */
  power: number;
  /** The hashes of the texts. */
  hashes: Set<number>;
}

/** Finds any of many texts inside another one, in a single pass over it whatever their number and length. */
export class TextIndex {
  /** The texts by their first characters, the longest first. */
  readonly #buckets = new Map<string, Group[]>();
  /** Marks the hashes of all starts, so that most positions cost no lookup. */
  readonly #starts = new Uint8Array(HASH_MASK + 1);

  add(text: string): void {
    const { length } = text;
    if (length < MIN_SECRET_LENGTH) return;
    const start = text.slice(0, MIN_SECRET_LENGTH);
    const bucket = this.#buckets.get(start) ?? [];
    let group = bucket.find(each => each.length === length);
    if (!group) {
      group = { length, power: powerOf(length), hashes: new Set() };
      this.#buckets.set(
        start,
        [...bucket, group].toSorted((a, b) => b.length - a.length),
      );
    }
    group.hashes.add(prefixHashes(text)[length] ?? 0);
    this.#starts[hashOf(start)] = 1;
  }

  /** Where the texts occur, in ascending order; occurrences that overlap are one range. */
  find(text: string): Range[] {
    const found: Range[] = [];
    let prefixes: Int32Array | undefined;
    let hash = 0;
    for (let end = 0; end < text.length; end++) {
      hash = roll(hash, text.charCodeAt(end));
      if (this.#starts[hash] === 0) continue;
      const start = end - MIN_SECRET_LENGTH + 1;
      const bucket = this.#buckets.get(text.slice(Math.max(start, 0), end + 1));
      if (!bucket) continue;
      prefixes ??= prefixHashes(text);
      const match = longestAt(bucket, prefixes, start);
      if (match > 0) append(found, [start, start + match]);
    }
    return found;
  }
}

/**
 * The length of the longest text that is at `start`. Hashes decide: comparing characters would cost the length of a text
 * at each place, and the one text in four billion that has the hash of another is masked without need.
 */
function longestAt(bucket: readonly Group[], prefixes: Int32Array, start: number): number {
  const before = prefixes[start] ?? 0;
  for (const { length, power, hashes } of bucket) {
    const upTo = prefixes[start + length];
    if (upTo !== undefined && hashes.has((upTo - Math.imul(before, power)) | 0)) return length;
  }
  return 0;
}

/** Odd, so that no character drops out of a hash; random, so that hashes cannot be foreseen. */
const HASH_BASE = randomInt(2 ** 24, 2 ** 31) | 1;

/** The hash of each start of a text, from which that of any part of it follows. */
function prefixHashes(text: string): Int32Array {
  const hashes = new Int32Array(text.length + 1);
  let hash = 0;
  for (let index = 0; index < text.length; index++) {
    hash = (Math.imul(hash, HASH_BASE) + text.charCodeAt(index) + 1) | 0;
    hashes[index + 1] = hash;
  }
  return hashes;
}

function powerOf(length: number): number {
  let power = 1;
  for (let index = 0; index < length; index++) power = Math.imul(power, HASH_BASE);
  return power;
}

/** All ranges of both lists in ascending order, those that overlap joined. */
export function joinRanges(ranges: readonly Range[], others: readonly Range[]): Range[] {
  const joined: Range[] = [];
  for (const range of [...ranges, ...others].toSorted(([a], [b]) => a - b)) append(joined, range);
  return joined;
}

/** Adds a range that starts no earlier than the last one. */
function append(ranges: Range[], [start, end]: Range): void {
  const last = ranges.at(-1);
  if (last && start < last[1]) last[1] = Math.max(last[1], end);
  else ranges.push([start, end]);
}

function roll(hash: number, code: number): number {
  return ((hash << HASH_SHIFT) ^ code) & HASH_MASK;
}

function hashOf(text: string): number {
  let hash = 0;
  for (let index = 0; index < text.length; index++) hash = roll(hash, text.charCodeAt(index));
  return hash;
}
