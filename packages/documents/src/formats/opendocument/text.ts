import * as make from '@a2c-smcp/publish/content';
import { type Element, formatNumber } from '@a2c-smcp/publish/content';
import { child, children, descendants, textOf, type XmlNode } from '../ooxml/xml.ts';
import { takeLongCells } from '../word/long-cells.ts';
import { whiteSpace } from './white-space.ts';

/** Elements around blocks. */
const containers = new Set(
  (
    'section text-box frame index-body index-title table-of-content alphabetical-index bibliography illustration-index ' +
    'object-index table-index user-index'
  ).split(' '),
);
const MAX_REPEATED = 100;
/** Further columns of a table are left out. */
const MAX_COLUMNS = 1000;
const countings: Record<string, string> = { a: 'lowerLetter', A: 'upperLetter', i: 'lowerRoman', I: 'upperRoman' };

interface Level {
  isNumber: boolean;
  counting: string;
  prefix: string;
  suffix: string;
  start: number;
  /** The number of levels that are shown, as in `4.2`. */
  shown: number;
}

/** The styles that decide on numbers of lists and headings. One for a file: it looks at everything in it. */
export class TextStyles {
  readonly lists: ReadonlyMap<string, ReadonlyMap<number, Level>>;
  /** The name of each style that another one is based on. */
  readonly parents: ReadonlyMap<string, string>;

  /** @param roots those in which styles are defined */
  constructor(roots: readonly (XmlNode | undefined)[]) {
    this.parents = new Map(
      roots
        .flatMap(root => descendants(root, 'style'))
        .map(({ attributes }) => {
          return [attributes['style:name'] ?? '', attributes['style:parent-style-name'] ?? ''];
        }),
    );
    this.lists = new Map(
      roots.flatMap(root => [...descendants(root, 'list-style'), ...descendants(root, 'outline-style')]).map(readStyle),
    );
  }
}

/** The blocks of an OpenDocument text as elements: headings, paragraphs, lists with their numbers, and tables. */
export class TextReader {
  readonly elements: Element[] = [];
  readonly #styles: TextStyles['lists'];
  readonly #parents: TextStyles['parents'];
  /** Where lists stand, by style, for those that go on. */
  readonly #counters = new Map<string, number[]>();
  readonly #notes: Element[] = [];

  constructor({ lists, parents }: TextStyles) {
    this.#styles = lists;
    this.#parents = parents;
  }

  read(node: XmlNode | undefined): void {
    for (const block of children(node)) this.#block(block);
  }

  /** The words of a paragraph or heading. Notes and remarks follow it as elements. */
  inline(node: XmlNode): string {
    return node.children
      .map(part => (typeof part === 'string' ? part.replace(/\s+/g, ' ') : this.#part(part)))
      .join('');
  }

  #block(node: XmlNode): void {
    const { name, attributes } = node;
    if (name === 'h') this.#heading(node, Number(attributes['text:outline-level'] ?? 1) || 1);
    else if (name === 'p') this.#paragraph(node, this.#levelOf(attributes['text:style-name']));
    else if (name === 'list') this.#list(node);
    else if (name === 'table') this.#table(node);
    else if (containers.has(name)) this.read(node);
  }

  #heading(node: XmlNode, level: number): void {
    const text = this.inline(node).trim();
    const levels = this.#styles.get('outline');
    const own = levels?.get(level);
    const mark =
      own?.isNumber && node.attributes['text:is-list-header'] !== 'true'
        ? this.#next('outline', level - 1, own)
        : undefined;
    if (text !== '') this.elements.push(make.heading(level, text, mark));
    this.#flushNotes();
  }

