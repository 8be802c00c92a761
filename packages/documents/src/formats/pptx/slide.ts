import type { Element } from '@a2c-smcp/publish/content';
import * as make from '@a2c-smcp/publish/content';
import { readChart, readDiagram } from '../ooxml/drawings.ts';
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
import { bodyElements, bodyText, letterSize } from './text-body.ts';

/** A title that is not marked as one has letters of at least this size. */
const TITLE_POINTS = 24;

/** Placeholders at the edges of a slide: its date, its footer and its number. */
const edges = new Set(['dt', 'ftr', 'sldNum']);

/** A slide as it is shown, and the notes beside it. */
export interface Slide {
  title?: string;
  hidden: boolean;
  elements: Element[];
}

/** Reads a slide: its title first, the shapes in the order they were drawn, then notes and comments. */
export async function readSlide(zip: Package, part: string): Promise<Slide> {
  const root = await readXml(zip, part);
  const relations = await readRelations(zip, part);
  const tree = child(root, 'cSld', 'spTree');
  const shapes = flatten(tree);
  const { shape: titleShape, title } = findTitle(shapes);
  const elements: Element[] = title === '' ? [] : [make.heading(1, title)];
  for (const shape of shapes) {
    const isRead = shape === titleShape || edges.has(placeholderType(shape) ?? '');
    if (!isRead) elements.push(...(await shapeElements(zip, shape, relations)));
  }
  elements.push(...footer(shapes.filter(shape => shape !== titleShape)));
  for (const { type, target } of relations.values()) {
    if (type === 'notesSlide' && zip.has(target)) elements.push(...notes(await readXml(zip, target)));
    if (type === 'comments' && zip.has(target)) elements.push(...comments(await readXml(zip, target)));
  }
  return { ...(title !== '' && { title }), hidden: root.attributes.show === '0', elements };
}

/** The title of a slide, if it has one. */
export async function readSlideTitle(zip: Package, part: string): Promise<string | undefined> {
  const title = findTitle(flatten(child(await readXml(zip, part), 'cSld', 'spTree'))).title;
  return title === '' ? undefined : title;
}

function findTitle(shapes: readonly XmlNode[]): { shape: XmlNode | undefined; title: string } {
  const shape = shapes.find(isTitle) ?? largestText(shapes);
  return { shape, title: bodyText(child(shape, 'txBody')).replace(/\s+/g, ' ').trim() };
}

/** Shapes in drawing order, those of groups included. */
function flatten(tree: XmlNode | undefined): XmlNode[] {
  return children(tree).flatMap(shape => (shape.name === 'grpSp' ? flatten(shape) : [shape]));
}

function placeholderType(shape: XmlNode): string | undefined {
  const placeholder = descendants(shape, 'nvPr').flatMap(node => children(node, 'ph'))[0];
  return placeholder === undefined ? undefined : (placeholder.attributes.type ?? 'body');
}

function isTitle(shape: XmlNode): boolean {
  const type = placeholderType(shape);
  return (type === 'title' || type === 'ctrTitle') && bodyText(child(shape, 'txBody')) !== '';
}

/** The shape with the largest letters, if they are large and no other's are as large. */
function largestText(shapes: readonly XmlNode[]): XmlNode | undefined {
  const sized = shapes
    .map(shape => ({ shape, body: child(shape, 'txBody') }))
    .filter(({ body }) => bodyText(body) !== '')
    .map(({ shape, body }) => ({ shape, size: body === undefined ? 0 : letterSize(body) }))
    .toSorted((a, b) => b.size - a.size);
  const [first, second] = sized;
  return first !== undefined && first.size >= TITLE_POINTS && first.size > (second?.size ?? 0)
    ? first.shape
    : undefined;
}

async function shapeElements(
  zip: Package,
  shape: XmlNode,
  relations: ReadonlyMap<string, Relation>,
): Promise<Element[]> {
  const place = placeOf(shape);
  const elements = await contentOf(zip, shape, relations);
  return place === undefined
    ? elements
    : elements.map(element => ({ ...element, metadata: { ...element.metadata, ...place } }));
}

