import { annotation, type Cell, type Element, link, other } from '@a2c-smcp/publish/content';
import { unescapeOffice } from '../facts.ts';
import type { Package } from '../ooxml/package.ts';
import { child, children, descendants, type Relation, textOf, type XmlNode, xmlItems } from '../ooxml/xml.ts';
import type { PageOptions } from '../reader.ts';
import { BlockCollector, type CellPlace, columnName, FormulaCollector, parseCell } from './cells.ts';
import type { NumberFormats } from './number-formats.ts';

const MAX_LINKS = 200;
/** Columns of a sheet by the rules of Excel. */
const MAX_SHEET_COLUMNS = 16_384;
const items = new Set(['col', 'row', 'hyperlink', 'headerFooter']);
const MAX_HIDDEN = 100;

/** The parts of a workbook that a sheet needs. */
export interface SheetContext {
  name: string;
  part: string;
  strings: readonly string[];
  formats: NumberFormats;
  relations: ReadonlyMap<string, Relation>;
}

/** Streams a sheet into elements: its blocks, then its formulas, links, header and footer. */
export async function readSheet(zip: Package, context: SheetContext, options: PageOptions = {}): Promise<Element[]> {
  const sheet = new SheetReader(context);
  const total = zip.size(context.part);
  for await (const nodes of xmlItems(zip, context.part, name => items.has(name))) {
    for (const node of nodes) sheet.add(node);
    options.onProgress?.(Math.min(sheet.characters / total, 1));
  }
  return sheet.finish();
}

class SheetReader {
  readonly #context: SheetContext;
  readonly #blocks: BlockCollector;
  readonly #formulas = new FormulaCollector();
  readonly #patterns = new Map<number, string>();
  readonly #rest: Element[] = [];
  readonly #hiddenRows: number[] = [];
  readonly #hiddenColumns: number[] = [];
  #row = -1;
  /** An estimate of the characters read, for progress. */
  characters = 0;

  constructor(context: SheetContext) {
    this.#context = context;
    this.#blocks = new BlockCollector(context.name);
  }

  add(node: XmlNode): void {
    if (node.name === 'row') this.#addRow(node);
    else if (node.name === 'col') this.#addColumn(node);
    else if (node.name === 'hyperlink') this.#addLink(node);
    else this.#rest.push(...headerFooter(node));
  }

