import * as make from '@a2c-smcp/publish/content';
import { type Element, formatNumber } from '@a2c-smcp/publish/content';
import { raisedMark } from '../ooxml/raised.ts';
import { child, children, descendants, type Relation, textOf, type XmlNode } from '../ooxml/xml.ts';

const MAX_LEVEL = 8;

interface Line {
  text: string;
  level: number;
  bullet: 'none' | 'dot' | 'number' | 'inherited';
  /** How numbers are written, as in `alphaLcParenR`, and the first of them. */
  counting?: { type: string; start: number } | undefined;
}

/** The text of a shape: lists where it has bullets, paragraphs elsewhere. `inherits` is set if its layout adds bullets. */
export function bodyElements(body: XmlNode, relations: ReadonlyMap<string, Relation>, inherits: boolean): Element[] {
  const lines = readLines(body, relations);
  const marked = (line: Line) =>
    line.bullet === 'dot' || line.bullet === 'number' || (line.bullet === 'inherited' && inherits && lines.length > 1);
  const elements: Element[] = [];
  let items: Line[] = [];
  const flush = () => {
    if (items.length > 0) elements.push(make.list(items[0]?.bullet === 'number', withMarks(items)));
    items = [];
  };
  for (const line of lines) {
    if (marked(line)) items.push(line);
    else {
      flush();
      elements.push(asLink(line.text) ?? make.paragraph(line.text));
    }
  }
  flush();
  return elements;
}

/** The paragraphs of a shape or cell on one line each, with their numbers. */
export function bodyText(body: XmlNode | undefined): string {
  if (body === undefined) return '';
  const lines = withMarks(readLines(body, new Map()));
  return lines.map(({ text, mark }) => (mark === '-' ? text : `${mark} ${text}`)).join('\n');
}

/** The largest size of letters in a shape, in points, or 0 when it is inherited. */
export function letterSize(body: XmlNode): number {
  const sizes = descendants(body, 'rPr').map(({ attributes }) => Number(attributes.sz ?? 0) / 100);
  return Math.max(0, ...sizes);
}

function readLines(body: XmlNode, relations: ReadonlyMap<string, Relation>): Line[] {
  return children(body, 'p')
    .map((paragraph): Line => {
      const properties = child(paragraph, 'pPr');
      let [text, before] = ['', ''];
      for (const part of children(paragraph)) {
        const own = runText(part, relations);
        const isRaised = Number(child(part, 'rPr')?.attributes.baseline ?? 0) > 0;
        text += (isRaised ? raisedMark(before, own) : '') + own;
        before = own;
      }
      const level = Math.min(Math.max(Math.trunc(Number(properties?.attributes.lvl ?? 0)) || 0, 0), MAX_LEVEL);
      return { text: text.trim(), level, bullet: bulletOf(properties), counting: countingOf(properties) };
    })
    .filter(({ text }) => text !== '');
}

function bulletOf(properties: XmlNode | undefined): Line['bullet'] {
  if (child(properties, 'buNone')) return 'none';
  if (child(properties, 'buAutoNum')) return 'number';
  return child(properties, 'buChar') || child(properties, 'buBlip') ? 'dot' : 'inherited';
}

function countingOf(properties: XmlNode | undefined): Line['counting'] {
  const numbers = child(properties, 'buAutoNum');
  const { type = 'arabicPeriod', startAt = '1' } = numbers?.attributes ?? {};
  return numbers && { type, start: Number.parseInt(startAt, 10) || 1 };
}

/** Items of one level count on as long as they are numbered in the same way and no item of a higher level is between. */
function withMarks(items: readonly Line[]): (make.ListItem & { mark: string })[] {
  const counters: { key: string; number: number }[] = [];
  return items.map(({ text, level, counting }) => {
    counters.length = Math.min(counters.length, level + 1);
    if (counting === undefined) {
      delete counters[level];
      return { text, level, mark: '-' };
    }
    const key = `${counting.type} ${counting.start}`;
    const before = counters[level];
    const number = before?.key === key ? before.number + 1 : counting.start;
    counters[level] = { key, number };
    return { text, level, mark: autoNumber(number, counting.type) };
  });
}

const countings: [RegExp, string][] = [
  [/^alphaLc/, 'lowerLetter'],
  [/^alphaUc/, 'upperLetter'],
  [/^romanLc/, 'lowerRoman'],
  [/^romanUc/, 'upperRoman'],
  [/^circle/, 'decimalEnclosedCircle'],
  [/^ea/, 'chineseCounting'],
];

function autoNumber(number: number, type: string): string {
  const text = formatNumber(number, countings.find(([pattern]) => pattern.test(type))?.[1] ?? 'decimal');
  if (type.endsWith('ParenBoth')) return `(${text})`;
  if (type.endsWith('ParenR')) return `${text})`;
  return type.endsWith('Plain') ? text : `${text}.`;
}

function runText(node: XmlNode, relations: ReadonlyMap<string, Relation>): string {
  if (node.name === 'br') return '\n';
  if (node.name !== 'r' && node.name !== 'fld')
    return node.name === 'm' ? descendants(node, 't').map(textOf).join('') : '';
  const text = children(node, 't').map(textOf).join('');
  const relation = relations.get(child(node, 'rPr', 'hlinkClick')?.attributes['r:id'] ?? '');
  return relation?.external === true && text.trim() !== '' ? `[${text}](${relation.target})` : text;
}

function asLink(text: string): Element | undefined {
  const match = /^\[([^[\]]+)\]\((\S+)\)$/.exec(text);
  return match?.[1] !== undefined && match[2] !== undefined ? make.link(match[1], match[2]) : undefined;
}
