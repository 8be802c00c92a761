import { type Element, Identifier } from '../../content/element.ts';
import { UnreadableError } from '../../file.ts';
import { Package } from '../ooxml/package.ts';
import { child, children, mainPart, readCoreFacts, readRelations, readXml, xmlItems } from '../ooxml/xml.ts';
import type { DocumentFacts, OpenDocument, OpenReader, PageOptions } from '../reader.ts';
import { readAttachments } from './attachments.ts';
import { NumberFormats, readSheet, richText } from './sheet.ts';

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
      elements: elements.map(element => identifier.identify(element)),
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
