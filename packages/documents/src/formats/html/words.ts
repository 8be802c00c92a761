import type { HtmlNode } from './tree.ts';

/** Stands for `<br>` until white space is collapsed. */
export const LINE_BREAK = '\u2028';

/** The text of a node as a browser shows it, `<br>` as a line break. */
export function words(node: HtmlNode | undefined): string {
  return collapse(textOf(node));
}

/** The text of a node with its white space. Blocks are on lines of their own. */
export function textOf(node: HtmlNode | undefined): string {
  if (node === undefined) return '';
  const { children } = node;
  if (children === undefined) return node.data ?? '';
  // Most elements hold a single text.
  if (children.length === 1 && children[0]?.data !== undefined) return children[0].data;
  let text = '';
  for (const child of children) text = withText(text, child);
  return text;
}

function withText(text: string, node: HtmlNode): string {
  if (node.data !== undefined) return text + node.data;
  switch (node.kind) {
    case 'invisible':
      return text;
    case 'break':
      return text + LINE_BREAK;
    case 'image':
      return node.attribs?.alt ? `${text} ${node.attribs.alt} ` : text;
    case 'block':
    case 'heading':
    case 'line':
    case 'list':
    case 'preformatted':
    case 'table':
      return `${text === '' || text.endsWith('\n') ? text : `${text}\n`}${textOf(node)}\n`;
    default:
      return text + textOf(node);
  }
}

const unusualSpace = /[\t\n\r\f\u2028]| {2}/;

/** White space means nothing in HTML. */
export function collapse(text: string): string {
  if (!unusualSpace.test(text)) return text.trim();
  return text
    .replace(/[ \t\n\r\f]+/g, ' ')
    .replace(/ ?\u2028 ?/g, '\n')
    .trim();
}