  /** Documents of Word have headings that are headings by their style only. */
  #levelOf(style: string | undefined): number | undefined {
    for (
      let name = style ?? '', depth = 0;
      name !== '' && depth < 10;
      name = this.#parents.get(name) ?? '', depth += 1
    ) {
      const level = /^Heading_20_(\d)$/.exec(name)?.[1];
      if (level !== undefined) return Number(level);
      if (name === 'Title') return 1;
    }
    return undefined;
  }

  #paragraph(node: XmlNode, level: number | undefined): void {
    const text = this.inline(node).trim();
    if (text !== '') this.elements.push(level === undefined ? make.paragraph(text) : make.heading(level, text));
    for (const frame of descendants(node, 'frame')) this.#frame(frame);
    this.#flushNotes();
  }

  #frame(frame: XmlNode): void {
    const box = child(frame, 'text-box');
    if (box !== undefined) this.read(box);
    const image = child(frame, 'image');
    if (image === undefined) return;
    const part = image.attributes['xlink:href'];
    const alt = textOf(child(frame, 'desc')) || textOf(child(frame, 'title')) || frame.attributes['draw:name'] || '';
    this.elements.push({ ...make.image(alt), identity: part ?? alt, ...(part && { metadata: { part } }) });
  }

  #list(node: XmlNode): void {
    const items: make.ListItem[] = [];
    this.#items(node, { style: node.attributes['text:style-name'] ?? '', level: 0, items });
    if (items.length > 0) this.elements.push(make.list(items[0]?.mark !== '-', items));
    this.#flushNotes();
  }

  #items(node: XmlNode, { style, level, items }: { style: string; level: number; items: make.ListItem[] }): void {
    const own = node.attributes['text:style-name'] ?? style;
    const isContinued =
      node.attributes['text:continue-numbering'] === 'true' || node.attributes['text:continue-list'] !== undefined;
    if (level === 0 && !isContinued) this.#counters.delete(own);
    for (const item of children(node)) {
      if (item.name !== 'list-item' && item.name !== 'list-header') continue;
      const definition = this.#styles.get(own)?.get(level + 1);
      const words = children(item).filter(({ name }) => name === 'p' || name === 'h');
      const start = item.attributes['text:start-value'];
      if (words.length > 0) {
        const isMarked = item.name === 'list-item' && definition?.isNumber === true;
        const mark = isMarked
          ? this.#next(own, level, definition, start === undefined ? undefined : Number(start))
          : '-';
        const text = words.map(part => this.inline(part).trim()).join('\n');
        if (text !== '') items.push({ text, level, mark });
      }
      for (const nested of children(item, 'list')) this.#items(nested, { style: own, level: level + 1, items });
    }
  }

  #next(style: string, level: number, definition: Level, start?: number): string {
    const numbers = this.#counters.get(style) ?? [];
    this.#counters.set(style, numbers);
    numbers.length = Math.min(numbers.length, level + 1);
    numbers[level] = start ?? (numbers[level] === undefined ? definition.start : numbers[level] + 1);
    const levels = this.#styles.get(style);
    const shown = Array.from(
      { length: Math.min(definition.shown, level + 1) },
      (_, index) => level - index,
    ).toReversed();
    const text = shown
      .map(place => formatNumber(numbers[place] ?? 1, levels?.get(place + 1)?.counting ?? 'decimal'))
      .join('.');
    return `${definition.prefix}${text}${definition.suffix}`;
  }

  #table(node: XmlNode): void {
    const { rows, paragraphs } = takeLongCells(rowsOf(node).map(row => this.#cells(row)));
    const [headers = [], ...rest] = rows;
    const width = rows.reduce((most, row) => Math.max(most, row.length), 0);
    if (rows.some(row => row.some(text => text !== ''))) {
      this.elements.push(
        make.table(
          Array.from({ length: width }, (_, column) => headers[column] ?? ''),
          rest.map(row => [...row]),
        ),
      );
    }
    for (const text of paragraphs) this.elements.push(make.paragraph(text));
    this.#flushNotes();
  }

  #cells(row: XmlNode): string[] {
    return children(row)
      .filter(({ name }) => name === 'table-cell' || name === 'covered-table-cell')
      .flatMap(cell => {
        const times = Math.min(Number(cell.attributes['table:number-columns-repeated'] ?? 1) || 1, MAX_REPEATED);
        const text = wordsIn(cell)
          .map(part => this.inline(part).trim())
          .filter(Boolean)
          .join('\n');
        return Array.from({ length: times }, () => text);
      })
      .slice(0, MAX_COLUMNS);
  }

  #part(node: XmlNode): string {
    switch (node.name) {
      case 'a': {
        const text = this.inline(node);
        const url = node.attributes['xlink:href'];
        return url === undefined || text.trim() === '' || text === url ? text : `[${text}](${url})`;
      }
      case 'note':
        return this.#note(node);
      case 'annotation':
        this.#remark(node);
        return '';
      case 'frame':
      case 'annotation-end':
      case 'tracked-changes':
      case 'soft-page-break':
        return '';
      default:
        return whiteSpace(node) ?? this.inline(node);
    }
  }

  #note(node: XmlNode): string {
    const mark = `[^${textOf(child(node, 'note-citation')).trim()}]`;
    const text = descendants(child(node, 'note-body'), 'p')
      .map(part => this.inline(part).trim())
      .join('\n');
    if (text !== '') this.#notes.push(make.annotation(`${mark}: ${text}`));
    return mark;
  }

  #remark(node: XmlNode): void {
    const text = children(node, 'p')
      .map(part => this.inline(part).trim())
      .join('\n');
    const author = textOf(child(node, 'creator')).trim();
    if (text !== '') this.#notes.push(make.annotation(text, author === '' ? undefined : author));
  }

  #flushNotes(): void {
    this.elements.push(...this.#notes.splice(0));
  }
}

/** The paragraphs and headings inside of a cell, in order, with those of text boxes. */
function wordsIn(node: XmlNode): XmlNode[] {
  return children(node).flatMap(part => {
    if (part.name !== 'p' && part.name !== 'h') return wordsIn(part);
    return [part, ...descendants(part, 'text-box').flatMap(wordsIn)];
  });
}

function rowsOf(node: XmlNode): XmlNode[] {
  return children(node).flatMap(part => {
    if (part.name === 'table-row') return [part];
    return ['table-header-rows', 'table-rows', 'table-row-group'].includes(part.name) ? rowsOf(part) : [];
  });
}

function readStyle(node: XmlNode): [string, Map<number, Level>] {
  const name = node.name === 'outline-style' ? 'outline' : (node.attributes['style:name'] ?? '');
  return [name, new Map(children(node).map(readLevel))];
}

function readLevel({ name, attributes }: XmlNode): [number, Level] {
  const format = attributes['style:num-format'] ?? '';
  return [
    Number(attributes['text:level'] ?? 1),
    {
      isNumber: /-number$|outline-level-style$/.test(name) && format !== '',
      counting: countings[format] ?? 'decimal',
      prefix: attributes['style:num-prefix'] ?? '',
      suffix: attributes['style:num-suffix'] ?? '',
      start: Number(attributes['text:start-value'] ?? 1),
      shown: Math.min(Math.max(Number(attributes['text:display-levels'] ?? 1) || 1, 1), 10),
    },
  ];
}
