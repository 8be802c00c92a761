import { ZipDirectory } from '../ooxml/directory.ts';
import { mainPart, readCoreFacts } from '../ooxml/package.ts';
import type { PackageParts } from '../ooxml/parts.ts';
import { child, children, readXml, type XmlNode } from '../ooxml/xml.ts';
import { type DocumentFacts, type HeaderReader, UnreadableError } from '../reader.ts';

/** A sheet as the workbook lists it. */
export interface ListedSheet {
  name: string;
  /** Excel's own number of the sheet, which it keeps when sheets are moved. */
  scope: string;
  hidden: boolean;
  /** Leads to its part. */
  relation: string;
}

/** What a workbook lists. */
export interface SheetList {
  /** The part that lists, and its tree. */
  part: string;
  root: XmlNode;
  sheets: ListedSheet[];
  facts: DocumentFacts;
}

/** Title and sheets of a workbook; no sheet is looked at. */
export const readWorkbookHeader: HeaderReader = async (source, file) => {
  const parts = await ZipDirectory.read(source, file.size);
  if (parts === undefined) return undefined;
  const { facts, sheets } = await readSheetList(parts);
  return { ...facts, pageCount: sheets.length };
};

/** The sheets of a workbook, of which there must be one. */
export async function readSheetList(parts: PackageParts): Promise<SheetList> {
  const part = await mainPart(parts, 'xl/workbook.xml');
  const root = await readXml(parts, part);
  const sheets = children(child(root, 'sheets'), 'sheet').map(
    ({ attributes }): ListedSheet => ({
      name: attributes.name ?? '',
      scope: `s${attributes.sheetId}`,
      hidden: (attributes.state ?? 'visible') !== 'visible',
      relation: attributes['r:id'] ?? '',
    }),
  );
  if (sheets.length === 0) throw new UnreadableError('The workbook has no sheets');
  const names = sheets.map(({ name }) => name).join(', ');
  const summary = `${sheets.length} ${sheets.length === 1 ? 'sheet' : 'sheets'}: ${names}`;
  return { part, root, sheets, facts: { summary, ...(await readCoreFacts(parts)) } };
}
