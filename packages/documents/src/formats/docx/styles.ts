import type { Package } from '../ooxml/package.ts';
import { child, children, readOptionalXml, val, type XmlNode } from '../ooxml/xml.ts';

/** The role of a paragraph by its style. */
export type ParagraphKind =
  | { kind: 'heading'; level: number }
  | { kind: 'item'; ordered: boolean; level: number }
  | { kind: 'contents'; level: number }
  | { kind: 'code' }
  | { kind: 'text' };

interface Style {
  name: string;
  basedOn: string | undefined;
  outline: string | undefined;
  numbering: XmlNode | undefined;
}

const monospaced = /courier|consolas|monaco|menlo|mono\b/i;

/** The styles and the numbering of a document. */
export class Styles {
  readonly #styles: ReadonlyMap<string, Style>;
  readonly #numbering: ReadonlyMap<string, ReadonlyMap<string, string>>;

  private constructor(styles: ReadonlyMap<string, Style>, numbering: ReadonlyMap<string, ReadonlyMap<string, string>>) {
    this.#styles = styles;
    this.#numbering = numbering;
  }

  static async read(zip: Package, stylesPart: string | undefined, numberingPart: string | undefined): Promise<Styles> {
    const styles = children(await readOptionalXml(zip, stylesPart), 'style').map((node): [string, Style] => {
      const properties = child(node, 'pPr');
      const style = {
        name: val(child(node, 'name')) ?? '',
        basedOn: val(child(node, 'basedOn')),
        outline: val(child(properties, 'outlineLvl')),
        numbering: child(properties, 'numPr'),
      };
      return [node.attributes['w:styleId'] ?? '', style];
    });
    return new Styles(new Map(styles), readNumbering(await readOptionalXml(zip, numberingPart)));
  }

  kindOf(paragraph: XmlNode): ParagraphKind {
    const properties = child(paragraph, 'pPr');
    const chain = this.#chain(val(child(properties, 'pStyle')));
    const level = headingLevel(chain, val(child(properties, 'outlineLvl')));
    if (level !== undefined) return { kind: 'heading', level };
    const contents = /^(?:toc|contents) (\d)/i.exec(chain[0]?.name ?? '')?.[1];
    if (contents !== undefined) return { kind: 'contents', level: Number(contents) - 1 };
    const item = this.#itemOf(child(properties, 'numPr') ?? chain.find(style => style.numbering)?.numbering);
    if (item !== undefined) return item;
    const isCode = chain.some(({ name }) => /\bcode\b|source|preformatted|verbatim/i.test(name));
    return isCode || isMonospaced(paragraph) ? { kind: 'code' } : { kind: 'text' };
  }

  #itemOf(numbering: XmlNode | undefined): ParagraphKind | undefined {
    const list = val(child(numbering, 'numId'));
    if (list === undefined || list === '0') return undefined;
    const level = val(child(numbering, 'ilvl')) ?? '0';
    const format = this.#numbering.get(list)?.get(level);
    if (format === 'none') return undefined;
    return { kind: 'item', ordered: format !== undefined && format !== 'bullet', level: Number(level) };
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

function isMonospaced(paragraph: XmlNode): boolean {
  const runs = children(paragraph, 'r').filter(run => child(run, 't') !== undefined);
  return (
    runs.length > 0 && runs.every(run => monospaced.test(child(run, 'rPr', 'rFonts')?.attributes['w:ascii'] ?? ''))
  );
}

/** The number format of each level, by the id that paragraphs use. */
function readNumbering(root: XmlNode | undefined): Map<string, Map<string, string>> {
  const kinds = new Map(
    children(root, 'abstractNum').map(node => [
      node.attributes['w:abstractNumId'],
      new Map(
        children(node, 'lvl').map(level => [level.attributes['w:ilvl'] ?? '0', val(child(level, 'numFmt')) ?? '']),
      ),
    ]),
  );
  return new Map(
    children(root, 'num').map(node => [
      node.attributes['w:numId'] ?? '',
      kinds.get(val(child(node, 'abstractNumId'))) ?? new Map<string, string>(),
    ]),
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
