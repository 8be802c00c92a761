import { annotation, type Element, Identifier, image, other, paragraph } from '@a2c-smcp/publish/content';
import { UnreadableError } from '../../file.ts';
import { readChart } from '../ooxml/drawings.ts';
import { Package } from '../ooxml/package.ts';
import { withSums } from '../ooxml/picture.ts';
import {
  child,
  children,
  descendants,
  mainPart,
  type Relation,
  readCoreFacts,
  readRelations,
  readXml,
  textOf,
  type XmlNode,
  xmlItems,
} from '../ooxml/xml.ts';
import type { DocumentFacts, OpenDocument, OpenReader, PageOptions } from '../reader.ts';
import { cellName } from './cells.ts';
import { NumberFormats } from './number-formats.ts';
import { readSheet, richText } from './sheet.ts';

const MAX_STRING_CHARACTERS = 64 * 1024 * 1024;

/** xlsx and xlsm: a sheet is a page. Opening reads the list of sheets only. */
export const openWorkbook: OpenReader = async file => {
  const zip = await Package.open(file);
  try {
    return await Workbook.read(zip);
  } catch (error) {
    await zip.close();
    throw error;
  }
};

interface ListedSheet {
  name: string;
  /** Excel's own number of the sheet, which it keeps when sheets are moved. */
  scope: string;
  hidden: boolean;
  part: string;
}

/** The content of the part that lists the sheets. */
interface WorkbookParts {
  facts: DocumentFacts;
  sheets: readonly ListedSheet[];
  date1904: boolean;
  styles: string | undefined;
  strings: string | undefined;
}

class Workbook implements OpenDocument {
  readonly facts: DocumentFacts;
  readonly #zip: Package;
  readonly #parts: WorkbookParts;
  #formats: Promise<NumberFormats> | undefined;
  #strings: Promise<string[]> | undefined;

  private constructor(zip: Package, parts: WorkbookParts) {
    this.#zip = zip;
    this.#parts = parts;
    this.facts = parts.facts;
  }

  static async read(zip: Package): Promise<Workbook> {
    const part = await mainPart(zip, 'xl/workbook.xml');
    const root = await readXml(zip, part);
    const relations = await readRelations(zip, part);
    const partOf = (type: string) => [...relations.values()].find(relation => relation.type === type)?.target;
    const sheets = children(child(root, 'sheets'), 'sheet').map(
      ({ attributes }): ListedSheet => ({
        name: attributes.name ?? '',
        scope: `s${attributes.sheetId}`,
        hidden: (attributes.state ?? 'visible') !== 'visible',
        part: relations.get(attributes['r:id'] ?? '')?.target ?? '',
      }),
    );
    if (sheets.length === 0) throw new UnreadableError('The workbook has no sheets');
    const names = sheets.map(({ name }) => name).join(', ');
    const summary = `${sheets.length} ${sheets.length === 1 ? 'sheet' : 'sheets'}: ${names}`;
    return new Workbook(zip, {
      facts: { summary, ...(await readCoreFacts(zip)) },
      sheets,
      date1904: ['1', 'true'].includes(child(root, 'workbookPr')?.attributes.date1904 ?? ''),
      styles: partOf('styles'),
      strings: partOf('sharedStrings'),
    });
  }

  get pageCount(): number {
    return this.#parts.sheets.length;
  }

