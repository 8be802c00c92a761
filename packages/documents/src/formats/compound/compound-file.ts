import { UnreadableError } from '../../file.ts';

/** The first bytes of a compound file: the container of old Office files, mails of Outlook, and encrypted files. */
export const COMPOUND_SIGNATURE = 0xd0cf11e0;
const HEADER_BYTES = 512;
const HEADER_TABLES = 109;
const ENTRY_BYTES = 128;
/** Numbers from here on are not sectors or entries. */
const SPECIAL = 0xfffffffa;

interface Entry {
  name: string;
  isStream: boolean;
  left: number;
  right: number;
  child: number;
  start: number;
  size: number;
}

/**
 * Reads a compound file: storages and streams, like folders and files, in sectors that are chained by a table. No chain is
 * followed further than the table is long, so that none goes on forever or takes more memory than the file.
 */
export class CompoundFile {
  readonly #bytes: Buffer;
  readonly #sectorSize: number;
  readonly #miniSize: number;
  readonly #miniLimit: number;
  readonly #table: number[];
  readonly #miniTable: number[];
  readonly #entries: Entry[];
  readonly #miniStream: Buffer;
  readonly #storages = new Map<Entry, ReadonlyMap<string, Entry>>();

  constructor(bytes: Buffer) {
    if (bytes.length < HEADER_BYTES || bytes.readUInt32BE(0) !== COMPOUND_SIGNATURE)
      throw new UnreadableError('The file is damaged: it is not a compound file');
    const [shift, miniShift] = [bytes.readUInt16LE(30), bytes.readUInt16LE(32)];
    if ((shift !== 9 && shift !== 12) || miniShift !== 6)
      throw new UnreadableError('The file is damaged: its sectors have no possible size');
    this.#bytes = bytes;
    this.#sectorSize = 1 << shift;
    this.#miniSize = 1 << miniShift;
    this.#miniLimit = bytes.readUInt32LE(56);
    this.#table = this.#readTable();
    const directory = this.#sectors(bytes.readUInt32LE(48));
    this.#entries = readEntries(directory, shift === 9);
    this.#miniTable = numbers(this.#sectors(bytes.readUInt32LE(60)));
    const [root] = this.#entries;
    this.#miniStream = root === undefined ? Buffer.alloc(0) : this.#sectors(root.start, root.size);
  }

  /** The content of a stream, by the storages that lead to it and its name; undefined if there is none. */
  stream(...path: string[]): Buffer | undefined {
    const entry = this.#find(path);
    if (entry === undefined || !entry.isStream) return undefined;
    if (entry.size >= this.#miniLimit) return this.#sectors(entry.start, entry.size);
    const chain = follow(this.#miniTable, entry.start, Math.ceil(entry.size / this.#miniSize));
    const parts = chain.map(at => this.#miniStream.subarray(at * this.#miniSize, (at + 1) * this.#miniSize));
    return Buffer.concat(parts).subarray(0, entry.size);
  }

  /** The names of everything in a storage. */
  names(...path: string[]): string[] {
    const entry = this.#find(path);
    return entry === undefined ? [] : [...this.#named(entry).values()].map(({ name }) => name);
  }

  #find(path: readonly string[]): Entry | undefined {
    let entry = this.#entries[0];
    for (const name of path) {
      entry = entry && this.#named(entry).get(name.toLowerCase());
    }
    return entry;
  }

  /** The content of a storage by lower-case names; in the file it is a tree. */
  #named(storage: Entry): ReadonlyMap<string, Entry> {
    const known = this.#storages.get(storage);
    if (known !== undefined) return known;
    const found = new Map<string, Entry>();
    const seen = new Set<number>();
    const waiting = [storage.child];
    for (let index = waiting.pop(); index !== undefined; index = waiting.pop()) {
      const entry = this.#entries[index];
      if (entry === undefined || seen.has(index)) continue;
      seen.add(index);
      found.set(entry.name.toLowerCase(), entry);
      waiting.push(entry.right, entry.left);
    }
    this.#storages.set(storage, found);
    return found;
  }

  /** The table that names the next sector of each sector; it is itself in sectors that the header and a chain name. */
  #readTable(): number[] {
    const header = numbers(this.#bytes.subarray(76, HEADER_BYTES)).slice(0, HEADER_TABLES);
    const most = Math.ceil(this.#bytes.length / this.#sectorSize);
    const sectors = header.filter(isSector);
    let next = this.#bytes.readUInt32LE(68);
    for (let count = 0; isSector(next) && count < most; count += 1) {
      const more = numbers(this.#sector(next));
      next = more.pop() ?? SPECIAL;
      sectors.push(...more.filter(isSector));
      if (sectors.length > most) break;
    }
    return sectors.slice(0, most).flatMap(at => numbers(this.#sector(at)));
  }

  #sectors(start: number, size = this.#bytes.length): Buffer {
    const chain = follow(this.#table, start, Math.ceil(size / this.#sectorSize));
    return Buffer.concat(chain.map(at => this.#sector(at))).subarray(0, size);
  }

  #sector(at: number): Buffer {
    const from = (at + 1) * this.#sectorSize;
    return this.#bytes.subarray(from, from + this.#sectorSize);
  }
}

function isSector(number: number): boolean {
  return number < SPECIAL;
}

/** The chain from `start` on, of at most `most` sectors. */
function follow(table: readonly number[], start: number, most: number): number[] {
  const chain: number[] = [];
  const limit = Math.min(most, table.length);
  for (
    let at: number | undefined = start;
    at !== undefined && at < table.length && chain.length < limit;
    at = table[at]
  ) {
    chain.push(at);
  }
  return chain;
}

function numbers(bytes: Buffer): number[] {
  return Array.from({ length: Math.floor(bytes.length / 4) }, (_, index) => bytes.readUInt32LE(index * 4));
}

/** @param isShort whether sizes have four bytes: the others are not always zero then */
function readEntries(directory: Buffer, isShort: boolean): Entry[] {
  const count = Math.floor(directory.length / ENTRY_BYTES);
  return Array.from({ length: count }, (_, index) => {
    const bytes = directory.subarray(index * ENTRY_BYTES, (index + 1) * ENTRY_BYTES);
    const length = Math.min(Math.max(bytes.readUInt16LE(64) - 2, 0), 62);
    const high = isShort ? 0 : bytes.readUInt32LE(124);
    return {
      name: bytes.toString('utf16le', 0, length),
      isStream: bytes[66] === 2,
      left: bytes.readUInt32LE(68),
      right: bytes.readUInt32LE(72),
      child: bytes.readUInt32LE(76),
      start: bytes.readUInt32LE(116),
      size: high * 2 ** 32 + bytes.readUInt32LE(120),
    };
  });
}