  finish(): Element[] {
    const { name } = this.#context;
    const formats = Object.fromEntries([...this.#patterns].map(([column, pattern]) => [columnName(column), pattern]));
    const blocks = this.#blocks
      .finish()
      .map(element => (element.category === 'table' ? withFormats(element, formats) : element));
    return [...blocks, ...this.#hidden(), ...this.#formulas.elements(name), ...this.#rest];
  }

  /** Hidden rows and columns are shown, and named. */
  #hidden(): Element[] {
    const names = [...ranges(this.#hiddenColumns, columnName), ...ranges(this.#hiddenRows, row => String(row + 1))];
    if (names.length === 0) return [];
    const shown = names.slice(0, MAX_HIDDEN).join(', ');
    return [annotation(`Hidden in the sheet: ${shown}${names.length > MAX_HIDDEN ? ' …' : ''}`)];
  }

  #addColumn({ attributes }: XmlNode): void {
    if (!isOn(attributes.hidden)) return;
    const last = Math.min(Number(attributes.max), MAX_SHEET_COLUMNS);
    for (let column = Number(attributes.min); column <= last; column += 1) this.#hiddenColumns.push(column - 1);
  }

  #addRow(node: XmlNode): void {
    this.#row = node.attributes.r === undefined ? this.#row + 1 : Number(node.attributes.r) - 1;
    const cells = new Map<number, Cell>();
    let column = -1;
    for (const cell of children(node, 'c')) {
      const place = parseCell(cell.attributes.r ?? '') ?? { column: column + 1, row: this.#row };
      column = place.column;
      this.#addFormula(cell, place);
      const value = this.#value(cell, column);
      if (value !== null && value !== '') cells.set(column, value);
    }
    if (isOn(node.attributes.hidden) && cells.size > 0) this.#hiddenRows.push(this.#row);
    this.characters += 40 + cells.size * 35;
    this.#blocks.add({ row: this.#row, cells });
  }

  #addFormula(cell: XmlNode, place: CellPlace): void {
    const node = child(cell, 'f');
    if (node === undefined) return;
    const expression = textOf(node).trim();
    if (expression === '') this.#formulas.repeat(place);
    else this.#formulas.add(place, expression);
  }

  #value(cell: XmlNode, column: number): Cell {
    const { t: type = 'n', s: style = '0' } = cell.attributes;
    if (type === 'inlineStr') return richText(child(cell, 'is'));
    const text = textOf(child(cell, 'v'));
    // A program that does not compute leaves the value out, and a formula that refers to nothing has none.
    if (text === '') return this.#unknownValue(cell);
    if (type === 's') return this.#context.strings[Number(text)] ?? null;
    if (type === 'b') return text === '1' ? { value: true, text: 'TRUE' } : { value: false, text: 'FALSE' };
    if (type !== 'n') return text;
    const pattern = this.#context.formats.pattern(Number(style));
    if (pattern !== undefined && !this.#patterns.has(column)) this.#patterns.set(column, pattern);
    return this.#context.formats.apply(Number(text), Number(style));
  }

  #unknownValue(cell: XmlNode): Cell {
    const expression = textOf(child(cell, 'f')).trim();
    return expression === '' || cell.attributes.t === 'str' ? null : `=${expression}`;
  }

  #addLink({ attributes }: XmlNode): void {
    const target = this.#context.relations.get(attributes['r:id'] ?? '')?.target;
    const url = target === undefined ? `#${attributes.location ?? ''}` : target + anchor(attributes.location);
    if (this.#rest.length >= MAX_LINKS || url === '#') return;
    const metadata = { sheet: this.#context.name, cell: attributes.ref };
    this.#rest.push({ ...link(attributes.display ?? '', url), identity: `${attributes.ref} ${url}`, metadata });
  }
}

/** The words of a string with runs of different formatting; hints for pronunciation are not part of it. */
export function richText(node: XmlNode | undefined): string {
  const text = children(node)
    .filter(({ name }) => name === 't' || name === 'r')
    .map(part => (part.name === 't' ? textOf(part) : children(part, 't').map(textOf).join('')))
    .join('');
  return unescapeOffice(text);
}

function isOn(value: string | undefined): boolean {
  return value === '1' || value === 'true';
}

/** Numbers that follow each other as one range, as in `C to E`. */
function ranges(numbers: readonly number[], name: (number: number) => string): string[] {
  const found: { first: number; last: number }[] = [];
  for (const number of numbers) {
    const before = found.at(-1);
    if (before?.last === number - 1) before.last = number;
    else found.push({ first: number, last: number });
  }
  const kind = name(0) === 'A' ? 'column' : 'row';
  return found.map(({ first, last }) =>
    first === last ? `${kind} ${name(first)}` : `${kind}s ${name(first)} to ${name(last)}`,
  );
}

function anchor(location: string | undefined): string {
  return location === undefined || location === '' ? '' : `#${location}`;
}

function withFormats(element: Element, formats: Record<string, string>): Element {
  return Object.keys(formats).length === 0
    ? element
    : { ...element, metadata: { ...element.metadata, number_formats: formats } };
}

/** Headers and footers without their codes for page numbers, dates and fonts. */
function headerFooter(node: XmlNode): Element[] {
  const words = (suffix: string) => {
    const part = descendants(node, `odd${suffix}`).map(textOf).join(' ');
    return part
      .replace(/&(?:"[^"]*"|\d+|K[0-9A-F]{6}|[A-Z])/gi, ' ')
      .replace(/\s+/g, ' ')
      .trim();
  };
  const header = words('Header');
  const footer = words('Footer');
  // LibreOffice writes "Page" before the number of each page; without the number it is of no use.
  const meaningful = (text: string) => text !== '' && !/^pages?$/i.test(text);
  return [
    ...(meaningful(header) ? [other('header', header)] : []),
    ...(meaningful(footer) ? [other('footer', footer)] : []),
  ];
}
