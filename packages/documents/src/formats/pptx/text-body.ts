import type { Element } from '../../content/element.ts';
import * as make from '../../content/element.ts';
import { child, children, descendants, type Relation, textOf, type XmlNode } from '../ooxml/xml.ts';

interface Line {
  text: string;
  level: number;
  bullet: 'none' | 'dot' | 'number' | 'inherited';
}

/** The text of a shape: lists where it has bullets, paragraphs elsewhere. `inherits` is set if its layout adds bullets. */
export function bodyElements(body: XmlNode, relations: ReadonlyMap<string, Relation>, inherits: boolean): Element[] {
  const lines = readLines(body, relations);
  const marked = (line: Line) =>
    line.bullet === 'dot' || line.bullet === 'number' || (line.bullet === 'inherited' && inherits && lines.length > 1);
  const elements: Element[] = [];
  let items: Line[] = [];
  const flush = () => {
    if (items.length > 0) elements.push(make.list(items[0]?.bullet === 'number', items));
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

/** The words of a shape on one line each. */
export function bodyText(body: XmlNode | undefined): string {
  return body === undefined
    ? ''
    : readLines(body, new Map())
        .map(({ text }) => text)
        .join('\n');
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
      const text = children(paragraph)
        .map(part => runText(part, relations))
        .join('');
      return { text: text.trim(), level: Number(properties?.attributes.lvl ?? 0), bullet: bulletOf(properties) };
    })
    .filter(({ text }) => text !== '');
}

function bulletOf(properties: XmlNode | undefined): Line['bullet'] {
  if (child(properties, 'buNone')) return 'none';
  if (child(properties, 'buAutoNum')) return 'number';
  return child(properties, 'buChar') || child(properties, 'buBlip') ? 'dot' : 'inherited';
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
