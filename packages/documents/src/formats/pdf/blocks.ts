import type { Element } from '@a2c-smcp/publish/content';
import * as make from '@a2c-smcp/publish/content';
import type { Line, Segment } from './lines.ts';

/** An element and the lines it came from, top to bottom. */
export interface Block {
  element: Element;
  top: number;
}

/** The measures of a page, in points. */
export interface PageMeasures {
  height: number;
  /** The size of letters in running text. */
  bodySize: number;
}

const bullet = /^(?:[•●◦○▪‣∙·■□–—*-]|\(?(\d{1,3}|[a-z])[.)])\s+/i;
/** The share of the height of a page in which headers and footers stand. */
const MARGIN_SHARE = 0.06;

/** Reads the layout of lines: tables, headings, lists, and paragraphs for the rest. */
export function layOut(lines: readonly Line[], measures: PageMeasures): Block[] {
  const blocks: Block[] = [];
  for (let index = 0; index < lines.length; ) {
    const rest = lines.slice(index);
    const taken =
      takeCode(rest) ??
      takeTable(rest) ??
      takeEdge(rest, measures, index) ??
      takeHeading(rest, measures) ??
      takeList(rest) ??
      takeParagraph(rest);
    const used = rest.slice(0, taken.count);
    blocks.push({ element: placed(taken.element, used), top: (used[0]?.y ?? 0) - (used[0]?.size ?? 0) });
    index += taken.count;
  }
  return blocks;
}

interface Taken {
  element: Element;
  count: number;
}

/** Two or more lines of equally wide letters, indented as on the page. Ideographs are equally wide in every font. */
function takeCode(lines: readonly Line[]): Taken | undefined {
  const end = lines.findIndex(
    (line, index) =>
      !line.isMonospaced || ideograph.test(lineText(line)) || (index > 0 && line.y <= (lines[index - 1]?.y ?? 0)),
  );
  const listing = lines.slice(0, end < 0 ? lines.length : end);
  if (listing.length < 2) return undefined;
  const left = Math.min(...listing.map(line => line.segments[0]?.left ?? 0));
  const text = listing.map(line => {
    const indent = Math.round(((line.segments[0]?.left ?? left) - left) / (line.size * 0.6));
    return ' '.repeat(Math.min(indent, 80)) + lineText(line);
  });
  return { element: make.code(text.join('\n')), count: listing.length };
}

/**
 * Lines whose segments stand below each other: three, or two with three columns. A line of one segment that stands in a
 * column below the first goes on with the cell above it.
 */
function takeTable(lines: readonly Line[]): Taken | undefined {
  const columns = lines[0]?.segments.map(({ left, right }) => ({ left, right })) ?? [];
  const isItem = bullet.test(`${lines[0]?.segments[0]?.text} `) && columns.length === 2;
  if (columns.length < 2 || isItem) return undefined;
  const rows: string[][] = [];
  let count = 0;
  for (const [index, line] of lines.entries()) {
    const places = line.segments.map(segment => columnOf(columns, segment));
    const fits = places.every(place => place >= 0) && new Set(places).size === places.length;
    const isNear = index > 0 && continuesBelow(lines[index - 1], line);
    const [only = 0] = places;
    const last = rows.at(-1);
    if (fits && places.length === 1 && only > 0 && isNear && last !== undefined) {
      last[only] = joinLines(last[only] ?? '', line.segments[0]?.text ?? '');
      continue;
    }
    if (!fits || places.length < 2 || (index > 0 && line.y <= (lines[index - 1]?.y ?? 0))) break;
    const row = columns.map(() => '');
    for (const [place, segment] of line.segments.entries()) {
      row[places[place] ?? 0] = segment.text;
      widen(columns[places[place] ?? 0], segment);
    }
    rows.push(row);
    count = index + 1;
  }
  const [headers, ...body] = rows;
  if (headers === undefined || body.length < (columns.length > 2 ? 1 : 2)) return undefined;
  while (count < lines.length && isContinuation(columns, lines, count)) count += 1;
  return {
    element: make.table(
      headers,
      body.map(row => row.map(typed)),
    ),
    count,
  };
}

