import type { Element } from '@a2c-smcp/publish/content';
import * as make from '@a2c-smcp/publish/content';
import type { PptSlide } from './presentation.ts';
import { findAll, findRecord, type PptRecord, RecordType, records } from './records.ts';
import { NUMBER_FIELD, type PptText, readTexts, TextKind } from './text.ts';

const MAX_DEPTH = 50;
const TITLE_LENGTH = 80;
const TABLE = 0x039f;
const PICTURE_FRAME = 75;
const PICTURE = 0x0104;
const DESCRIPTION = 0x0381;
const HIDDEN = 0x04;
/** Kinds of placeholders for dates, numbers of slides, footers and headers. */
const EDGE_PLACEHOLDERS = [7, 8, 9, 10];

/** A slide as it is shown, with its notes and comments. */
export interface ShownSlide {
  /** Without one, its first words. */
  title: string;
  isHidden: boolean;
  elements: Element[];
}

/** Reads a slide: its title first, the shapes in the order they were drawn, then notes and comments. */
export function readSlide({ record, outline, notes, number, edges }: PptSlide): ShownSlide {
  const reader = new SlideReader(outline, number);
  reader.read(findRecord(record.body, RecordType.drawing)?.body ?? Buffer.alloc(0), 0);
  const info = findRecord(record.body, RecordType.slideShowInfo)?.body;
  const { title } = reader;
  const [first] = reader.elements.flatMap(({ content: { text } }) => (typeof text === 'string' ? [text] : []));
  return {
    title: title || make.shorten(first ?? '', TITLE_LENGTH),
    isHidden: info !== undefined && info.length >= 12 && (info.readUInt16LE(10) & HIDDEN) !== 0,
    elements: [
      ...(title === '' ? [] : [make.heading(1, title)]),
      ...reader.elements,
      ...(edges.length === 0 ? [] : [make.other('footer', edges.join(' | '))]),
      ...noteElements(notes, number),
      ...commentElements(record),
    ],
  };
}

class SlideReader {
  title = '';
  readonly elements: Element[] = [];
  readonly #outline: readonly PptText[];
  readonly #number: number;

  constructor(outline: readonly PptText[], number: number) {
    this.#outline = outline;
    this.#number = number;
  }

  /** Takes the shapes of a drawing or a group. */
  read(bytes: Buffer, depth: number): void {
    for (const { type, isContainer, body } of records(bytes)) {
      if (type === RecordType.shape) this.#shape(body);
      else if (type === RecordType.groupShape && isTable(body)) this.#table(body);
      else if (isContainer && depth < MAX_DEPTH) this.read(body, depth + 1);
    }
  }

  #shape(body: Buffer): void {
    const placeholder = [...findAll(body, RecordType.placeholder)][0]?.body[4] ?? 0;
    if (EDGE_PLACEHOLDERS.includes(placeholder)) return;
    for (const text of this.#textsOf(body)) this.#text(text);
    if (findRecord(body, RecordType.shapeAtom)?.instance === PICTURE_FRAME) this.elements.push(pictureElement(body));
  }

  #textsOf(shape: Buffer): PptText[] {
    const box = findRecord(shape, RecordType.textBox)?.body;
    if (box === undefined) return [];
    const reference = findRecord(box, RecordType.outlineReference)?.body;
    const text = reference === undefined || reference.length < 4 ? undefined : this.#outline[reference.readUInt32LE(0)];
    return numbered(text === undefined ? readTexts(box) : [text], this.#number);
  }

