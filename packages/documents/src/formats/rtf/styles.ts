import type { ParagraphState, Sink } from './group.ts';

interface Style {
  name: string;
  base: number | undefined;
  outline: number | undefined;
}

/** Levels from 0 on that are headings; the next is running text. */
const HEADING_LEVELS = 9;
const MAX_CHAIN = 20;

/** The styles of a document, and which of them are headings. */
export class Styles {
  /** Takes the name of a style; groups with this sink are styles. */
  readonly sink: Sink = { text: '' };
  /** The style that the current one is based on. */
  base: number | undefined;
  readonly #styles = new Map<number, Style>();

  /** Ends the group of a style. */
  define({ style = 0, outline }: ParagraphState): void {
    this.#styles.set(style, { name: this.sink.text.replace(/;.*$/s, '').trim(), base: this.base, outline });
    this.sink.text = '';
    this.base = undefined;
  }

  /** The level of a heading, from 1; undefined for running text. */
  levelOf({ style, outline }: ParagraphState): number | undefined {
    if (outline !== undefined) return outline < HEADING_LEVELS ? outline + 1 : undefined;
    let found = this.#styles.get(style ?? 0);
    for (let depth = 0; found !== undefined && depth < MAX_CHAIN; depth += 1) {
      if (found.outline !== undefined) return found.outline < HEADING_LEVELS ? found.outline + 1 : undefined;
      const level = /^heading (\d)/i.exec(found.name)?.[1];
      if (level !== undefined) return Number(level);
      if (/^title$/i.test(found.name)) return 1;
      found = found.base === undefined ? undefined : this.#styles.get(found.base);
    }
    return undefined;
  }
}