/** Lines below the last row were added to its cells. */
function isContinuation(columns: Columns, lines: readonly Line[], index: number): boolean {
  const { segments } = lines[index] ?? { segments: [] };
  const [only] = segments;
  return (
    only !== undefined &&
    segments.length === 1 &&
    continuesBelow(lines[index - 1], lines[index]) &&
    columnOf(columns, only) > 0
  );
}

function continuesBelow(before: Line | undefined, line: Line | undefined): boolean {
  const gap = (line?.y ?? 0) - (before?.y ?? 0);
  return gap > 0 && gap <= 1.4 * (before?.size ?? 0);
}

type Columns = { left: number; right: number }[];

/** A column is as wide as its widest cell, so that cells set to the right or the middle are found. */
function widen(column: { left: number; right: number } | undefined, { left, right }: Segment): void {
  if (column === undefined) return;
  column.left = Math.min(column.left, left);
  column.right = Math.max(column.right, right);
}

/** A segment belongs to the column it shares an edge or its centre with. */
function columnOf(columns: readonly { left: number; right: number }[], { left, right }: Segment): number {
  const near = (a: number, b: number) => Math.abs(a - b) <= 4;
  const edge = columns.findIndex(column => near(column.left, left) || near(column.right, right));
  if (edge >= 0) return edge;
  const centre = (left + right) / 2;
  return columns.findIndex(column => centre >= column.left - 2 && centre <= column.right + 2);
}

/** A number where the text is one. */
export function typed(text: string): string | number | null {
  if (text === '') return null;
  return /^-?\d{1,15}(?:\.\d+)?$/.test(text) && String(Number(text)) === text ? Number(text) : text;
}

/** Small letters at the very top or bottom of a page, and its number, repeat from page to page. */
function takeEdge(lines: readonly Line[], { height, bodySize }: PageMeasures, index: number): Taken | undefined {
  const [line] = lines;
  if (line === undefined || line.size > bodySize * 1.05) return undefined;
  const text = lineText(line);
  const isNumber = /^(?:page )?\d{1,4}$/i.test(text);
  const isTop = line.y < height * MARGIN_SHARE || (isNumber && index === 0);
  const isBottom = line.y > height * (1 - MARGIN_SHARE) || (isNumber && lines.length === 1);
  if (text.length > 150 || (!isTop && !isBottom)) return undefined;
  return { element: make.other(isTop ? 'header' : 'footer', text), count: 1 };
}

function takeHeading(lines: readonly Line[], { bodySize }: PageMeasures): Taken | undefined {
  const [first] = lines;
  const level = first === undefined ? undefined : headingLevel(first.size / bodySize);
  if (first === undefined || level === undefined || /^[•●◦○▪‣∙·■□]/.test(lineText(first))) return undefined;
  let count = 1;
  while (count < 3 && follows(lines[count - 1], lines[count])) count += 1;
  const text = lines.slice(0, count).map(lineText).reduce(joinLines, '');
  return text.length > 200 ? undefined : { element: make.heading(level, text), count };
}

function headingLevel(ratio: number): number | undefined {
  if (ratio >= 1.6) return 1;
  if (ratio >= 1.3) return 2;
  return ratio >= 1.12 ? 3 : undefined;
}

function takeList(lines: readonly Line[]): Taken | undefined {
  const items: make.ListItem[] = [];
  const ordered = bullet.exec(lineText(lines[0]))?.[1] !== undefined;
  let count = 0;
  for (const line of lines) {
    const text = lineText(line);
    const [mark, number] = bullet.exec(text) ?? [];
    const last = items.at(-1);
    if (mark !== undefined) {
      if ((number !== undefined) !== ordered) break;
      items.push({ text: text.slice(mark.length), level: 0, mark: ordered ? mark.trim() : '-' });
    } else if (last !== undefined && follows(lines[count - 1], line) && isIndented(lines, count)) {
      last.text = joinLines(last.text, text);
    } else break;
    count += 1;
  }
  return items.length < 2 ? undefined : { element: make.list(ordered, items), count };
}

