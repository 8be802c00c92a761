import { annotation, type Element, image, other, paragraph } from '../../content/element.ts';
import { readChart } from '../ooxml/drawings.ts';
import type { Package } from '../ooxml/package.ts';
import {
  child,
  children,
  descendants,
  type Relation,
  readRelations,
  readXml,
  textOf,
  type XmlNode,
} from '../ooxml/xml.ts';
import { cellName } from './cells.ts';
import { richText } from './sheet.ts';

/** Objects above the cells of a sheet or attached to them: charts, pictures, text boxes, pivot tables, and comments last. */
export async function readAttachments(zip: Package, relations: readonly Relation[]): Promise<Element[]> {
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
