import { SerialQueue } from '@a2c-smcp/core';
import type { FileSource } from '../../file.ts';
import { likelihood } from './detect.ts';
import type { Encoding } from './encoding.ts';

const PAGE_BYTES = 8 * 1024;
/** Bytes that are read at a time to count lines. */
const COUNTING_BYTES = 256 * 1024;
const NEWLINE = 0x0a;
/** Bytes that are decoded to see where a character begins. */
const PROBE_BYTES = 1024;

/** The pages of a file of lines. The size decides alone, so that opening a file of any length reads its beginning only. */
export function countTextPages(size: number, pageBytes = PAGE_BYTES): number {
  return Math.max(1, Math.floor(size / pageBytes));
}

/** Finds the pages of a file of lines: about equal parts, cut at a blank line, or else at the end of a line. */
export class TextPages {
  readonly #source: FileSource;
  readonly #size: number;
  readonly #count: number;
  readonly #encoding: Encoding;
  /** Bytes after an even cut in which a better place is searched: less than a page, so that no page is empty. */
  readonly #reach: number;
  readonly #starts = new Map<number, Promise<number>>();
  /** The number of the first line by page, as far as lines were counted. */
  readonly #firstLines = new Map([[0, 1]]);
  /** Counts run one at a time, because each continues where the one before ended. */
  readonly #counts = new SerialQueue();

  constructor(
    source: FileSource,
    size: number,
    count: number,
    { encoding, pageBytes = PAGE_BYTES }: { encoding: Encoding; pageBytes?: number | undefined },
  ) {
    this.#source = source;
    this.#size = size;
    this.#count = count;
    this.#encoding = encoding;
    this.#reach = pageBytes / 2;
  }

  async read(index: number): Promise<{ bytes: Buffer; firstLine: number }> {
    if (index >= this.#count) throw new TypeError(`No page ${index}`);
    const [start, end] = await Promise.all([this.#start(index), this.#start(index + 1)]);
    const firstLine = await this.#counts.run(() => this.#firstLine(index));
    return { bytes: await this.#source.read(start, end - start), firstLine };
  }

  #start(index: number): Promise<number> {
    const known = this.#starts.get(index) ?? this.#find(index);
    this.#starts.set(index, known);
    return known;
  }

  async #find(index: number): Promise<number> {
    if (index === 0) return 0;
    if (index === this.#count) return this.#size;
    const unit = unitOf(this.#encoding);
    const even = Math.floor((index * this.#size) / this.#count / unit) * unit;
    return even + bestCut(await this.#source.read(even, this.#reach), this.#encoding);
  }

  async #firstLine(index: number): Promise<number> {
    const counted = Math.max(...[...this.#firstLines.keys()].filter(page => page <= index));
    const lines = await this.#countLines(await this.#start(counted), await this.#start(index));
    const line = (this.#firstLines.get(counted) ?? 1) + lines;
    this.#firstLines.set(index, line);
    return line;
  }

  async #countLines(start: number, end: number): Promise<number> {
    let lines = 0;
    for (let position = start; position < end; position += COUNTING_BYTES) {
      const bytes = await this.#source.read(position, Math.min(COUNTING_BYTES, end - position));
      for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) {
        if (isLineEnd(bytes, at, this.#encoding)) lines += 1;
      }
    }
    return lines;
  }
}

/** The offset after the first blank line, or the first line end, or the first whole character. */
function bestCut(bytes: Buffer, encoding: Encoding): number {
  let first: number | undefined;
  let previous: number | undefined;
  for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) {
    if (!isLineEnd(bytes, at, encoding)) continue;
    const next = at + (encoding.endsWith('le') ? unitOf(encoding) : 1);
    if (previous !== undefined && isBlank(bytes.subarray(previous, at))) return next;
    first ??= next;
    previous = next;
  }
  if (first !== undefined) return first;
  if (encoding !== 'utf-8') return wholeCharacter(bytes, encoding);
  let place = 0;
  // Bytes that go on with a UTF-8 character; there are three at most.
  while (place < 4 && ((bytes[place] ?? 0) & 0xc0) === 0x80) place += 1;
  return place;
}

/** The offset at which a character begins: the one from which the bytes read best. Characters have four bytes at most. */
function wholeCharacter(bytes: Buffer, encoding: Encoding): number {
  const scores = [0, 1, 2, 3].map(at => likelihood(bytes.subarray(at, at + PROBE_BYTES), encoding));
  return scores.indexOf(Math.max(...scores));
}

/** A byte of 10 may be a part of another character in UTF-16 and UTF-32. */
function isLineEnd(bytes: Buffer, at: number, encoding: Encoding): boolean {
  const unit = unitOf(encoding);
  if (unit === 1) return true;
  const start = encoding.endsWith('le') ? at : at - unit + 1;
  return (
    start % unit === 0 && bytes.subarray(start, start + unit).every((byte, place) => start + place === at || byte === 0)
  );
}

/** Bytes of the shortest character. */
function unitOf(encoding: Encoding): number {
  if (encoding.startsWith('utf-32')) return 4;
  return encoding.startsWith('utf-16') ? 2 : 1;
}

function isBlank(line: Buffer): boolean {
  return line.every(byte => byte <= 0x20);
}
