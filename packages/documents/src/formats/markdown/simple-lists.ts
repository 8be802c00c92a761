import { type Element, type ListItem, list } from '@a2c-smcp/publish/content';
import { indentOf, isBlank, isBreak, isPerhapsTarget, listMark, opensBlock } from './lines.ts';

const mark = /^(?:([-+*])|(\d{1,9})([.)]))( {1,4})(?=[^ \t])/;
/** A box to tick, or a note. */
const box = /^\[[ xX^]/;

/** An item that further lines may belong to. */
interface OpenItem {
  /** The sign of a bullet, or the one behind a number. Another sign begins another list. */
  sign: string;
  /** Columns before its text. */
  column: number;
  /** Of its list, and its place in it. */
  start: number;
  index: number;
  item: ListItem;
}

/** A list of texts that begins at a line, and the lines up to before `to`. */
export interface SimpleList {
  from: number;
  to: number;
  element: Element;
}

/** Undefined if it is no list, or one with anything but paragraphs and lists in its items. */
export function readList(lines: readonly string[], from: number): SimpleList | undefined {
  const first = mark.exec(lines[from] ?? '');
  if (first === null) return undefined;
  const reader = new ListReader();
  let to = from;
  for (let at = from; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    if (isBlank(line)) {
      reader.pause();
      continue;
    }
    const result = reader.add(line);
    if (result === 'unknown') return undefined;
    if (result === 'end') break;
    to = at + 1;
  }
  const items = reader.items.map(item => ({ ...item, text: item.text.trim() }));
  return { from, to, element: list(first[2] !== undefined, items) };
}

class ListReader {
  readonly items: ListItem[] = [];
  /** From the outermost to the innermost. */
  readonly #open: OpenItem[] = [];
  #isPaused = false;

  /** A blank line: the next line is not part of the paragraph before it. */
  pause(): void {
    this.#isPaused = true;
  }

  /** Adds a line. It may be behind the end of the list, or not to be understood without a parser. */
  add(line: string): 'added' | 'end' | 'unknown' {
    const indent = indentOf(line);
    const text = line.slice(indent);
    if (line.lastIndexOf('\t', indent) >= 0 || isBreak(text)) return 'unknown';
    const depth = this.#depth(indent);
    const marked = mark.exec(text);
    const result = marked === null ? this.#addText(text, indent, depth) : this.#addItem(text, marked, indent, depth);
    this.#isPaused = false;
    return result;
  }

  /** The number of open items that a line with an indentation belongs to. */
  #depth(indent: number): number {
    const outside = this.#open.findIndex(({ column }) => column > indent);
    return outside < 0 ? this.#open.length : outside;
  }

  #addItem(line: string, marked: RegExpExecArray, indent: number, depth: number): 'added' | 'end' | 'unknown' {
    if (indent - (this.#open[depth - 1]?.column ?? 0) > 3) return 'unknown';
    const [whole, bullet, number, delimiter = ''] = marked;
    const text = line.slice(whole.length);
    if (opensBlock(text) || box.test(text) || isPerhapsTarget(text)) return 'unknown';
    const sign = bullet ?? delimiter;
    const before = this.#open[depth];
    const isNext = before?.sign === sign;
    if (!isNext && this.items.length > 0) {
      // Inside a paragraph, a number other than 1 is a part of it.
      if (!this.#isPaused && number !== undefined && number !== '1') return 'unknown';
      if (depth === 0) return 'end';
    }
    const start = isNext ? before.start : Number(number ?? 0);
    const index = isNext ? before.index + 1 : 0;
    const item = { text, level: depth, mark: bullet === undefined ? `${start + index}.` : '-' };
    this.items.push(item);
    this.#open.length = depth;
    this.#open.push({ sign, column: indent + whole.length, start, index, item });
    return 'added';
  }

  /** A further line of the paragraph before it, however it is indented, or a further paragraph of an item. */
  #addText(text: string, indent: number, depth: number): 'added' | 'end' | 'unknown' {
    if (this.#isPaused && indent === 0) return listMark.test(text) ? 'unknown' : 'end';
    if (opensBlock(text)) return 'unknown';
    if (!this.#isPaused) {
      const item = this.#open.at(-1)?.item;
      if (item !== undefined) item.text += `\n${text}`;
      return 'added';
    }
    const inside = this.#open[depth - 1];
    if (inside === undefined || indent - inside.column > 3 || isPerhapsTarget(text)) return 'unknown';
    this.#open.length = depth;
    inside.item.text = `${inside.item.text.trimEnd()}\n${text.trimStart()}`;
    return 'added';
  }
}
