const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const QUOTE = 0x22;
const COMMA = 0x2c;
const OPENING_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSING_BRACKET = 0x5d;
const OPENING_BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;

/** Counts what JSON in UTF-8 holds as its bytes come, at less than the cost of parsing it. */
export class JsonMeter {
  /** Values so far, within a factor of two: commas and opening brackets outside of strings. */
  values = 0;
  /** Commas between the entries of an outermost array. */
  #separators = 0;
  #depth = 0;
  #isArray = false;
  #isString = false;
  #isEscaped = false;

  /** Entries of the outermost array, if it is one. */
  get entries(): number {
    return this.#isArray ? this.#separators + 1 : 0;
  }

  take(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; at++) {
      if (this.#isString) at = this.#passString(bytes, at);
      else this.#takeOutside(bytes[at] as number);
    }
  }

  #takeOutside(byte: number): void {
    if (byte === QUOTE) this.#isString = true;
    else if (byte === COMMA) {
      this.values += 1;
      if (this.#depth === 1) this.#separators += 1;
    } else if (byte === OPENING_BRACKET || byte === OPENING_BRACE) {
      if (this.values === 0) this.#isArray = byte === OPENING_BRACKET;
      this.values += 1;
      this.#depth += 1;
    } else if (byte === CLOSING_BRACKET || byte === CLOSING_BRACE) this.#depth -= 1;
  }

  /** Returns where the string ends, or the bytes do. Most of what is long is text, so that this loop is a tight one. */
  #passString(bytes: Uint8Array, from: number): number {
    let isEscaped = this.#isEscaped;
    let at = from;
    for (; at < bytes.length; at++) {
      const byte = bytes[at];
      // A line ends every string: JSON escapes the line breaks in one, and a stream's other fields hold any quotes.
      if (byte === LINE_FEED || byte === CARRIAGE_RETURN || (byte === QUOTE && !isEscaped)) {
        this.#isString = false;
        isEscaped = false;
        break;
      }
      isEscaped = byte === BACKSLASH && !isEscaped;
    }
    this.#isEscaped = isEscaped;
    return at;
  }
}
