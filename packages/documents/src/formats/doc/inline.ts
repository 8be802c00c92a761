import { type Fib, Place } from './fib.ts';
import { Runs } from './runs.ts';
import { numberOf, sprms } from './sprms.ts';
import type { DocText } from './text.ts';

const FIELD = '\u0013';
const FIELD_SHOWN = '\u0014';
const FIELD_END = '\u0015';
/** Fields inside of each other. */
const MAX_FIELDS = 100;

interface Field {
  instruction: string;
  isShown: boolean;
  /** Where its shown words begin in the paragraph; -1 if they began in an earlier one. */
  from: number;
}

/** Characters that are shown differently; other control characters are not shown. */
const shown: Record<string, string> = {
  '\t': '\t',
  '\u000b': '\n',
  '\u000e': '\n',
  '\u001e': '\u2011',
  '\r': '\n',
  '\u0007': '\t',
};

/** The words of a Word file as they are shown: without hidden and deleted ones, with fields as their results. */
export class Inline {
  readonly #text: DocText;
  readonly #characters: Runs;
  readonly #fields: Field[] = [];
  /** Marks of notes by the places of their references. */
  readonly #marks: ReadonlyMap<number, string>;

  constructor(fib: Fib, text: DocText, marks: ReadonlyMap<number, string>) {
    this.#text = text;
    this.#marks = marks;
    this.#characters = new Runs(fib.main, fib.at(Place.characters), { isParagraphs: false });
  }

  /** The words between two positions. Fields may go on into the next paragraph. */
  read(from: number, to: number): string {
    for (const field of this.#fields) field.from = -1;
    let words = '';
    for (let at = from; at < to; ) {
      const { at: place, width } = this.#text.placeOf(at);
      const { end, changes } = this.#characters.find(place);
      const length = Math.max(Math.ceil(Math.min((end - place) / width, to - at)), 1);
      if (isShown(changes)) {
        for (let index = at; index < at + length; index += 1) words = this.#take(words, index);
      }
      at += length;
    }
    return words;
  }

  #take(words: string, index: number): string {
    const char = this.#text.text[index] ?? '';
    const field = this.#fields.at(-1);
    const mark = this.#marks.get(index) ?? '';
    if (char === FIELD) {
      if (this.#fields.length < MAX_FIELDS) this.#fields.push({ instruction: '', isShown: false, from: words.length });
    } else if (char === FIELD_SHOWN && field !== undefined) field.isShown = true;
    else if (char === FIELD_END) {
      this.#fields.pop();
      return field === undefined ? words : linked(words, field);
    } else if (this.#fields.some(({ isShown: isResult }) => !isResult)) {
      if (field !== undefined) field.instruction += char;
    } else return words + (shown[char] ?? (char < ' ' ? '' : char)) + mark;
    return words + mark;
  }
}

/** Words with a link written `[words](address)`. */
function linked(words: string, { instruction, from }: Field): string {
  const url = /^\s*HYPERLINK\s+"?([^"\s]+)"?/i.exec(instruction)?.[1];
  const text = words.slice(from).trim();
  if (from < 0 || url === undefined || url.startsWith('\\') || text === '' || text === url) return words;
  return `${words.slice(0, from)}[${text}](${url})`;
}

function isShown(changes: Buffer): boolean {
  for (const change of sprms(changes)) {
    const isDeletedOrHidden = change.code === 0x0800 || change.code === 0x083c;
    if (isDeletedOrHidden && numberOf(change) === 1) return false;
  }
  return true;
}
