import type { Element } from '../../content/element.ts';
import * as make from '../../content/element.ts';
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

/** Two or more lines of equally wide letters, indented as on the page. */
function takeCode(lines: readonly Line[]): Taken | undefined {
  const end = lines.findIndex(
    (line, index) => !line.isMonospaced || (index > 0 && line.y <= (lines[index - 1]?.y ?? 0)),
  );
  const listing = lines.slice(0, end < 0 ? lines.length : end);
  if (listing.length < 2) return undefined;
  const left = Math.min(...listing.map(line => line.segments[0]?.left ?? 0));
  const text = listing.map(line => {
    const indent = Math.round(((line.segments[0]?.left ?? left) - left) / (line.size * 0.6));
    return ' '.repeat(Math.min(indent, 80)) + textOf(line);
  });
  return { element: make.code(text.join('\n')), count: listing.length };
}

/** Three or more lines whose segments begin at the same places. */
function takeTable(lines: readonly Line[]): Taken | undefined {
  const columns = lines[0]?.segments.map(({ left, right }) => ({ left, right })) ?? [];
  if (columns.length < 2 || bullet.test(textOf(lines[0]))) return undefined;
  const rows: string[][] = [];
  for (const { segments } of lines) {
    const places = segments.map(segment => columnOf(columns, segment));
    const fits = segments.length >= 2 && places.every(place => place >= 0) && new Set(places).size === places.length;
    if (!fits) break;
    const row = columns.map(() => '');
    for (const [index, segment] of segments.entries()) row[places[index] ?? 0] = segment.text;
    rows.push(row);
  }
  const [headers, ...body] = rows;
  if (headers === undefined || body.length < 2) return undefined;
  return {
    element: make.table(
      headers,
      body.map(row => row.map(typed)),
    ),
    count: rows.length,
  };
}

/** A segment belongs to the column it shares an edge or its centre with. */
function columnOf(columns: readonly { left: number; right: number }[], { left, right }: Segment): number {
  const near = (a: number, b: number) => Math.abs(a - b) <= 4;
  const edge = columns.findIndex(column => near(column.left, left) || near(column.right, right));
  if (edge >= 0) return edge;
  const centre = (left + right) / 2;
  return columns.findIndex(column => centre >= column.left - 2 && centre <= column.right + 2);
}

function typed(text: string): string | number | null {
  if (text === '') return null;
  return /^-?\d{1,15}(?:\.\d+)?$/.test(text) && String(Number(text)) === text ? Number(text) : text;
}

/** Small letters at the very top or bottom of a page, and its number, repeat from page to page. */
function takeEdge(lines: readonly Line[], { height, bodySize }: PageMeasures, index: number): Taken | undefined {
  const [line] = lines;
  if (line === undefined || line.size > bodySize * 1.05) return undefined;
  const text = textOf(line);
  const isNumber = /^(?:page )?\d{1,4}$/i.test(text);
  const isTop = line.y < height * MARGIN_SHARE || (isNumber && index === 0);
  const isBottom = line.y > height * (1 - MARGIN_SHARE) || (isNumber && lines.length === 1);
  if (text.length > 150 || (!isTop && !isBottom)) return undefined;
  return { element: make.other(isTop ? 'header' : 'footer', text), count: 1 };
}

function takeHeading(lines: readonly Line[], { bodySize }: PageMeasures): Taken | undefined {
  const [first] = lines;
  const level = first === undefined ? undefined : headingLevel(first.size / bodySize);
  if (first === undefined || level === undefined || /^[•●◦○▪‣∙·■□]/.test(textOf(first))) return undefined;
  let count = 1;
  while (count < 3 && follows(lines[count - 1], lines[count])) count += 1;
  const text = lines.slice(0, count).map(textOf).join(' ');
  return text.length > 200 ? undefined : { element: make.heading(level, text), count };
}

function headingLevel(ratio: number): number | undefined {
  if (ratio >= 1.6) return 1;
  if (ratio >= 1.3) return 2;
  return ratio >= 1.12 ? 3 : undefined;
}

function takeList(lines: readonly Line[]): Taken | undefined {
  const items: make.ListItem[] = [];
  const ordered = bullet.exec(textOf(lines[0]))?.[1] !== undefined;
  let count = 0;
  for (const line of lines) {
    const text = textOf(line);
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
  while (follows(lines[length - 1], lines[length]) && !bullet.test(textOf(lines[length]))) length += 1;
  const run = lines.slice(0, length);
  const right = Math.max(...run.flatMap(({ segments }) => segments.map(segment => segment.right)));
  const isSentences = run.every(line => /[.!?:]$/.test(textOf(line)));
  const end = isSentences ? 1 : run.findIndex((line, index) => endsEarly(line, run[index + 1], right)) + 1;
  const count = end === 0 ? length : end;
  const text = lines.slice(0, count).map(textOf).reduce(joinLines, '');
  return { element: make.paragraph(text), count };
}

/** Whether a line belongs to the same block of text as the one before it. */
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

/** A word that was divided at the end of a line becomes whole again. */
function joinLines(before: string, line: string): string {
  if (before === '') return line;
  const divided = /\p{L}-$/u.test(before) && /^\p{Ll}/u.test(line);
  return divided ? before.slice(0, -1) + line : `${before} ${line}`;
}

function textOf(line: Line | undefined): string {
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
