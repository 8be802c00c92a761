import type { XmlNode } from '../ooxml/xml.ts';

const MAX_SPACES = 100;

/** White space that an OpenDocument file writes as an element; undefined for any other element. */
export function whiteSpace({ name, attributes }: XmlNode): string | undefined {
  if (name === 's') return ' '.repeat(Math.min(Number(attributes['text:c'] ?? 1) || 1, MAX_SPACES));
  if (name === 'tab') return '\t';
  return name === 'line-break' ? '\n' : undefined;
}

/** The words of a paragraph without notes and links, as cells of sheets have them. */
export function plainWords(node: XmlNode): string {
  return node.children.map(part => (typeof part === 'string' ? part : (whiteSpace(part) ?? plainWords(part)))).join('');
}
