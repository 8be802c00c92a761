import { formatNumber } from '@a2c-smcp/publish/content';

/** The numbering of a paragraph as Word 6 and WordPad write it, as in `{\*\pn\pnlvlbody\pndec\pnstart1{\pntxta .}}`. */
export interface OldNumbering {
  /** From 0. Paragraphs of a heading's level are counted through the whole document. */
  level: number;
  isHeading: boolean;
  isBullet: boolean;
  /** Counted, but shown without a number. */
  isContinued: boolean;
  /** A newer program also wrote a list of the document, which decides. */
  isReplaced: boolean;
  /** As in Word's `numFmt`; undefined for none. */
  format: string | undefined;
  start: number;
  before: { text: string };
  after: { text: string };
}

const formats = new Map([
  ['pndec', 'decimal'],
  ['pncard', 'decimal'],
  ['pnord', 'ordinal'],
  ['pnordt', 'ordinal'],
  ['pnucltr', 'upperLetter'],
  ['pnlcltr', 'lowerLetter'],
  ['pnucrm', 'upperRoman'],
  ['pnlcrm', 'lowerRoman'],
]);

const MAX_LEVEL = 8;
/** Characters before and after a number; all paragraphs up to the next `\\pard` repeat them. */
const MAX_AFFIX = 32;

export function noNumbering(): OldNumbering {
  return {
    level: 0,
    isHeading: false,
    isBullet: false,
    isContinued: false,
    isReplaced: false,
    format: undefined,
    start: 1,
    before: { text: '' },
    after: { text: '' },
  };
}

/** Takes a word inside of a definition. Returns whether it is one that defines. */
export function defineNumbering(numbering: OldNumbering, name: string, value: number | undefined): boolean {
  const format = formats.get(name);
  if (format !== undefined) numbering.format = format;
  else if (name === 'pnlvlblt') numbering.isBullet = true;
  else if (name === 'pnlvlcont') numbering.isContinued = true;
  else if (name === 'pnstart') numbering.start = Math.max(value ?? 1, 0);
  else if (name === 'ls') numbering.isReplaced = true;
  else if (name === 'pnlvl') {
    numbering.isHeading = true;
    numbering.level = Math.min(Math.max((value ?? 1) - 1, 0), MAX_LEVEL);
  } else return false;
  return true;
}

/** Counts the paragraphs of a document, each of which must be passed to `next` once and in order. */
export class OldCounter {
  /** The last number of each level, and the definition that it was counted by. */
  #counts: { number: number; definition: string }[] = [];

  /** The mark of a paragraph: the one that the file has for it, a counted one, `-` for a bullet, or nothing. */
  next(numbering: OldNumbering | undefined, written: string): string {
    if (numbering === undefined || numbering.isReplaced) {
      // A number behind a paragraph without one begins again.
      if (this.#counts.length > 0 && written === '') this.#counts = this.#counts.filter(isHeading);
      return written;
    }
    const { level, isBullet, isContinued, format } = numbering;
    if (isContinued) return written;
    if (isBullet || format === undefined) return written || '-';
    const [before, after] = [numbering.before, numbering.after].map(({ text }) => text.slice(0, MAX_AFFIX));
    const definition = JSON.stringify([numbering.isHeading, format, before, after, numbering.start]);
    const last = this.#counts[level];
    const number = last?.definition === definition ? last.number + 1 : numbering.start;
    this.#counts.length = Math.min(this.#counts.length, level);
    // Levels that were left out have been counted once.
    while (this.#counts.length < level) this.#counts.push({ number: 1, definition: '' });
    this.#counts.push({ number, definition });
    return written || `${before}${formatNumber(number, format)}${after}`.trim();
  }
}

function isHeading({ definition }: { definition: string }): boolean {
  return definition.startsWith('[true');
}