function isIndented(lines: readonly Line[], index: number): boolean {
  return (lines[index]?.segments[0]?.left ?? 0) > (lines[0]?.segments[0]?.left ?? 0) + 4;
}

/** Lines that follow each other are one paragraph up to a line that was meant to end where it does. */
function takeParagraph(lines: readonly Line[]): Taken {
  let length = 1;
  while (follows(lines[length - 1], lines[length]) && !bullet.test(lineText(lines[length]))) length += 1;
  const run = lines.slice(0, length);
  const right = Math.max(...run.flatMap(({ segments }) => segments.map(segment => segment.right)));
  const isSentences = run.every(line => /[.!?:]$/.test(lineText(line)));
  const end = isSentences ? 1 : run.findIndex((line, index) => endsEarly(line, run[index + 1], right)) + 1;
  const count = end === 0 ? length : end;
  const text = lines.slice(0, count).map(lineText).reduce(joinLines, '');
  return { element: make.paragraph(text), count };
}

/** True if a line belongs to the same block of text as the one before it. */
function follows(before: Line | undefined, line: Line | undefined): boolean {
  if (before === undefined || line === undefined) return false;
  const gap = line.y - before.y;
  const alike = Math.abs(line.size - before.size) <= 0.06 * before.size;
  return alike && gap > 0 && gap <= 1.65 * before.size && before.segments.length === 1 && line.segments.length === 1;
}

/** A line that had room for the next word was meant to end there. */
function endsEarly(before: Line | undefined, line: Line | undefined, right: number): boolean {
  const [last] = before?.segments ?? [];
  const [next] = line?.segments ?? [];
  if (last === undefined || next === undefined) return false;
  const word = next.text.split(' ', 1)[0]?.length ?? 0;
  const width = ((word + 2) / Math.max(next.text.length, 1)) * (next.right - next.left);
  return last.right + width < right;
}

const ideograph = /[\u2e80-\u30ff\u3400-\u9fff\uf900-\ufaff\uff00-\uffef]/;

/** A word that was divided at the end of a line becomes whole again; Chinese and Japanese have no spaces between words. */
export function joinLines(before: string, line: string): string {
  if (before === '') return line;
  if (ideograph.test(before.at(-1) ?? '') && ideograph.test(line.charAt(0))) return before + line;
  const divided = /\p{L}-$/u.test(before) && /^\p{Ll}/u.test(line);
  return divided ? before.slice(0, -1) + line : `${before} ${line}`;
}

/** The words of a line, with two spaces between columns. */
export function lineText(line: Line | undefined): string {
  return line?.segments.map(({ text }) => text).join('  ') ?? '';
}

function placed(element: Element, lines: readonly Line[]): Element {
  const left = Math.min(...lines.flatMap(({ segments }) => segments.map(segment => segment.left)));
  const right = Math.max(...lines.flatMap(({ segments }) => segments.map(segment => segment.right)));
  const top = Math.min(...lines.map(({ y, size }) => y - size));
  const bottom = Math.max(...lines.map(({ y }) => y));
  return { ...element, metadata: { bounding_box: boundingBox(left, top, right, bottom) } };
}

/** A rectangle in points from the top left of the page. */
export function boundingBox(left: number, top: number, right: number, bottom: number): Record<string, number> {
  const [x, y, width, height] = [left, top, right - left, bottom - top].map(value => Math.round(value * 10) / 10);
  return { x: x ?? 0, y: y ?? 0, width: width ?? 0, height: height ?? 0 };
}
