import type { Package } from '../ooxml/package.ts';
import { child, children, readOptionalXml, val, type XmlNode } from '../ooxml/xml.ts';
import type { Mark, Numbering } from '../word/numbering.ts';
import { readNumbering } from './numbering.ts';

/** The role of a paragraph by its style. */
export type ParagraphKind =
  | { kind: 'heading'; level: number; mark?: string }
  | { kind: 'item'; ordered: boolean; level: number; mark: string }
  | { kind: 'contents'; level: number }
  | { kind: 'code' }
  | { kind: 'text' };

interface Style {
  id: string;
  name: string;
  basedOn: string | undefined;
  outline: string | undefined;
  numbering: XmlNode | undefined;
}

const monospaced = /courier|consolas|monaco|menlo|mono\b/i;

/** The styles and the numbering of a document. */
export class Styles {
  readonly #styles: ReadonlyMap<string, Style>;
  readonly #numbering: Numbering;

  /** @param styles the element with the styles @param numbering the one with the lists */
  constructor(styles: XmlNode | undefined, numbering: XmlNode | undefined) {
    this.#styles = new Map(children(styles, 'style').map(readStyle));
    this.#numbering = readNumbering(numbering);
  }

  static async read(zip: Package, stylesPart: string | undefined, numberingPart: string | undefined): Promise<Styles> {
    return new Styles(await readOptionalXml(zip, stylesPart), await readOptionalXml(zip, numberingPart));
  }

  /** The role of the next paragraph. Counts numbered ones, so each must be passed once and in order. */
  kindOf(paragraph: XmlNode): ParagraphKind {
    const properties = child(paragraph, 'pPr');
    const chain = this.#chain(val(child(properties, 'pStyle')));
    const mark = this.#markOf(child(properties, 'numPr'), chain);
    const level = headingLevel(chain, val(child(properties, 'outlineLvl')));
    if (level !== undefined) return { kind: 'heading', level, ...(mark?.ordered && { mark: mark.text }) };
    const contents = /^(?:toc|contents) (\d)/i.exec(chain[0]?.name ?? '')?.[1];
    if (contents !== undefined) return { kind: 'contents', level: Number(contents) - 1 };
    if (mark !== undefined) return { kind: 'item', ordered: mark.ordered, level: mark.level, mark: mark.text };
    const isCode = chain.some(({ name }) => /\bcode\b|source|preformatted|verbatim/i.test(name));
    return isCode || isMonospaced(paragraph) ? { kind: 'code' } : { kind: 'text' };
  }

  /** A paragraph may name a list and a level itself, or leave either to its style, and that to the one it is based on. */
  #markOf(own: XmlNode | undefined, chain: readonly Style[]): Mark | undefined {
    const listed = chain.findIndex(({ numbering }) => child(numbering, 'numId') !== undefined);
    const style = chain[listed];
    const list = val(child(own, 'numId')) ?? val(child(style?.numbering, 'numId'));
    if (list === undefined || list === '0') return undefined;
    const levels = chain.slice(0, listed + 1).map(({ numbering }) => val(child(numbering, 'ilvl')));
    const written = val(child(own, 'ilvl')) ?? levels.find(level => level !== undefined);
    const level = written === undefined ? undefined : Math.max(0, Math.trunc(Number(written)) || 0);
    return this.#numbering.next({ list, level, style: style?.id ?? chain[0]?.id });
  }

  /** A style and those it is based on, nearest first. */
  #chain(id: string | undefined): Style[] {
    const chain: Style[] = [];
    for (
      let style = this.#styles.get(id ?? '');
      style && chain.length < 20;
      style = this.#styles.get(style.basedOn ?? '')
    ) {
      chain.push(style);
    }
    return chain;
  }
}

function readStyle(node: XmlNode): [id: string, style: Style] {
  const properties = child(node, 'pPr');
  const id = node.attributes['w:styleId'] ?? '';
  const style = {
    id,
    name: val(child(node, 'name')) ?? '',
    basedOn: val(child(node, 'basedOn')),
    outline: val(child(properties, 'outlineLvl')),
    numbering: child(properties, 'numPr'),
  };
  return [id, style];
}

function isMonospaced(paragraph: XmlNode): boolean {
  const runs = children(paragraph, 'r').filter(run => child(run, 't') !== undefined);
  return (
    runs.length > 0 && runs.every(run => monospaced.test(child(run, 'rPr', 'rFonts')?.attributes['w:ascii'] ?? ''))
  );
}

/** The level that a paragraph's own outline level, or the nearest of its styles, gives it. */
function headingLevel(chain: readonly Style[], own: string | undefined): number | undefined {
  if (own !== undefined && Number(own) < 9) return Number(own) + 1;
  for (const { name, outline } of chain) {
    const level = /^heading (\d)/i.exec(name)?.[1];
    if (level !== undefined) return Number(level);
    if (/^title$/i.test(name)) return 1;
    if (outline !== undefined && Number(outline) < 9) return Number(outline) + 1;
  }
  return undefined;
}
