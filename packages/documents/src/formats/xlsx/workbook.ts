import type { Element } from '../../content/element.ts';
import { Identifier } from '../../content/identify.ts';
import { readRelations } from '../ooxml/package.ts';
import { child, xmlItems } from '../ooxml/xml.ts';
import { ZipPackage } from '../ooxml/zip.ts';
import {
  type DocumentFacts,
  type OpenDocument,
  type OpenReader,
  type PageOptions,
  UnreadableError,
} from '../reader.ts';
import { readAttachments } from './drawings.ts';
import { type ListedSheet, readSheetList } from './header.ts';
import { readSheet, richText } from './sheet.ts';
import { NumberFormats } from './styles.ts';

const MAX_STRING_CHARACTERS = 64 * 1024 * 1024;

interface SheetEntry extends Omit<ListedSheet, 'relation'> {
  part: string;
}

/** xlsx and xlsm: a sheet is a page. Only the list of sheets is read on opening. */
export const openWorkbook: OpenReader = async file => {
  const zip = await ZipPackage.open(file);
  try {
    return await Workbook.read(zip);
  } catch (error) {
    await zip.close();
    throw error;
  }
};

/** What the list of sheets needs and leads to. */
interface WorkbookParts {
  facts: DocumentFacts;
  sheets: readonly SheetEntry[];
  date1904: boolean;
  styles: string | undefined;
  strings: string | undefined;
}

class Workbook implements OpenDocument {
  readonly facts: DocumentFacts;
  readonly #zip: ZipPackage;
  readonly #parts: WorkbookParts;
  #formats: Promise<NumberFormats> | undefined;
  #strings: Promise<string[]> | undefined;

  private constructor(zip: ZipPackage, parts: WorkbookParts) {
    this.#zip = zip;
    this.#parts = parts;
    this.facts = parts.facts;
  }

  static async read(zip: ZipPackage): Promise<Workbook> {
    const { part, root, sheets, facts } = await readSheetList(zip);
    const relations = await readRelations(zip, part);
    const partOf = (type: string) => [...relations.values()].find(relation => relation.type === type)?.target;
    return new Workbook(zip, {
      facts,
      sheets: sheets.map(({ relation, ...sheet }) => ({ ...sheet, part: relations.get(relation)?.target ?? '' })),
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

async function readStrings(zip: ZipPackage, part: string | undefined): Promise<string[]> {
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
