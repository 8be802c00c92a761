import { type Fib, Place } from './fib.ts';
import { numberOf, type Sprm, sprms } from './sprms.ts';

/** Properties of a paragraph that decide what it is. */
export interface Paragraph {
  /** Its level as a heading, from 1. */
  heading: number | undefined;
  /** The entry of the lists that it belongs to, 0 for none, and its level. */
  list: number;
  level: number;
  isInTable: boolean;
  /** True if it ends a row of a table instead of having text. */
  isRowEnd: boolean;
  /** Where the cells of the row end, in twips. */
  edges: number[];
}

interface Style {
  kind: number;
  base: number;
  changes: Buffer;
}

const TITLE = 62;
const NO_STYLE = 0xfff;
const HEADINGS = 9;
const MAX_CHAIN = 20;
const MAX_STYLES = 5000;
const MAX_CELLS = 64;

/** The styles of a document, and the properties of paragraphs made of them. */
export class DocStyles {
  readonly #styles: Style[];
  readonly #data: Buffer;

  constructor(fib: Fib) {
    this.#data = fib.data;
    this.#styles = readStyles(fib.at(Place.styles));
  }

  /** The properties of a paragraph: those of its style and the styles below it, then its own. */
  paragraph(style: number, changes: Buffer): Paragraph {
    const paragraph: Paragraph = {
      heading: undefined,
      list: 0,
      level: 0,
      isInTable: false,
      isRowEnd: false,
      edges: [],
    };
    for (const { kind, changes: own } of this.#chain(style)) {
      if (kind >= 1 && kind <= HEADINGS) paragraph.heading = kind;
      if (kind === TITLE) paragraph.heading = 1;
      this.#apply(own, paragraph);
    }
    this.#apply(changes, paragraph);
    return paragraph;
  }

  /** A style and those it is based on, the deepest first. */
  #chain(style: number): Style[] {
    const chain: Style[] = [];
    for (let found = this.#styles[style]; found && chain.length < MAX_CHAIN; found = this.#styles[found.base]) {
      chain.unshift(found);
    }
    return chain;
  }

  #apply(changes: Buffer, paragraph: Paragraph, depth = 0): void {
    for (const change of sprms(changes)) {
      // Long lists of changes are in a stream of their own.
      if (change.code === 0x6646 && depth === 0) this.#apply(this.#long(numberOf(change)), paragraph, 1);
      else applyChange(change, paragraph);
    }
  }

  #long(at: number): Buffer {
    if (at < 0 || at + 2 > this.#data.length) return Buffer.alloc(0);
    return this.#data.subarray(at + 2, at + 2 + this.#data.readUInt16LE(at));
  }
}

function applyChange(change: Sprm, paragraph: Paragraph): void {
  switch (change.code) {
    case 0x260a:
      paragraph.level = Math.min(Math.max(numberOf(change), 0), 8);
      break;
    case 0x460b:
      paragraph.list = Math.abs(numberOf(change));
      break;
    case 0x2640: {
      const outline = numberOf(change);
      paragraph.heading = outline < HEADINGS ? outline + 1 : undefined;
      break;
    }
    case 0x2416:
      paragraph.isInTable = numberOf(change) !== 0;
      break;
    case 0x2417:
      paragraph.isRowEnd = numberOf(change) !== 0;
      break;
    case 0xd608:
      paragraph.edges = edgesOf(change.value);
      break;
    default:
  }
}

/** The right edges of cells; the first of the numbers is the left edge of the row. */
function edgesOf(value: Buffer): number[] {
  const count = Math.min(value[0] ?? 0, MAX_CELLS);
  if (value.length < 1 + (count + 1) * 2) return [];
  return Array.from({ length: count }, (_, index) => value.readInt16LE(3 + index * 2));
}

function readStyles(bytes: Buffer): Style[] {
  const styles: Style[] = [];
  try {
    const header = bytes.readUInt16LE(0);
    const count = Math.min(bytes.readUInt16LE(2), MAX_STYLES);
    const base = bytes.readUInt16LE(4);
    let at = 2 + header;
    for (let index = 0; index < count; index += 1) {
      const size = bytes.readUInt16LE(at);
      styles.push(readStyle(bytes.subarray(at + 2, at + 2 + size), base));
      at += 2 + size;
    }
  } catch {
    // The styles that were read up to here are used.
  }
  return styles;
}

function readStyle(bytes: Buffer, nameAt: number): Style {
  if (bytes.length < 6) return { kind: 0, base: NO_STYLE, changes: Buffer.alloc(0) };
  const kind = bytes.readUInt16LE(0) & 0xfff;
  const second = bytes.readUInt16LE(2);
  const style = { kind, base: second >> 4, changes: Buffer.alloc(0) };
  const isParagraph = (second & 0xf) === 1;
  if (!isParagraph || nameAt + 2 > bytes.length) return style;
  const at = nameAt + 2 + (bytes.readUInt16LE(nameAt) + 1) * 2;
  if (at + 4 > bytes.length) return style;
  const size = bytes.readUInt16LE(at);
  return { ...style, changes: bytes.subarray(at + 4, at + 2 + size) };
}
