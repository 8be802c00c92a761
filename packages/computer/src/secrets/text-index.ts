import { MIN_SECRET_LENGTH } from './forms.ts';

export type Range = [start: number, end: number];

/** Bits that a character moves the hash of the last `MIN_SECRET_LENGTH` characters; older ones have left it. */
const HASH_SHIFT = 3;
const HASH_MASK = (1 << (HASH_SHIFT * MIN_SECRET_LENGTH)) - 1;

/** Texts that start alike, by length, so that any number of them costs one lookup for each length. */
type Bucket = Map<number, Set<string>>;

/** Finds any of many texts inside another one, in a single pass over it whatever their number. */
export class TextIndex {
  /** The texts by their first characters. */
  readonly #buckets = new Map<string, Bucket>();
  /** Marks the hashes of all starts, so that most positions cost no lookup. */
  readonly #starts = new Uint8Array(HASH_MASK + 1);

  add(text: string): void {
    if (text.length < MIN_SECRET_LENGTH) return;
    const start = text.slice(0, MIN_SECRET_LENGTH);
    const bucket = this.#buckets.get(start) ?? new Map<number, Set<string>>();
    const alike = bucket.get(text.length);
    if (alike) alike.add(text);
    else this.#buckets.set(start, longestFirst([...bucket, [text.length, new Set([text])]]));
    this.#starts[hashOf(start)] = 1;
  }

  /** Where the texts occur, in ascending order; occurrences that overlap are one range. */
  find(text: string): Range[] {
    const found: Range[] = [];
    let hash = 0;
    for (let end = 0; end < text.length; end++) {
      hash = roll(hash, text.charCodeAt(end));
      if (this.#starts[hash] === 0) continue;
      const start = end - MIN_SECRET_LENGTH + 1;
      const match = this.#longestAt(text, start);
      if (match > 0) append(found, [start, start + match]);
    }
    return found;
  }

  #longestAt(text: string, start: number): number {
    if (start < 0) return 0;
    const bucket = this.#buckets.get(text.slice(start, start + MIN_SECRET_LENGTH));
    for (const [length, texts] of bucket ?? []) if (texts.has(text.slice(start, start + length))) return length;
    return 0;
  }
}

function longestFirst(entries: [number, Set<string>][]): Bucket {
  return new Map(entries.toSorted(([a], [b]) => b - a));
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
