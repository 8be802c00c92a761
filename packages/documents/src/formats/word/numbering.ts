import { formatNumber } from '@a2c-smcp/publish/content';

/** Levels of a list; Word has nine. */
const MAX_LEVEL = 8;

/** Formats by the numbers that files before docx have for them. */
export const numberFormats: Record<number, string> = {
  0: 'decimal',
  1: 'upperRoman',
  2: 'lowerRoman',
  3: 'upperLetter',
  4: 'lowerLetter',
  5: 'ordinal',
  18: 'decimalEnclosedCircle',
  22: 'decimalZero',
  23: 'bullet',
  37: 'chineseCounting',
  39: 'chineseCountingThousand',
  255: 'none',
};

/** How one level of a list counts. */
export interface ListLevel {
  format: string;
  /** The mark, in which `%1` stands for the number of the first level. */
  text: string;
  start: number;
  /** The level, from 1, after which it counts from its start again; 0 for never. */
  restart: number | undefined;
  /** Writes the numbers of all levels in digits. */
  isLegal: boolean;
  /** The style whose paragraphs are on this level. */
  style: string | undefined;
}

export interface ListDefinition {
  /** Lists with the same id count on from each other. */
  id: string;
  levels: ReadonlyMap<number, ListLevel>;
  /** Numbers that the first paragraphs of the list begin with, by level. */
  overrides: Map<number, number>;
}

/** Where a paragraph stands in the lists of a document. */
export interface ListPlace {
  list: string;
  /** Undefined if the style of the paragraph decides. */
  level: number | undefined;
  style: string | undefined;
}

/** The mark of a paragraph, as in `4.2` or `(b)`. */
export interface Mark {
  level: number;
  ordered: boolean;
  /** `-` for bullets. */
  text: string;
}

/** Counts the numbered paragraphs of a document, each of which must be passed to `next` once and in order. */
export class Numbering {
  readonly #lists: ReadonlyMap<string, ListDefinition>;
  readonly #counters = new Map<string, number[]>();

  constructor(lists: ReadonlyMap<string, ListDefinition>) {
    this.#lists = lists;
  }

  /** The mark of the next paragraph at a place; undefined if it has none. */
  next({ list: id, level: own, style }: ListPlace): Mark | undefined {
    const list = this.#lists.get(id);
    if (list === undefined) return undefined;
    const level = Math.min(own ?? levelOfStyle(list, style) ?? 0, MAX_LEVEL);
    const definition = list.levels.get(level);
    if (definition === undefined || definition.format === 'none') return undefined;
    const numbers = this.#count(list, level);
    if (definition.format === 'bullet') return { level, ordered: false, text: '-' };
    const text = definition.text.replace(/%([1-9])/g, (_, place) => {
      const index = Number(place) - 1;
      const own = list.levels.get(index)?.format ?? 'decimal';
      if (own === 'none' || own === 'bullet') return '';
      const format = definition.isLegal ? 'decimal' : own;
      return formatNumber(numbers[index] ?? list.levels.get(index)?.start ?? 1, format);
    });
    return text.trim() === '' ? undefined : { level, ordered: true, text: text.trim() };
  }

  #count(list: ListDefinition, level: number): number[] {
    const numbers = this.#counters.get(list.id) ?? [];
    this.#counters.set(list.id, numbers);
    const override = list.overrides.get(level);
    list.overrides.delete(level);
    const start = list.levels.get(level)?.start ?? 1;
    // A level that was left out has been counted once.
    for (let above = 0; above < level; above += 1) numbers[above] ??= list.levels.get(above)?.start ?? 1;
    numbers[level] = override ?? (numbers[level] === undefined ? start : numbers[level] + 1);
    for (let below = level + 1; below <= MAX_LEVEL; below += 1) {
      const restart = list.levels.get(below)?.restart;
      if (restart === undefined || (restart !== 0 && level < restart)) delete numbers[below];
    }
    return numbers;
  }
}

function levelOfStyle(list: ListDefinition, style: string | undefined): number | undefined {
  return style === undefined ? undefined : [...list.levels].find(([, level]) => level.style === style)?.[0];
}
