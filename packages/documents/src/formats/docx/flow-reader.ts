import type { Element } from '@a2c-smcp/publish/content';
import * as make from '@a2c-smcp/publish/content';
import { readChart, readDiagram } from '../ooxml/drawings.ts';
import type { Package } from '../ooxml/package.ts';
import { child, children, descendants, type Relation, type XmlNode } from '../ooxml/xml.ts';
import { FlowBuilder } from '../word/flow-builder.ts';
import { blockText, drawingName, endnoteMark, footnoteMark, type Inline, readInline } from './inline.ts';
import type { ParagraphKind, Styles } from './styles.ts';

/** The parts that the body refers to. */
export interface DocxContext {
  /** Undefined for a text without parts. */
  zip: Package | undefined;
  styles: Styles;
  relations: ReadonlyMap<string, Relation>;
  footnotes: ReadonlyMap<string, string>;
  endnotes: ReadonlyMap<string, string>;
  comments: ReadonlyMap<string, { text: string; author?: string }>;
}

/** Turns the blocks of a body, in order, into elements. */
export class FlowReader {
  readonly #flow = new FlowBuilder();
  readonly #context: DocxContext;
  /** A drop cap that the next paragraph begins with. */
  #initial = '';

  constructor(context: DocxContext) {
    this.#context = context;
  }

  /** Takes the next block of the body. */
  async add(block: XmlNode): Promise<void> {
    if (block.name === 'sdt') await this.#all(child(block, 'sdtContent'));
    else if (block.name === 'ins' || block.name === 'customXml') await this.#all(block);
    else await this.#read(block);
  }

  finish(): Element[] {
    if (this.#initial !== '') this.#flow.push(make.paragraph(this.#initial));
    return this.#flow.finish();
  }

  async #all(container: XmlNode | undefined): Promise<void> {
    for (const part of children(container)) await this.add(part);
  }

