import { type ListDefinition, type ListLevel, Numbering, numberFormats } from '../word/numbering.ts';
import { type Fib, Place } from './fib.ts';

const LIST_BYTES = 28;
const LEVEL_BYTES = 28;
const OVERRIDE_BYTES = 16;
const MAX_LISTS = 10_000;

/** The lists of a file by the numbers that paragraphs name them by; damaged ones are left out. */
export function readNumbering(fib: Fib): Numbering {
  const lists = new Map<string, ListDefinition>();
  try {
    addOverrides(fib, readDefinitions(fib), lists);
  } catch {
    // Items without numbers are better than no text.
  }
  return new Numbering(lists);
}

function readDefinitions(fib: Fib): Map<number, Map<number, ListLevel>> {
  const bytes = fib.at(Place.lists);
  const reader = new LevelReader(fib.after(Place.lists));
  const definitions = new Map<number, Map<number, ListLevel>>();
  const count = bytes.length < 2 ? 0 : Math.min(bytes.readUInt16LE(0), MAX_LISTS);
  for (let index = 0; index < count; index += 1) {
    const at = 2 + index * LIST_BYTES;
    const isSimple = ((bytes[at + 26] ?? 0) & 1) !== 0;
    const levels = new Map<number, ListLevel>();
    for (let level = 0; level < (isSimple ? 1 : 9); level += 1) levels.set(level, reader.level());
    definitions.set(bytes.readInt32LE(at), levels);
  }
  return definitions;
}

/** Paragraphs name a list by an entry of this table, from 1, which may begin with other numbers. */
function addOverrides(
  fib: Fib,
  definitions: ReadonlyMap<number, Map<number, ListLevel>>,
  lists: Map<string, ListDefinition>,
): void {
  const bytes = fib.at(Place.listOverrides);
  const count = bytes.length < 4 ? 0 : Math.min(bytes.readUInt32LE(0), MAX_LISTS);
  const reader = new LevelReader(bytes.subarray(4 + count * OVERRIDE_BYTES));
  for (let index = 0; index < count; index += 1) {
    const at = 4 + index * OVERRIDE_BYTES;
    const id = bytes.readInt32LE(at);
    const levels = new Map(definitions.get(id));
    const overrides = new Map<number, number>();
    lists.set(String(index + 1), { id: String(id), levels, overrides });
    reader.overrides(bytes[at + 12] ?? 0, { levels, overrides });
  }
}

/** Reads levels, which follow each other and have different sizes. */
class LevelReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  level(): ListLevel {
    const bytes = this.#bytes;
    const at = this.#at;
    const flags = bytes.readUInt8(at + 5);
    const textAt = at + LEVEL_BYTES + bytes.readUInt8(at + 24) + bytes.readUInt8(at + 25);
    const length = bytes.readUInt16LE(textAt);
    this.#at = textAt + 2 + length * 2;
    const text = bytes.toString('utf16le', textAt + 2, this.#at);
    return {
      format: numberFormats[bytes.readUInt8(at + 4)] ?? 'decimal',
      // Characters below nine stand for the numbers of levels.
      text: [...text].map(char => (char < '\t' ? `%${char.charCodeAt(0) + 1}` : char)).join(''),
      start: Math.max(bytes.readInt32LE(at), 0),
      restart: flags & 0x08 ? bytes.readUInt8(at + 26) : undefined,
      isLegal: (flags & 0x04) !== 0,
      style: undefined,
    };
  }

  /** The levels that an entry changes; a number of its own stands before each. */
  overrides(
    count: number,
    { levels, overrides }: { levels: Map<number, ListLevel>; overrides: Map<number, number> },
  ): void {
    this.#at += 4;
    for (let index = 0; index < count; index += 1) {
      const start = this.#bytes.readInt32LE(this.#at);
      const flags = this.#bytes.readUInt32LE(this.#at + 4);
      this.#at += 8;
      const level = flags & 0x0f;
      if (flags & 0x20) {
        levels.set(level, this.level());
        if (flags & 0x10) overrides.set(level, levels.get(level)?.start ?? 1);
      } else if (flags & 0x10) overrides.set(level, Math.max(start, 0));
    }
  }
}
