import type { Cell, Element } from '../../content/element.ts';
import { link, other } from '../../content/make.ts';
import type { Relation } from '../ooxml/package.ts';
import { child, children, descendants, textOf, type XmlNode, xmlItems } from '../ooxml/xml.ts';
import type { ZipPackage } from '../ooxml/zip.ts';
import type { PageOptions } from '../reader.ts';
import { BlockCollector } from './blocks.ts';
import { FormulaCollector } from './formulas.ts';
import { type CellPlace, columnName, parseCell } from './reference.ts';
import type { NumberFormats } from './styles.ts';

const MAX_LINKS = 200;
const items = new Set(['row', 'hyperlink', 'headerFooter']);

/** What a sheet needs of its workbook. */
export interface SheetContext {
  name: string;
  part: string;
  strings: readonly string[];
  formats: NumberFormats;
  relations: ReadonlyMap<string, Relation>;
}

/** Streams a sheet into elements: its blocks, then its formulas, links, header and footer. */
export async function readSheet(zip: ZipPackage, context: SheetContext, options: PageOptions = {}): Promise<Element[]> {
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
  #row = -1;
  /** An estimate of the characters read, for progress. */
  characters = 0;

  constructor(context: SheetContext) {
    this.#context = context;
    this.#blocks = new BlockCollector(context.name);
  }

  add(node: XmlNode): void {
    if (node.name === 'row') this.#addRow(node);
    else if (node.name === 'hyperlink') this.#addLink(node);
    else this.#rest.push(...headerFooter(node));
  }

  finish(): Element[] {
    const { name } = this.#context;
    const formats = Object.fromEntries([...this.#patterns].map(([column, pattern]) => [columnName(column), pattern]));
    const blocks = this.#blocks
      .finish()
      .map(element => (element.category === 'table' ? withFormats(element, formats) : element));
    return [...blocks, ...this.#formulas.elements(name), ...this.#rest];
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
    if (text === '') return null;
    if (type === 's') return this.#context.strings[Number(text)] ?? null;
    if (type === 'b') return text === '1' ? { value: true, text: 'TRUE' } : { value: false, text: 'FALSE' };
    if (type !== 'n') return text;
    const pattern = this.#context.formats.pattern(Number(style));
    if (pattern !== undefined && !this.#patterns.has(column)) this.#patterns.set(column, pattern);
    return this.#context.formats.apply(Number(text), Number(style));
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
  return children(node)
    .filter(({ name }) => name === 't' || name === 'r')
    .map(part => (part.name === 't' ? textOf(part) : children(part, 't').map(textOf).join('')))
    .join('');
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
  // LibreOffice writes "Page" before the number of each page; without the number it says nothing.
  const meaningful = (text: string) => text !== '' && !/^pages?$/i.test(text);
  return [
    ...(meaningful(header) ? [other('header', header)] : []),
    ...(meaningful(footer) ? [other('footer', footer)] : []),
  ];
}
