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
  const collected = new CollectedText();
  collected.addAll(children);
  return collected.text;
}

/** Knows how its text ends: to look at the end of a text that grows copies all of it. */
class CollectedText {
  text = '';
  /** True if nothing was added since the innermost element that is part of a line began, or a line has ended. */
  #isNewLine = true;

  addAll(nodes: readonly HtmlNode[]): void {
    for (const node of nodes) this.#addNode(node);
  }

  #addNode({ data, kind, attribs, children = [] }: HtmlNode): void {
    if (data !== undefined) {
      this.#add(data);
      return;
    }
    switch (kind) {
      case 'invisible':
        break;
      case 'break':
        this.#add(LINE_BREAK);
        break;
      case 'image':
        if (attribs?.alt) this.#add(` ${attribs.alt} `);
        break;
      case 'block':
      case 'heading':
      case 'line':
      case 'list':
      case 'preformatted':
      case 'table':
        if (!this.#isNewLine) this.#add('\n');
        this.addAll(children);
        this.#add('\n');
        break;
      default:
        this.#addInline(children);
    }
  }

  #addInline(children: readonly HtmlNode[]): void {
    const { length } = this.text;
    const isNewLine = this.#isNewLine;
    this.#isNewLine = true;
    this.addAll(children);
    if (this.text.length === length) this.#isNewLine = isNewLine;
  }

  #add(text: string): void {
    if (text === '') return;
    this.text += text;
    this.#isNewLine = text.endsWith('\n');
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