  async page(index: number, options?: PageOptions) {
    const sheet = this.#parts.sheets[index];
    if (sheet === undefined) throw new TypeError(`No page ${index}`);
    const { name, part, scope, hidden } = sheet;
    const identifier = new Identifier(scope);
    const elements = this.#zip.has(part) ? await this.#read(name, part, options) : [];
    return {
      title: hidden ? `${name} (hidden)` : name,
      elements: withSums(this.#zip, elements).map(element => identifier.identify(element)),
    };
  }

  pageOfScope(scope: string): number | undefined {
    const index = this.#parts.sheets.findIndex(sheet => sheet.scope === scope);
    return index < 0 ? undefined : index;
  }

  async close(): Promise<void> {
    await this.#zip.close();
  }

  async #read(name: string, part: string, options?: PageOptions): Promise<Element[]> {
    const { styles, date1904 } = this.#parts;
    this.#strings ??= readStrings(this.#zip, this.#parts.strings);
    this.#formats ??= NumberFormats.read(this.#zip, styles, date1904);
    const [strings, formats] = [await this.#strings, await this.#formats];
    const relations = await readRelations(this.#zip, part);
    const cells = await readSheet(this.#zip, { name, part, strings, formats, relations }, options);
    const attached = await readAttachments(this.#zip, [...relations.values()]);
    const isBlock = ({ category }: Element) => category === 'table' || category === 'text';
    return [...cells.filter(isBlock), ...attached, ...cells.filter(element => !isBlock(element))];
  }
}

async function readStrings(zip: Package, part: string | undefined): Promise<string[]> {
  if (part === undefined || !zip.has(part)) return [];
  const strings: string[] = [];
  let characters = 0;
  for await (const nodes of xmlItems(zip, part, name => name === 'si')) {
    for (const node of nodes) {
      const text = richText(node);
      characters += text.length;
      strings.push(text);
    }
    if (characters > MAX_STRING_CHARACTERS)
      throw new UnreadableError('The workbook holds more text than is safe to read');
  }
  return strings;
}

/** Objects above the cells of a sheet or attached to them: charts, pictures, text boxes, pivot tables, and comments last. */
async function readAttachments(zip: Package, relations: readonly Relation[]): Promise<Element[]> {
  const elements: Element[] = [];
  const threaded = relations.some(({ type }) => type === 'threadedComment');
  for (const { type, target } of relations.filter(relation => zip.has(relation.target))) {
    if (type === 'drawing') elements.push(...(await readDrawing(zip, target)));
    else if (type === 'pivotTable') elements.push(pivotTable(await readXml(zip, target)));
    else if (type === 'threadedComment') elements.push(...threadedComments(await readXml(zip, target)));
    else if (type === 'comments' && !threaded) elements.push(...comments(await readXml(zip, target)));
  }
  return elements.toSorted((a, b) => Number(a.category === 'annotation') - Number(b.category === 'annotation'));
}

async function readDrawing(zip: Package, part: string): Promise<Element[]> {
  const root = await readXml(zip, part);
  const relations = await readRelations(zip, part);
  const elements: Element[] = [];
  for (const anchor of children(root)) {
    const metadata = anchorCell(anchor);
    const chartId = descendants(anchor, 'chart')[0]?.attributes['r:id'];
    const chartPart = relations.get(chartId ?? '')?.target;
    if (chartPart !== undefined && zip.has(chartPart)) {
      const chart = await readChart(zip, chartPart);
      elements.push({ ...chart, metadata: { ...chart.metadata, ...metadata } });
    }
    elements.push(...descendants(anchor, 'pic').map(picture => pictureOf(picture, relations, metadata)));
    elements.push(...descendants(anchor, 'sp').flatMap(shape => textBox(shape, metadata)));
  }
  return elements;
}

function anchorCell(anchor: XmlNode): Record<string, unknown> {
  const from = child(anchor, 'from');
  if (from === undefined) return {};
  return { cell: cellName({ column: Number(textOf(child(from, 'col'))), row: Number(textOf(child(from, 'row'))) }) };
}

function pictureOf(
  picture: XmlNode,
  relations: ReadonlyMap<string, Relation>,
  metadata: Record<string, unknown>,
): Element {
  const { descr, name = '' } = descendants(picture, 'cNvPr')[0]?.attributes ?? {};
  const part = relations.get(descendants(picture, 'blip')[0]?.attributes['r:embed'] ?? '')?.target;
  return { ...image(descr ?? name), identity: part ?? name, metadata: { ...metadata, ...(part && { part }) } };
}

function textBox(shape: XmlNode, metadata: Record<string, unknown>): Element[] {
  const text = descendants(child(shape, 'txBody'), 'p')
    .map(line => descendants(line, 't').map(textOf).join(''))
    .join('\n')
    .trim();
  return text === '' ? [] : [{ ...paragraph(text), metadata }];
}

function pivotTable(root: XmlNode): Element {
  const { name = 'Pivot table' } = root.attributes;
  const range = child(root, 'location')?.attributes.ref;
  const fields = children(child(root, 'dataFields'), 'dataField').map(({ attributes }) => attributes.name ?? '');
  const summary = [name, range && `at ${range}`, fields.length > 0 && `of ${fields.join(', ')}`]
    .filter(Boolean)
    .join(' ');
  return { ...other('pivot_table', summary, { name, range, data_fields: fields }), identity: name };
}

function comments(root: XmlNode): Element[] {
  const authors = children(child(root, 'authors'), 'author').map(textOf);
  return children(child(root, 'commentList'), 'comment').map(comment => {
    const author = authors[Number(comment.attributes.authorId)] || undefined;
    return remark(richText(child(comment, 'text')).trim(), author, comment.attributes.ref);
  });
}

function threadedComments(root: XmlNode): Element[] {
  return children(root, 'threadedComment').map(comment =>
    remark(textOf(child(comment, 'text')).trim(), undefined, comment.attributes.ref),
  );
}

function remark(text: string, author: string | undefined, cell: string | undefined): Element {
  return { ...annotation(text, author), metadata: { cell } };
}
