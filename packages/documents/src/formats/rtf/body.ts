import type { Element } from '@a2c-smcp/publish/content';
import * as make from '@a2c-smcp/publish/content';
import { FlowBuilder } from '../word/flow-builder.ts';
import { alignRows, type DrawnRow } from '../word/rows.ts';
import type { ParagraphState, Sink } from './group.ts';
import { OldCounter } from './old-numbering.ts';
import type { Styles } from './styles.ts';

/** Boundaries of cells in one row; Word has 63. */
const MAX_CELLS = 1000;

/** The text of a document: its paragraphs, lists and tables. */
export class RtfBody {
  /** The words of the current paragraph or cell. */
  readonly sink: Sink = { text: '' };
  /** The number before the current paragraph, `-` for a bullet, or nothing. */
  mark = '';
  readonly #flow = new FlowBuilder();
  readonly #styles: Styles;
  readonly #counter = new OldCounter();
  #after: Element[] = [];
  /** The rows of the current table, and the cells and the edges of the current row. */
  #rows: DrawnRow[] = [];
  #cells: string[] = [];
  #edges: number[] = [];

  constructor(styles: Styles) {
    this.#styles = styles;
  }

  /** Puts an element behind the current paragraph. */
  follow(element: Element): void {
    this.#after.push(element);
  }

  endParagraph(paragraph: ParagraphState): void {
    const text = tidy(this.sink.text).trim();
    this.sink.text = '';
    if (text !== '' || this.#after.length > 0) this.#endTable();
    if (text !== '') {
      this.mark = this.#counter.next(paragraph.numbering, this.mark);
      this.#paragraph(text, paragraph);
    }
    for (const element of this.#after) this.#flow.push(element);
    this.#after = [];
    this.mark = '';
  }

  beginRow(): void {
    this.#edges = [];
  }

  /** @param edge where a cell ends on paper, in twips */
  addEdge(edge: number): void {
    if (this.#edges.length < MAX_CELLS) this.#edges.push(edge);
  }

  endCell(): void {
    const mark = this.mark === '' ? '' : `${this.mark} `;
    if (this.#cells.length < MAX_CELLS) this.#cells.push(`${mark}${tidy(this.sink.text)}`);
    this.sink.text = '';
    this.mark = '';
  }

  endRow(): void {
    if (this.sink.text.trim() !== '') this.endCell();
    if (this.#cells.length > 0) this.#rows.push({ cells: this.#cells, edges: [...this.#edges] });
    this.#cells = [];
  }

  finish(): Element[] {
    this.#endTable();
    return this.#flow.finish();
  }

  #endTable(): void {
    this.endRow();
    if (this.#rows.length > 0) this.#flow.table(alignRows(this.#rows));
    this.#rows = [];
  }

  #paragraph(text: string, paragraph: ParagraphState): void {
    const { list, level } = paragraph;
    const heading = this.#styles.levelOf(paragraph);
    const isNumbered = this.mark !== '' && this.mark !== '-';
    if (heading !== undefined) {
      this.#flow.push(make.heading(heading, text.replace(/\s+/g, ' '), isNumbered ? this.mark : undefined));
    } else if (this.mark !== '' || list !== undefined) {
      this.#flow.item(isNumbered, { text, level, mark: this.mark || '-' });
    } else this.#flow.push(make.paragraph(text));
  }
}

/** Text without spaces at its lines' ends and without halves of characters. */
export function tidy(text: string): string {
  return text
    .replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '\ufffd')
    .replace(/[ \t]+$/gm, '')
    .replace(/^\n+|\s+$/g, '');
}
