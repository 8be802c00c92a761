import { raisedMark } from '../ooxml/raised.ts';
import { child, children, descendants, type Relation, textOf, val, type XmlNode } from '../ooxml/xml.ts';

/** The words of a paragraph, and the objects that are anchored in it. */
export interface Inline {
  text: string;
  /** Set when the paragraph is nothing but one link. */
  onlyLink?: { text: string; url: string };
  /** Set when the paragraph is nothing but one formula. */
  onlyFormula?: string;
  drawings: XmlNode[];
  /** Paragraphs of text boxes. */
  boxes: XmlNode[];
  footnotes: string[];
  endnotes: string[];
  comments: string[];
}

/** Reads the words of a paragraph. A link inside a sentence is written `[words](address)`; deleted text is left out. */
export function readInline(paragraph: XmlNode, relations: ReadonlyMap<string, Relation>): Inline {
  const inline: Inline = { text: '', drawings: [], boxes: [], footnotes: [], endnotes: [], comments: [] };
  new InlineReader(inline, relations).children(paragraph);
  return inline;
}

/** The mark of a note, in the sentence and before the note. */
export function footnoteMark(id: string | undefined): string {
  return `[^${id}]`;
}

export function endnoteMark(id: string | undefined): string {
  return `[^e${id}]`;
}

class InlineReader {
  readonly #inline: Inline;
  readonly #relations: ReadonlyMap<string, Relation>;
  /** The text of the last run. The text so far has it, too, but looking at its end would copy it. */
  #last = '';

  constructor(inline: Inline, relations: ReadonlyMap<string, Relation>) {
    this.#inline = inline;
    this.#relations = relations;
  }

  children(node: XmlNode): void {
    for (const part of children(node)) this.#visit(part);
  }

  #visit(node: XmlNode): void {
    const inline = this.#inline;
    switch (node.name) {
      case 'r':
        inline.text += this.#raisedMark(node);
        this.children(node);
        return;
      case 't':
        this.#last = textOf(node);
        inline.text += this.#last;
        return;
      case 'tab':
      case 'ptab':
        inline.text += '\t';
        return;
      case 'br':
      case 'cr':
        inline.text += '\n';
        return;
      case 'noBreakHyphen':
        inline.text += '-';
        return;
      case 'oMath':
        this.#formula(node);
        return;
      case 'hyperlink':
        this.#link(node);
        return;
      case 'drawing':
      case 'pict':
      case 'object':
        this.#drawing(node);
        return;
      case 'footnoteReference':
        inline.footnotes.push(node.attributes['w:id'] ?? '');
        inline.text += footnoteMark(node.attributes['w:id']);
        return;
      case 'endnoteReference':
        inline.endnotes.push(node.attributes['w:id'] ?? '');
        inline.text += endnoteMark(node.attributes['w:id']);
        return;
      case 'commentReference':
        inline.comments.push(node.attributes['w:id'] ?? '');
        return;
      case 'del':
      case 'moveFrom':
      case 'pPr':
      case 'rPr':
      case 'instrText':
        return;
      default:
        this.children(node);
    }
  }

  #raisedMark(run: XmlNode): string {
    const before = this.#last;
    this.#last = '';
    // Few runs follow a digit; the others are not looked at.
    if (!/\d/.test(before.slice(-1)) || val(child(run, 'rPr', 'vertAlign')) !== 'superscript') return '';
    return raisedMark(before, children(run, 't').map(textOf).join(''));
  }

  #formula(node: XmlNode): void {
    const expression = descendants(node, 't').map(textOf).join('');
    if (this.#inline.text.trim() === '') this.#inline.onlyFormula = expression;
    this.#inline.text += expression;
  }

  #link(node: XmlNode): void {
    const before = this.#inline.text;
    this.children(node);
    const text = this.#inline.text.slice(before.length);
    const url = this.#relations.get(node.attributes['r:id'] ?? '')?.target;
    if (url === undefined || text.trim() === '') return;
    if (before.trim() === '') this.#inline.onlyLink = { text: text.trim(), url };
    this.#inline.text = text === url ? before + url : `${before}[${text}](${url})`;
  }

  #drawing(node: XmlNode): void {
    const boxes = descendants(node, 'txbxContent');
    this.#inline.boxes.push(...boxes.flatMap(box => children(box)));
    if (boxes.length === 0 || descendants(node, 'blip').length > 0) this.#inline.drawings.push(node);
  }
}

/** The words of everything inside, one line for each paragraph, each behind its number if it has one. */
export function blockText(
  node: XmlNode,
  relations: ReadonlyMap<string, Relation>,
  markOf: (paragraph: XmlNode) => string | undefined = () => undefined,
): string {
  return descendants(node, 'p')
    .map(paragraph => {
      const mark = markOf(paragraph);
      const text = readInline(paragraph, relations).text.trim();
      return mark === undefined ? text : `${mark} ${text}`.trim();
    })
    .filter(Boolean)
    .join('\n');
}

/** The alternative text of a drawing, or its name. */
export function drawingName(node: XmlNode): string {
  const { descr, title, name } = descendants(node, 'docPr')[0]?.attributes ?? {};
  return descr || title || name || child(node, 'shape')?.attributes.alt || '';
}
