/** A reference to an object by its number. */
export interface PdfReference {
  ref: number;
}

/** A text in the file, decoded. */
export interface PdfText {
  text: string;
}

export type PdfDictionary = Map<string, PdfValue>;
/** A value of a PDF. A name keeps its slash, as in `/Page`. */
export type PdfValue = number | boolean | null | string | PdfText | PdfReference | PdfValue[] | PdfDictionary;

const MAX_DEPTH = 50;
// A comment reaches to the end of its line; were it free to end earlier, a line of `%` could be read in 2ⁿ ways.
const token = /[\s\0]*(?:%[^\r\n]*(?![^\r\n])[\s\0]*)*(<<|>>|[[\]()<>]|\/[^\s\0()<>[\]{}/%]*|[^\s\0()<>[\]{}/%]+)/y;

/** Reads values of a PDF from text in which each character is a byte. Throws where there is none. */
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
    if (found === '(') return { text: decodeText(this.#string()) };
    if (found === '<') return { text: decodeText(this.#hexadecimal()) };
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

  #string(): string {
    let text = '';
    for (let depth = 1; ; this.#at += 1) {
      const character = this.#text[this.#at];
      if (character === undefined) throw new RangeError('The text ends inside of a string');
      if (character === '\\') {
        text += this.#escape();
        continue;
      }
      if (character === '(') depth += 1;
      if (character === ')') depth -= 1;
      if (depth === 0) break;
      text += character;
    }
    this.#at += 1;
    return text;
  }

  /** Leaves the position at the last character of the escape. */
  #escape(): string {
    const octal = /[0-7]{1,3}/y;
    octal.lastIndex = this.#at + 1;
    const code = octal.exec(this.#text)?.[0];
    if (code !== undefined) {
      this.#at += code.length;
      return String.fromCharCode(Number.parseInt(code, 8) & 0xff);
    }
    this.#at += 1;
    const character = this.#text[this.#at] ?? '';
    if (character === '\r' && this.#text[this.#at + 1] === '\n') this.#at += 1;
    if (character === '\r' || character === '\n') return '';
    return { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' }[character] ?? character;
  }

  #hexadecimal(): string {
    const end = this.#text.indexOf('>', this.#at);
    if (end < 0) throw new RangeError('The text ends inside of a string');
    const digits = this.#text.slice(this.#at, end).replace(/[^0-9a-f]/gi, '');
    this.#at = end + 1;
    return digits.replace(/..?/g, pair => fromHex(pair.padEnd(2, '0')));
  }
}

function fromHex(code: string): string {
  return String.fromCharCode(Number.parseInt(code, 16));
}

/** The characters of the bytes from 0x80 to 0xa0 in the encoding that PDF has of its own. */
const upper = '•†‡…—–ƒ⁄‹›−‰„“”‘’‚™ﬁﬂŁŒŠŸŽıłœšž\u009f€';

function decodeText(bytes: string): string {
  const buffer = Buffer.from(bytes, 'latin1');
  if (bytes.startsWith('\xfe\xff')) return new TextDecoder('utf-16be').decode(buffer);
  if (bytes.startsWith('\xff\xfe')) return new TextDecoder('utf-16le').decode(buffer);
  if (bytes.startsWith('\xef\xbb\xbf')) return new TextDecoder().decode(buffer);
  return bytes.replace(/[\x80-\xa0]/g, character => upper[character.charCodeAt(0) - 0x80] ?? character);
}
