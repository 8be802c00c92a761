/** Characters without the end of a record from which on the reader stops. */
const MAX_PENDING_CHARACTERS = 1024 * 1024;
/** The record goes on behind the text. */
const MORE = -1;
/** The quotes of the record are not well-formed. */
const STOP = -2;

/**
 * Splits a text into records. It stops at a record in which something follows the closing quote of a field, and at a very
 * long one; the text from there on is left to a parser that looks at each byte, which takes several times as long.
 */
export class RecordReader {
  readonly #delimiter: string;
  readonly #onRecord: (fields: string[]) => void;
  #lineEnd: string | undefined;
  #pending = '';

  constructor(delimiter: string, onRecord: (fields: string[]) => void) {
    this.#delimiter = delimiter;
    this.#onRecord = onRecord;
  }

  /** The first line end outside of quotes, as in all parsers: others are part of their field. */
  get lineEnd(): string | undefined {
    return this.#lineEnd;
  }

  /** The text that was added and not read. */
  get pending(): string {
    return this.#pending;
  }

  /** Reads the records of the next part of a text. Returns false if it has stopped. */
  add(part: string, isLast: boolean): boolean {
    const text = this.#pending + part;
    let at = 0;
    while (at < text.length) {
      const next = this.#readLine(text, at, isLast);
      if (next < 0) {
        this.#pending = text.slice(at);
        return next === MORE && !isLast && this.#pending.length < MAX_PENDING_CHARACTERS;
      }
      at = next;
    }
    this.#pending = '';
    return true;
  }

  /** Returns where the next record begins. */
  #readLine(text: string, at: number, isLast: boolean): number {
    const end = this.#endOfLine(text, at);
    const line = text.slice(at, end);
    if (line.includes('"')) return this.#readQuoted(text, at, isLast);
    if (isCut(text, end, isLast)) return MORE;
    // An empty line is no record.
    if (line !== '') this.#onRecord(line.split(this.#delimiter));
    return this.#behindLine(text, end);
  }

  #readQuoted(text: string, start: number, isLast: boolean): number {
    const fields: string[] = [];
    let lineEnd = -1;
    for (let at = start; ; at += this.#delimiter.length) {
      if (text[at] === '"') {
        const end = closingQuote(text, at + 1);
        if (end < 0) return MORE;
        fields.push(text.slice(at + 1, end).replaceAll('""', '"'));
        at = end + 1;
      } else {
        if (lineEnd < at) lineEnd = this.#endOfLine(text, at);
        const length = text.slice(at, lineEnd).indexOf(this.#delimiter);
        const end = length < 0 ? lineEnd : at + length;
        fields.push(text.slice(at, end));
        at = end;
      }
      if (text.startsWith(this.#delimiter, at)) continue;
      if (isCut(text, at, isLast)) return MORE;
      if (!this.#isLineEnd(text, at)) return STOP;
      this.#onRecord(fields);
      return this.#behindLine(text, at);
    }
  }

  #endOfLine(text: string, at: number): number {
    if (this.#lineEnd === undefined) {
      const length = text.slice(at).search(/[\r\n]/);
      return length < 0 ? text.length : at + length;
    }
    const end = text.indexOf(this.#lineEnd, at);
    return end < 0 ? text.length : end;
  }

  #isLineEnd(text: string, at: number): boolean {
    if (at === text.length) return true;
    return this.#lineEnd === undefined ? /[\r\n]/.test(text.charAt(at)) : text.startsWith(this.#lineEnd, at);
  }

  #behindLine(text: string, end: number): number {
    if (end === text.length) return end;
    this.#lineEnd ??= text.startsWith('\r\n', end) ? '\r\n' : text.charAt(end);
    return end + this.#lineEnd.length;
  }
}

/** True if the rest of a line end, or the second of two quotes, may be in the next part of the text. */
function isCut(text: string, at: number, isLast: boolean): boolean {
  return !isLast && at + 2 > text.length;
}

/** The quote that ends a field; two in a row stand for one inside it. */
function closingQuote(text: string, from: number): number {
  let at = text.indexOf('"', from);
  while (at >= 0 && text[at + 1] === '"') at = text.indexOf('"', at + 2);
  return at;
}