async function contentOf(zip: Package, shape: XmlNode, relations: ReadonlyMap<string, Relation>): Promise<Element[]> {
  if (shape.name === 'pic') return [picture(shape, relations)];
  if (shape.name === 'graphicFrame') return frame(zip, shape, relations);
  const body = child(shape, 'txBody');
  const type = placeholderType(shape);
  if (body === undefined) return [];
  if (type === 'hdr') {
    const text = bodyText(body);
    return text === '' ? [] : [make.other('header', text)];
  }
  return bodyElements(body, relations, type === 'body' || type === 'obj');
}

/** Everything at the edges in one line; `‹#›` stands for a number that no program has filled in. */
function footer(shapes: readonly XmlNode[]): Element[] {
  const texts = shapes
    .filter(shape => edges.has(placeholderType(shape) ?? ''))
    .map(shape => bodyText(child(shape, 'txBody')))
    .filter(text => text !== '' && text !== '‹#›');
  return texts.length === 0 ? [] : [make.other('footer', texts.join(' | '))];
}

async function frame(zip: Package, shape: XmlNode, relations: ReadonlyMap<string, Relation>): Promise<Element[]> {
  const table = descendants(shape, 'tbl')[0];
  if (table !== undefined) return [tableElement(table)];
  const target = (id: string | undefined) => relations.get(id ?? '')?.target;
  const chart = target(descendants(shape, 'chart')[0]?.attributes['r:id']);
  if (chart !== undefined && zip.has(chart)) return [await readChart(zip, chart)];
  const diagram = target(descendants(shape, 'relIds')[0]?.attributes['r:dm']);
  if (diagram !== undefined) return [await readDiagram(zip, diagram)];
  const name = descendants(shape, 'cNvPr')[0]?.attributes.name ?? 'Embedded object';
  return [make.other('widget', name)];
}

function tableElement(table: XmlNode): Element {
  const rows = children(table, 'tr').map(row => children(row, 'tc').map(cell => bodyText(child(cell, 'txBody'))));
  const [headers = [], ...rest] = rows;
  return make.table(headers, rest);
}

function picture(shape: XmlNode, relations: ReadonlyMap<string, Relation>): Element {
  const { descr, name = '' } = descendants(shape, 'cNvPr')[0]?.attributes ?? {};
  const media =
    descendants(shape, 'videoFile').length > 0
      ? 'video'
      : descendants(shape, 'audioFile').length > 0
        ? 'audio'
        : undefined;
  const part = relations.get(descendants(shape, 'blip')[0]?.attributes['r:embed'] ?? '')?.target;
  const element = media === undefined ? make.image(descr || name) : make.other(media, descr || name);
  return { ...element, identity: `${part} ${descr || name}`, ...(part && { metadata: { part } }) };
}

/** Where the shape stands on the slide, in points. */
function placeOf(shape: XmlNode): Record<string, unknown> | undefined {
  const frameNode = descendants(shape, 'xfrm')[0];
  const offset = child(frameNode, 'off')?.attributes;
  const extent = child(frameNode, 'ext')?.attributes;
  if (offset === undefined || extent === undefined) return undefined;
  const box = [offset.x, offset.y, extent.cx, extent.cy].map(emu => Math.round(Number(emu) / 12_700));
  return { bounding_box: { x: box[0], y: box[1], width: box[2], height: box[3] } };
}

function notes(root: XmlNode): Element[] {
  const shapes = flatten(child(root, 'cSld', 'spTree')).filter(shape => placeholderType(shape) === 'body');
  const text = shapes
    .map(shape => bodyText(child(shape, 'txBody')))
    .join('\n')
    .trim();
  return text === '' ? [] : [make.annotation(text, 'Notes')];
}

function comments(root: XmlNode): Element[] {
  return children(root, 'cm').map(comment => {
    const text = textOf(child(comment, 'text')).trim() || bodyText(child(comment, 'txBody'));
    return make.annotation(text);
  });
}
