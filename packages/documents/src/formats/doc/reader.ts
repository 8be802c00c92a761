import type { Element } from '@a2c-smcp/publish/content';
import * as make from '@a2c-smcp/publish/content';
import type { CompoundFile } from '../compound/compound-file.ts';
import { FlowBuilder } from '../word/flow-builder.ts';
import type { Mark, Numbering } from '../word/numbering.ts';
import { alignRows, type DrawnRow } from '../word/rows.ts';
import { Fib, Place, positions } from './fib.ts';
import { Inline } from './inline.ts';
import { readNumbering } from './lists.ts';
import { increasing, type Note, readNotes } from './notes.ts';
import { Runs } from './runs.ts';
import { DocStyles, type Paragraph } from './styles.ts';
import { DocText } from './text.ts';

const CELL_END = '\u0007';
/** Ends of paragraphs, cells and sections. */
const paragraphEnd = new RegExp(`[\r\f${CELL_END}]`, 'g');
/** Stories of headers and footers for each section, after six for the lines above notes. */
const STORIES = 6;

/** Reads the text of a Word file from Word 2 on. */
export function readDoc(file: Pick<CompoundFile, 'stream'>): Element[] {
  return new DocReader(new Fib(file)).read();
}

class DocReader {
  readonly #fib: Fib;
  readonly #text: DocText;
  readonly #styles: DocStyles;
  readonly #numbering: Numbering;
  readonly #paragraphs: Runs;
  readonly #notes: readonly Note[];
  readonly #inline: Inline;
  readonly #flow = new FlowBuilder();
  /** The next note to be shown. */
  #note = 0;
  #rows: DrawnRow[] = [];
  #cells: string[] = [];
  #cell: string[] = [];

  constructor(fib: Fib) {
    this.#fib = fib;
    this.#text = new DocText(fib);
    this.#styles = new DocStyles(fib);
    this.#numbering = readNumbering(fib);
    this.#paragraphs = new Runs(fib.main, fib.at(Place.paragraphs), { isParagraphs: true });
    this.#notes = readNotes(fib);
    this.#inline = new Inline(fib, this.#text, new Map(this.#notes.map(({ reference, mark }) => [reference, mark])));
  }

  read(): Element[] {
    const { headers, footers } = this.#edges();
    this.#read(...this.#fib.range('main'));
    this.#read(...this.#fib.range('boxes'));
    return [
      ...headers.map(text => make.other('header', text)),
      ...this.#flow.finish(),
      ...footers.map(text => make.other('footer', text)),
    ];
  }

  #read(from: number, to: number): void {
    for (let at = from; at < to; ) {
      paragraphEnd.lastIndex = at;
      const end = Math.min(paragraphEnd.exec(this.#text.text)?.index ?? to, to);
      this.#paragraph(at, end);
      at = end + 1;
    }
    this.#endTable();
  }

  #paragraph(from: number, end: number): void {
    const { style, changes } = this.#paragraphs.find(this.#text.placeOf(end).at);
    const paragraph = this.#styles.paragraph(style, changes);
    const text = this.#inline.read(from, end).trim();
    const mark = this.#markOf(paragraph);
    const isCellEnd = this.#text.text[end] === CELL_END;
    // The properties of old files are not read: there, a cell without text ends a row.
    const isRowEnd = paragraph.isRowEnd || (this.#fib.isOld && isCellEnd && from === end);
    if (isRowEnd) this.#endRow(paragraph);
    else if (paragraph.isInTable || isCellEnd) {
      if (text !== '') this.#cell.push(mark === undefined ? text : `${mark.text} ${text}`);
      if (isCellEnd) this.#endCell();
    } else {
      this.#endTable();
      if (text !== '') this.#words(text, paragraph, mark);
      else if (mark?.ordered && paragraph.heading === undefined)
        this.#flow.emptyItem({ level: mark.level, mark: mark.text });
    }
    this.#remarks(from, end);
  }

  /** Empty paragraphs count, too. */
  #markOf({ list, level, isRowEnd }: Paragraph): Mark | undefined {
    return list === 0 || isRowEnd ? undefined : this.#numbering.next({ list: String(list), level, style: undefined });
  }

  #words(text: string, { heading }: Paragraph, mark: Mark | undefined): void {
    if (heading !== undefined) {
      this.#flow.push(make.heading(heading, text.replace(/\s+/g, ' '), mark?.ordered ? mark.text : undefined));
    } else if (mark !== undefined) this.#flow.item(mark.ordered, { text, level: mark.level, mark: mark.text });
    else this.#flow.push(make.paragraph(text));
  }

  #remarks(from: number, end: number): void {
    for (let note = this.#notes[this.#note]; note && note.reference <= end; note = this.#notes[this.#note]) {
      this.#note += 1;
      if (note.reference < from) continue;
      const text = this.#inline.read(note.from, note.to).trim();
      if (text === '') continue;
      this.#flow.push(make.annotation(note.mark === '' ? text : `${note.mark}: ${text}`, note.author));
    }
  }

  #endCell(): void {
    this.#cells.push(this.#cell.join('\n'));
    this.#cell = [];
  }

  #endRow({ edges }: { edges: readonly number[] }): void {
    if (this.#cell.length > 0) this.#endCell();
    if (this.#cells.length > 0) this.#rows.push({ cells: this.#cells, edges });
    this.#cells = [];
  }

  #endTable(): void {
    this.#endRow({ edges: [] });
    if (this.#rows.length > 0) this.#flow.table(alignRows(this.#rows));
    this.#rows = [];
  }

  /** Each header and footer once, however many sections repeat it. */
  #edges(): { headers: string[]; footers: string[] } {
    const [begin, end] = this.#fib.range('headers');
    const borders = positions(this.#fib.at(Place.headers), 0);
    const found = { headers: new Set<string>(), footers: new Set<string>() };
    for (const [index, { from, to }] of increasing(borders, end - begin).entries()) {
      if (index < STORIES || from >= to) continue;
      const text = this.#inline.read(begin + from, begin + to).trim();
      const isFooter = [2, 3, 5].includes(index % STORIES);
      if (/\p{L}/u.test(text)) found[isFooter ? 'footers' : 'headers'].add(text);
    }
    return { headers: [...found.headers], footers: [...found.footers] };
  }
}
