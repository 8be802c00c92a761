import { formatNumber } from '@a2c-smcp/publish/content';
import { child, children, val, type XmlNode } from '../ooxml/xml.ts';

/** Levels of a list; Word has nine. */
const MAX_LEVEL = 8;

/** How one level of a list counts. */
interface Level {
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

interface List {
  /** Lists with the same id count on from each other. */
  id: string;
  levels: ReadonlyMap<number, Level>;
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
  readonly #lists: ReadonlyMap<string, List>;
  readonly #counters = new Map<string, number[]>();

  constructor(root: XmlNode | undefined) {
    this.#lists = readLists(root);
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
      const format = definition.isLegal ? 'decimal' : (list.levels.get(index)?.format ?? 'decimal');
      return formatNumber(numbers[index] ?? list.levels.get(index)?.start ?? 1, format);
    });
    return text.trim() === '' ? undefined : { level, ordered: true, text: text.trim() };
  }

  #count(list: List, level: number): number[] {
    const numbers = this.#counters.get(list.id) ?? [];
    this.#counters.set(list.id, numbers);
    const override = list.overrides.get(level);
    list.overrides.delete(level);
    const start = list.levels.get(level)?.start ?? 1;
    numbers[level] = override ?? (numbers[level] === undefined ? start : numbers[level] + 1);
    for (let below = level + 1; below <= MAX_LEVEL; below += 1) {
      const restart = list.levels.get(below)?.restart;
      if (restart === undefined || (restart !== 0 && level < restart)) delete numbers[below];
    }
    return numbers;
  }
}

function levelOfStyle(list: List, style: string | undefined): number | undefined {
  return style === undefined ? undefined : [...list.levels].find(([, level]) => level.style === style)?.[0];
}

function readLists(root: XmlNode | undefined): Map<string, List> {
  const definitions = children(root, 'abstractNum');
  const byId = new Map(definitions.map(node => [node.attributes['w:abstractNumId'], node]));
  /** A definition may only name a style, and the definition of that style has the levels. */
  const resolve = (node: XmlNode | undefined) => {
    const link = val(child(node, 'numStyleLink'));
    return link === undefined ? node : (definitions.find(other => val(child(other, 'styleLink')) === link) ?? node);
  };
  return new Map(
    children(root, 'num').map(node => {
      const definition = resolve(byId.get(val(child(node, 'abstractNumId'))));
      const levels = new Map(children(definition, 'lvl').map(readLevel));
      const overrides = new Map<number, number>();
      for (const override of children(node, 'lvlOverride')) {
        const start = val(child(override, 'startOverride'));
        if (start !== undefined) overrides.set(Number(override.attributes['w:ilvl'] ?? 0), integer(start, 1));
        for (const level of children(override, 'lvl')) levels.set(...readLevel(level));
      }
      const id = definition?.attributes['w:abstractNumId'] ?? '';
      return [node.attributes['w:numId'] ?? '', { id, levels, overrides }];
    }),
  );
}

function readLevel(node: XmlNode): [number, Level] {
  const legal = child(node, 'isLgl');
  const restart = val(child(node, 'lvlRestart'));
  return [
    integer(node.attributes['w:ilvl'], 0),
    {
      format: val(child(node, 'numFmt')) ?? 'decimal',
      text: val(child(node, 'lvlText')) ?? '',
      start: integer(val(child(node, 'start')), 1),
      restart: restart === undefined ? undefined : integer(restart, 0),
      isLegal: legal !== undefined && !['0', 'false', 'off'].includes(val(legal) ?? ''),
      style: val(child(node, 'pStyle')),
    },
  ];
}

function integer(text: string | undefined, fallback: number): number {
  const value = Number(text);
  return text !== undefined && Number.isSafeInteger(value) && value >= 0 ? value : fallback;
}