  async #read(block: XmlNode): Promise<void> {
    if (block.name === 'p') await this.#paragraph(block);
    else if (block.name === 'tbl') await this.#table(block);
  }

  async #paragraph(node: XmlNode): Promise<void> {
    const inline = readInline(node, this.#context.relations);
    const text = this.#initial + inline.text.replace(/[ \t]+$/gm, '').replace(/^\n+|\s+$/g, '');
    this.#initial = '';
    if (isDropCap(node) && inline.drawings.length === 0 && inline.boxes.length === 0) {
      this.#initial = text;
      return;
    }
    // Empty paragraphs count, too.
    const kind = this.#context.styles.kindOf(node);
    if (text !== '') this.#words(kind, text, inline);
    else if (kind.kind === 'item' && kind.ordered) this.#flow.emptyItem({ level: kind.level, mark: kind.mark });
    for (const drawing of inline.drawings) for (const element of await this.#drawing(drawing)) this.#flow.push(element);
    for (const box of inline.boxes) await this.#read(box);
    for (const remark of this.#remarks(inline)) this.#flow.push(remark);
  }

  #words(paragraph: ParagraphKind, text: string, { onlyLink, onlyFormula }: Inline): void {
    if (paragraph.kind === 'item') {
      this.#flow.item(paragraph.ordered, { text: text.trim(), level: paragraph.level, mark: paragraph.mark });
    } else if (paragraph.kind === 'contents') {
      this.#flow.item(false, { text: contentsEntry(text), level: paragraph.level });
    } else if (paragraph.kind === 'code') {
      this.#flow.codeLine(text);
    } else if (paragraph.kind === 'heading') {
      this.#flow.push(make.heading(paragraph.level, text.replace(/\s+/g, ' '), paragraph.mark));
    } else if (onlyFormula === text) this.#flow.push(make.formula(onlyFormula));
    else if (onlyLink !== undefined && (text === onlyLink.url || text === `[${onlyLink.text}](${onlyLink.url})`)) {
      this.#flow.push(make.link(onlyLink.text, onlyLink.url));
    } else this.#flow.push(make.paragraph(text));
  }

  /** A table of a single cell is a frame around its content. Tables inside of cells follow the table. */
  async #table(node: XmlNode): Promise<void> {
    const [only, ...others] = rowsOf(node).flatMap(cellsOf);
    if (only !== undefined && others.length === 0 && children(only, 'tbl').length > 0) return this.#all(only);
    const inner: XmlNode[] = [];
    this.#flow.table(rowsOf(node).map(row => this.#cells(row, inner)));
    for (const table of inner) await this.#table(table);
  }

  /** A cell over several columns is followed by empty ones, so that columns stay columns. */
  #cells(row: XmlNode, inner: XmlNode[]): string[] {
    return cellsOf(row).flatMap(cell => {
      const span = Number(child(cell, 'tcPr', 'gridSpan')?.attributes['w:val'] ?? 1);
      const empty = Array.from({ length: Math.min(Math.max(span - 1, 0), 100) }, () => '');
      return [this.#cellText(cell, inner), ...empty];
    });
  }

  #cellText(cell: XmlNode, inner: XmlNode[]): string {
    const { relations, styles } = this.#context;
    const tables = children(cell, 'tbl');
    const own = { ...cell, children: cell.children.filter(part => typeof part === 'string' || part.name !== 'tbl') };
    const text = blockText(own, relations, paragraph => {
      const kind = styles.kindOf(paragraph);
      return kind.kind === 'item' || kind.kind === 'heading' ? kind.mark : undefined;
    });
    inner.push(...tables);
    return tables.length === 0 ? text : `${text} (see the table below)`.trim();
  }

  async #drawing(node: XmlNode): Promise<Element[]> {
    const { zip, relations } = this.#context;
    const partOf = (id: string | undefined) => relations.get(id ?? '')?.target;
    const chart = partOf(descendants(node, 'chart')[0]?.attributes['r:id']);
    if (chart !== undefined && zip?.has(chart)) return [await readChart(zip, chart)];
    const diagram = partOf(descendants(node, 'relIds')[0]?.attributes['r:dm']);
    if (diagram !== undefined && zip !== undefined) return [await readDiagram(zip, diagram)];
    const picture = descendants(node, 'blip')[0] ?? descendants(node, 'imagedata')[0];
    if (picture === undefined) return [];
    const part = partOf(picture.attributes['r:embed'] ?? picture.attributes['r:id']);
    return [
      { ...make.image(drawingName(node)), identity: part ?? drawingName(node), ...(part && { metadata: { part } }) },
    ];
  }

  #remarks({ footnotes, endnotes, comments }: Inline): Element[] {
    const notes = [
      ...footnotes.map(id => ({ mark: footnoteMark(id), text: this.#context.footnotes.get(id) })),
      ...endnotes.map(id => ({ mark: endnoteMark(id), text: this.#context.endnotes.get(id) })),
    ];
    return [
      ...notes.filter(({ text }) => text).map(({ mark, text }) => make.annotation(`${mark}: ${text}`)),
      ...comments.flatMap(id => {
        const comment = this.#context.comments.get(id);
        return comment === undefined || comment.text === '' ? [] : [make.annotation(comment.text, comment.author)];
      }),
    ];
  }
}

/** A drop cap is a paragraph of its own, before the one that it begins. */
function isDropCap(paragraph: XmlNode): boolean {
  const { 'w:dropCap': kind = 'none' } = child(paragraph, 'pPr', 'framePr')?.attributes ?? {};
  return kind !== 'none';
}

function rowsOf(table: XmlNode): XmlNode[] {
  return children(table).flatMap(part =>
    part.name === 'tr' ? [part] : part.name === 'sdt' ? rowsOf(child(part, 'sdtContent') ?? part) : [],
  );
}

function cellsOf(row: XmlNode): XmlNode[] {
  return children(row).flatMap(part =>
    part.name === 'tc' ? [part] : part.name === 'sdt' ? cellsOf(child(part, 'sdtContent') ?? part) : [],
  );
}

/** An entry of a table of contents without its link: its number, its title and, behind dots, the number of the page. */
function contentsEntry(text: string): string {
  const words = text.replace(/^\[(.*)\]\(#[^)]*\)$/s, '$1');
  const parts = words.split('\t').map(part => part.trim());
  const page = parts.length > 1 && !/\s/.test(parts.at(-1) ?? '') ? parts.pop() : undefined;
  const title = parts.filter(Boolean).join(' ');
  return page ? `${title} … ${page}` : title;
}
