/** Characters after which a record without an end is cut, and a quote without an end is a character like others. */
const MAX_RECORD_CHARACTERS = 8 * 1024 * 1024;
/** The record goes on behind the text. */
const MORE = -1;

/** Splits a text into records. Quotes that are not well-formed are part of their field. */
export class RecordReader {
  readonly #delimiter: string;
  readonly #onRecord: (fields: string[]) => void;
  /** The first line end outside of quotes, as in all parsers: others are part of their field. */
  #lineEnd: string | undefined;
  /** The text of a record that goes on, and the length from which on it is read again. */
  #pending: string[] = [];
  #pendingLength = 0;
  #retryLength = 0;

  constructor(delimiter: string, onRecord: (fields: string[]) => void) {
    this.#delimiter = delimiter;
    this.#onRecord = onRecord;
  }

  /** Reads the records of the next part of a text. */
  add(part: string, isLast: boolean): void {
    this.#pending.push(part);
    this.#pendingLength += part.length;
    if (!isLast && this.#pendingLength < this.#retryLength) return;
    const text = this.#pending.join('');
    let at = 0;
    while (at < text.length) {
      const isWhole = isLast || text.length - at >= MAX_RECORD_CHARACTERS;
      const next = this.#readLine(text, at, isWhole);
      if (next === MORE) break;
      at = next;
    }
    this.#pending = [text.slice(at)];
    this.#pendingLength = text.length - at;
    // Reading a long record again with each part would take time by the square of its length.
    this.#retryLength = 2 * this.#pendingLength;
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
      let quoted: string | undefined;
      if (text[at] === '"') {
        const close = closingQuote(text, at + 1);
        if (close >= 0) {
          quoted = text.slice(at + 1, close).replaceAll('""', '"');
          at = close + 1;
        } else if (!isLast) return MORE;
      }
      if (lineEnd < at) lineEnd = this.#endOfLine(text, at);
      const length = text.slice(at, lineEnd).indexOf(this.#delimiter);
      const end = length < 0 ? lineEnd : at + length;
      fields.push(fieldOf(quoted, text.slice(at, end)));
      at = end;
      if (length >= 0) continue;
      if (isCut(text, at, isLast)) return MORE;
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

  #behindLine(text: string, end: number): number {
    if (end === text.length) return end;
    this.#lineEnd ??= text.startsWith('\r\n', end) ? '\r\n' : text.charAt(end);
    return end + this.#lineEnd.length;
  }
}

/** A field whose quotes something follows is shown as it is written; white space there means nothing. */
function fieldOf(quoted: string | undefined, rest: string): string {
  if (quoted === undefined) return rest;
  return rest === '' || rest.trim() === '' ? quoted : `"${quoted}"${rest}`;
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
