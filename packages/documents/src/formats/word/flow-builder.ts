import type { Element } from '@a2c-smcp/publish/content';
import * as make from '@a2c-smcp/publish/content';
import { type ShortTable, takeLongCells } from './long-cells.ts';

/** Collects the elements of a text. Items that follow each other become one list, lines of code one listing. */
export class FlowBuilder {
  readonly #elements: Element[] = [];
  #list: { ordered: boolean; items: make.ListItem[] } | undefined;
  #code: string[] = [];
  /** Numbered items without words, the outermost first. */
  #empty: make.ListItem[] = [];

  push(element: Element): void {
    this.#flush();
    this.#elements.push(element);
  }

  item(ordered: boolean, item: make.ListItem): void {
    const above = this.#empty.filter(({ level }) => level < item.level);
    this.#empty = [];
    for (const empty of above) this.#item(true, empty);
    this.#item(ordered, item);
  }

  /** A numbered item without words, which is shown if the next item is below it. */
  emptyItem(item: Omit<make.ListItem, 'text'>): void {
    this.#empty = [...this.#empty.filter(({ level }) => level < item.level), { text: '', ...item }];
  }

  /** Programs number a single list under several names, so that only a change of its kind ends a list. */
  #item(ordered: boolean, item: make.ListItem): void {
    if (this.#list === undefined || (item.level === 0 && this.#list.ordered !== ordered)) {
      this.#flush();
      this.#list = { ordered, items: [] };
    }
    this.#list.items.push(item);
  }

  codeLine(text: string): void {
    if (this.#code.length === 0) this.#flush();
    this.#code.push(text);
  }

  /** The first row has the names of the columns. A table without words is left out; long cells follow as paragraphs. */
  table(cells: readonly string[][]): void {
    const { rows, paragraphs } = takeLongCells(cells);
    if (rows.some(row => row.some(cell => cell.trim() !== ''))) this.#table(rows);
    for (const text of paragraphs) this.push(make.paragraph(text));
  }

  #table(rows: ShortTable['rows']): void {
    const width = rows.reduce((most, row) => Math.max(most, row.length), 1);
    const [headers = [], ...rest] = rows;
    const names = Array.from({ length: width }, (_, column) => headers[column] ?? '');
    this.push(
      make.table(
        names,
        rest.map(row => [...row]),
      ),
    );
  }

  finish(): Element[] {
    this.#flush();
    return this.#elements;
  }

  #flush(): void {
    this.#empty = [];
    if (this.#list !== undefined) this.#elements.push(make.list(this.#list.ordered, this.#list.items));
    if (this.#code.length > 0) this.#elements.push(make.code(this.#code.join('\n')));
    this.#list = undefined;
    this.#code = [];
  }
}
