import { elementsOf } from './elements-of.ts';

/** What outlines need to know of a style. */
interface Style {
  name: string;
  basedOn: string | undefined;
  outline: string | undefined;
  isNumbered: boolean;
}

/** What a paragraph is: a heading, running text, or something like an item of a list or a line of code. */
export type ParagraphKind = { kind: 'heading'; level: number } | { kind: 'text' | 'other'; level?: undefined };

const notProse = /^(?:toc|contents) \d|\bcode\b|source/i;

/** The styles of a document as far as an outline needs them, found by looking for tags. */
export class ParagraphStyles {
  readonly #styles: ReadonlyMap<string, Style>;
  readonly #kinds = new Map<string, ParagraphKind>();

  /** @param xml the part with the styles, empty if there is none */
  constructor(xml: string) {
    const styles = new Map<string, Style>();
    for (const style of elementsOf(xml, 'style')) {
      const value = (name: string) => new RegExp(`<(?:\\w+:)?${name}\\s[^<>]*?val="([^"]*)"`).exec(style)?.[1];
      const id = /^<[^<>]*?styleId="([^"]*)"/.exec(style)?.[1] ?? '';
      styles.set(id, {
        name: value('name') ?? '',
        basedOn: value('basedOn'),
        outline: value('outlineLvl'),
        isNumbered: /<(?:\w+:)?numPr[\s>]/.test(style),
      });
    }
    this.#styles = styles;
  }

  /** What a paragraph is by its style and its own outline level, which goes first. */
  kindOf(id = '', own?: string): ParagraphKind {
    if (own !== undefined) return this.#decide(id, own);
    const known = this.#kinds.get(id) ?? this.#decide(id);
    this.#kinds.set(id, known);
    return known;
  }

  #decide(id: string, own?: string): ParagraphKind {
    const chain = this.#chain(id);
    const level = headingLevel(chain, own);
    if (level !== undefined) return { kind: 'heading', level };
    const isOther = chain.some(({ isNumbered, name }) => isNumbered || notProse.test(name));
    return { kind: isOther ? 'other' : 'text' };
  }

  /** A style and those it is based on, nearest first. */
  #chain(id: string): Style[] {
    const chain: Style[] = [];
    for (let next: string | undefined = id; chain.length < 20; ) {
      const style: Style | undefined = this.#styles.get(next ?? '');
      if (style === undefined) break;
      chain.push(style);
      next = style.basedOn;
    }
    return chain;
  }
}

/** The level that a paragraph's own outline level, or the nearest of its styles, gives it. */
export function headingLevel(
  chain: readonly { name: string; outline: string | undefined }[],
  own: string | undefined,
): number | undefined {
  if (own !== undefined && Number(own) < 9) return Number(own) + 1;
  for (const { name, outline } of chain) {
    const level = /^heading (\d)/i.exec(name)?.[1];
    if (level !== undefined) return Number(level);
    if (/^title$/i.test(name)) return 1;
    if (outline !== undefined && Number(outline) < 9) return Number(outline) + 1;
  }
  return undefined;
}
