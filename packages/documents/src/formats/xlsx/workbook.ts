import type { Element } from '../../content/element.ts';
import { Identifier } from '../../content/identify.ts';
import { readCoreFacts, readRelations } from '../ooxml/package.ts';
import { child, children, readXml, xmlItems } from '../ooxml/xml.ts';
import { ZipPackage } from '../ooxml/zip.ts';
import { type OpenDocument, type OpenReader, type PageOptions, UnreadableError } from '../reader.ts';
import { readAttachments } from './drawings.ts';
import { readSheet, richText } from './sheet.ts';
import { NumberFormats } from './styles.ts';

const MAX_STRING_CHARACTERS = 64 * 1024 * 1024;

interface SheetEntry {
  name: string;
  /** Excel's own number of the sheet, which it keeps when sheets are moved. */
  scope: string;
  part: string;
  hidden: boolean;
}

/** xlsx and xlsm: a sheet is a page. Only the list of sheets is read on opening. */
export const openWorkbook: OpenReader = async path => {
  const zip = await ZipPackage.open(path);
  try {
    return await Workbook.read(zip);
  } catch (error) {
    await zip.close();
    throw error;
  }
};

class Workbook implements OpenDocument {
  readonly facts: OpenDocument['facts'];
  readonly #zip: ZipPackage;
  readonly #sheets: readonly SheetEntry[];
  readonly #formats: NumberFormats;
  readonly #stringsPart: string | undefined;
  #strings: Promise<string[]> | undefined;

  private constructor(
    zip: ZipPackage,
    {
      facts,
      sheets,
      formats,
      stringsPart,
    }: {
      facts: OpenDocument['facts'];
      sheets: readonly SheetEntry[];
      formats: NumberFormats;
      stringsPart: string | undefined;
    },
  ) {
    this.#zip = zip;
    this.facts = facts;
    this.#sheets = sheets;
    this.#formats = formats;
    this.#stringsPart = stringsPart;
  }

  static async read(zip: ZipPackage): Promise<Workbook> {
    const roots = await readRelations(zip, '');
    const part = [...roots.values()].find(({ type }) => type === 'officeDocument')?.target ?? 'xl/workbook.xml';
    const relations = await readRelations(zip, part);
    const root = await readXml(zip, part);
    const sheets = children(child(root, 'sheets'), 'sheet').map(
      ({ attributes }): SheetEntry => ({
        name: attributes.name ?? '',
        scope: `s${attributes.sheetId}`,
        part: relations.get(attributes['r:id'] ?? '')?.target ?? '',
        hidden: (attributes.state ?? 'visible') !== 'visible',
      }),
    );
    if (sheets.length === 0) throw new UnreadableError('The workbook has no sheets');
    const partOf = (type: string) => [...relations.values()].find(relation => relation.type === type)?.target;
    const date1904 = ['1', 'true'].includes(child(root, 'workbookPr')?.attributes.date1904 ?? '');
    const names = sheets.map(({ name }) => name).join(', ');
    const facts = await readCoreFacts(zip);
    return new Workbook(zip, {
      facts: { summary: `${sheets.length} ${sheets.length === 1 ? 'sheet' : 'sheets'}: ${names}`, ...facts },
      sheets,
      formats: await NumberFormats.read(zip, partOf('styles'), date1904),
      stringsPart: partOf('sharedStrings'),
    });
  }

  get pageCount(): number {
    return this.#sheets.length;
  }

  async page(index: number, options?: PageOptions) {
    const sheet = this.#sheets[index];
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
    const index = this.#sheets.findIndex(sheet => sheet.scope === scope);
    return index < 0 ? undefined : index;
  }

  async close(): Promise<void> {
    await this.#zip.close();
  }

  async #read(name: string, part: string, options?: PageOptions): Promise<Element[]> {
    this.#strings ??= readStrings(this.#zip, this.#stringsPart);
    const strings = await this.#strings;
    const relations = await readRelations(this.#zip, part);
    const cells = await readSheet(this.#zip, { name, part, strings, formats: this.#formats, relations }, options);
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
