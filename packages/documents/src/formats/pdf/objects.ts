/** A reference to an object by its number. */
export interface PdfReference {
  ref: number;
}

export type PdfDictionary = Map<string, PdfValue>;
/** A value of a PDF. A name keeps its slash, as in `/Page`; a text is skipped and becomes null. */
export type PdfValue = number | boolean | null | string | PdfReference | PdfValue[] | PdfDictionary;

const MAX_DEPTH = 50;
// A comment reaches to the end of its line; were it free to end earlier, a line of `%` could be read in 2ⁿ ways.
const token = /[\s\0]*(?:%[^\r\n]*(?![^\r\n])[\s\0]*)*(<<|>>|[[\]()<>]|\/[^\s\0()<>[\]{}/%]*|[^\s\0()<>[\]{}/%]+)/y;

/**
 * Reads values of a PDF from text in which each character is a byte. Throws where there is none. pdf.js gives no access to
 * the objects of a file, which `PageBudget` has to see before pdf.js reads a page.
 */
export class PdfParser {
  readonly #text: string;
  #at: number;

  constructor(text: string, at = 0) {
    this.#text = text;
    this.#at = at;
  }

  /** Where the next token begins. */
  get position(): number {
    return this.#at;
  }

  /** The next token, as in `<<`, `obj` or `12`. */
  next(): string {
    token.lastIndex = this.#at;
    const found = token.exec(this.#text)?.[1];
    if (found === undefined) throw new RangeError('The text ends inside of a value');
    this.#at = token.lastIndex;
    return found;
  }

  value(depth = 0): PdfValue {
    if (depth > MAX_DEPTH) throw new RangeError('Values are nested too deeply');
    const found = this.next();
    if (found === '<<') return this.#dictionary(depth + 1);
    if (found === '[') return this.#array(depth + 1);
    if (found === '(' || found === '<') return this.#skipText(found);
    if (found.startsWith('/')) return found.replace(/#([0-9a-f]{2})/gi, (_, code) => fromHex(code));
    if (found === 'true' || found === 'false') return found === 'true';
    if (found === 'null') return null;
    return this.#numberOrReference(found);
  }

  #dictionary(depth: number): PdfDictionary {
    const entries: PdfDictionary = new Map();
    for (let key = this.next(); key !== '>>'; key = this.next()) {
      if (!key.startsWith('/')) throw new RangeError(`'${key}' is no key`);
      entries.set(key.slice(1), this.value(depth));
    }
    return entries;
  }

  #array(depth: number): PdfValue[] {
    const values: PdfValue[] = [];
    for (;;) {
      const before = this.#at;
      if (this.next() === ']') return values;
      this.#at = before;
      values.push(this.value(depth));
    }
  }

  #numberOrReference(found: string): number | PdfReference {
    const number = Number(found);
    if (!Number.isFinite(number)) throw new RangeError(`'${found}' is no value`);
    const reference = /[\s\0]+\d+[\s\0]+R(?![^\s\0()<>[\]{}/%])/y;
    reference.lastIndex = this.#at;
    if (!Number.isInteger(number) || !reference.test(this.#text)) return number;
    this.#at = reference.lastIndex;
    return { ref: number };
  }

  /** Texts in round brackets nest, and a backslash escapes a bracket. */
  #skipText(bracket: '(' | '<'): null {
    const marks = bracket === '<' ? />/g : /\\[\s\S]|[()]/g;
    marks.lastIndex = this.#at;
    for (let depth = 1; depth > 0; ) {
      const mark = marks.exec(this.#text)?.[0];
      if (mark === undefined) throw new RangeError('The text ends inside of a string');
      if (mark === '(') depth += 1;
      if (mark === ')' || mark === '>') depth -= 1;
    }
    this.#at = marks.lastIndex;
    return null;
  }
}

function fromHex(code: string): string {
  return String.fromCharCode(Number.parseInt(code, 16));
}
