const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const QUOTE = 0x22;
const COMMA = 0x2c;
const OPENING_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSING_BRACKET = 0x5d;
const OPENING_BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;

/** Counts what JSON holds as its characters, or bytes of UTF-8, come, at much less than the cost of parsing it. */
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

  take(code: number): void {
    if (this.#isString) this.#takeInString(code);
    else if (code === QUOTE) this.#isString = true;
    else if (code === COMMA) {
      this.values += 1;
      if (this.#depth === 1) this.#separators += 1;
    } else if (code === OPENING_BRACKET || code === OPENING_BRACE) {
      if (this.values === 0) this.#isArray = code === OPENING_BRACKET;
      this.values += 1;
      this.#depth += 1;
    } else if (code === CLOSING_BRACKET || code === CLOSING_BRACE) this.#depth -= 1;
  }

  #takeInString(code: number): void {
    // A line ends every string: JSON escapes the line breaks in one, and a stream's other fields hold any quotes.
    const isLineEnd = code === LINE_FEED || code === CARRIAGE_RETURN;
    if (isLineEnd || (code === QUOTE && !this.#isEscaped)) this.#isString = false;
    this.#isEscaped = code === BACKSLASH && !this.#isEscaped;
  }
}