  #text({ kind, lines }: PptText): void {
    const words = lines.filter(({ text }) => text !== '');
    const isTitle = kind === TextKind.title || kind === TextKind.centerTitle;
    if (isTitle && this.title === '')
      this.title = words
        .map(({ text }) => text)
        .join(' ')
        .replace(/\s+/g, ' ');
    else {
      const inherits = kind === TextKind.body || kind === TextKind.halfBody || kind === TextKind.quarterBody;
      this.elements.push(...textElements(words, inherits && words.length > 1));
    }
  }

  /** The cells of a table are shapes; those of a row begin at the same height. */
  #table(group: Buffer): void {
    const rows = new Map<number, Map<number, string>>();
    for (const { body } of findAll(group, RecordType.shape)) {
      const anchor = findRecord(body, RecordType.childAnchor)?.body;
      if (anchor === undefined || anchor.length < 16 || findRecord(body, RecordType.textBox) === undefined) continue;
      const lines = this.#textsOf(body).flatMap(text => text.lines);
      const text = lines
        .map(line => line.text)
        .filter(Boolean)
        .join('\n');
      const row = rows.get(anchor.readInt32LE(4)) ?? new Map<number, string>();
      rows.set(anchor.readInt32LE(4), row.set(anchor.readInt32LE(0), text));
    }
    const lefts = [...new Set([...rows.values()].flatMap(row => [...row.keys()]))].toSorted((a, b) => a - b);
    const sorted = [...rows].toSorted(([a], [b]) => a - b).map(([, row]) => lefts.map(left => row.get(left) ?? ''));
    const [headers, ...rest] = sorted;
    if (headers !== undefined) this.elements.push(make.table(headers, rest));
  }
}

/** Texts in which fields for the number of their slide have it. */
function numbered(texts: readonly PptText[], number: number): PptText[] {
  return texts.map(({ kind, lines }) => ({
    kind,
    lines: lines.map(line => ({ ...line, text: line.text.replaceAll(NUMBER_FIELD, String(number)) })),
  }));
}

/** Lists where lines have bullets, paragraphs elsewhere. */
function textElements(lines: PptText['lines'], inherits: boolean): Element[] {
  const elements: Element[] = [];
  let items: make.ListItem[] = [];
  const flush = () => {
    if (items.length > 0) elements.push(make.list(false, items));
    items = [];
  };
  for (const { text, level, hasBullet } of lines) {
    if (hasBullet ?? inherits) items.push({ text, level });
    else {
      flush();
      elements.push(make.paragraph(text));
    }
  }
  flush();
  return elements;
}

function isTable(group: Buffer): boolean {
  const first = findRecord(group, RecordType.shape)?.body;
  return propertiesOf(findRecord(first, RecordType.tableProperties)).has(TABLE);
}

/** A picture names its bytes by their number in the store of the file. */
function pictureElement(shape: Buffer): Element {
  const record = findRecord(shape, RecordType.shapeProperties);
  const properties = propertiesOf(record);
  const description = properties.get(DESCRIPTION)?.text ?? '';
  const number = properties.get(PICTURE)?.value;
  return {
    ...make.image(description),
    identity: `${number} ${description}`,
    ...(number !== undefined && { metadata: { part: String(number) } }),
  };
}

/** Properties of a shape by their numbers. Texts follow the table, in its order. */
function propertiesOf(record: PptRecord | undefined): Map<number, { value: number; text: string }> {
  const properties = new Map<number, { value: number; text: string }>();
  if (record === undefined) return properties;
  const { body, instance: count } = record;
  let textAt = count * 6;
  for (let at = 0; at < count * 6 && at + 6 <= body.length; at += 6) {
    const id = body.readUInt16LE(at);
    const value = body.readUInt32LE(at + 2);
    const isComplex = (id & 0x8000) !== 0;
    const text = isComplex ? body.toString('utf16le', textAt, Math.min(textAt + value, body.length)) : '';
    if (isComplex) textAt += value;
    properties.set(id & 0x3fff, { value, text: text.replace(/\0.*$/s, '') });
  }
  return properties;
}

function noteElements(notes: PptRecord | undefined, number: number): Element[] {
  if (notes === undefined) return [];
  const texts = [...findAll(notes.body, RecordType.textBox)].flatMap(({ body }) => readTexts(body));
  const own = texts.filter(({ kind }) => kind === TextKind.notes);
  const lines = numbered(own, number).flatMap(text => text.lines);
  const text = lines
    .map(line => line.text)
    .join('\n')
    .trim();
  return text === '' ? [] : [make.annotation(text, 'Notes')];
}

/** Comments have strings for their author and their text. */
function commentElements(slide: PptRecord): Element[] {
  return [...findAll(slide.body, RecordType.comment)].flatMap(({ body }) => {
    const strings = [...records(body)].filter(({ type }) => type === RecordType.string);
    const string = (instance: number) =>
      strings
        .find(record => record.instance === instance)
        ?.body.toString('utf16le')
        .trim() ?? '';
    return string(1) === '' ? [] : [make.annotation(string(1), string(0) || undefined)];
  });
}
