/** Operands before an operator that are kept; no operator for paths has more. */
const MAX_OPERANDS = 6;

const WHITE = 1;
const DELIMITER = 2;
/** The kind of each byte; 0 for one that is part of a word. */
const kinds = new Uint8Array(256);
for (const byte of [0, 9, 10, 12, 13, 32]) kinds[byte] = WHITE;
for (const character of '()<>[]{}/%') kinds[character.charCodeAt(0)] = DELIMITER;

/** Called with an operator, the last numbers before it, and the last name before it without its slash. */
export type OperatorVisitor = (operator: string, numbers: readonly number[], name: string) => void;

/**
 * Reads the operators of a page, from text in which each character is a byte. Operands of text operators and the data of
 * inline pictures are skipped. Takes time by the length of the text, whatever it is.
 */
export function readOperators(text: string, visit: OperatorVisitor): void {
  let at = 0;
  let name = '';
  let isText = false;
  const numbers: number[] = [];
  while (at < text.length) {
    const byte = text.charCodeAt(at);
    const kind = kinds[byte];
    if (kind === WHITE) at += 1;
    else if (kind === DELIMITER) {
      const end = endOfDelimited(text, at);
      if (text[at] === '/') name = text.slice(at + 1, end);
      at = end;
    } else {
      const start = at;
      while (at < text.length && kinds[text.charCodeAt(at)] === 0) at += 1;
      if (isDigit(byte)) {
        if (isText) continue;
        if (numbers.length === MAX_OPERANDS) numbers.shift();
        numbers.push(Number.parseFloat(text.slice(start, at)));
        continue;
      }
      const operator = text.slice(start, at);
      if (operator === 'BT' || operator === 'ET') isText = operator === 'BT';
      else visit(operator, numbers, name);
      if (operator === 'ID') at = endOfPicture(text, at);
      numbers.length = 0;
      name = '';
    }
  }
}

/** Digits, signs and the point begin numbers. */
function isDigit(byte: number): boolean {
  return (byte >= 48 && byte <= 57) || byte === 43 || byte === 45 || byte === 46;
}

/** The end of a comment, a name or a string, or of the bracket itself. */
function endOfDelimited(text: string, at: number): number {
  const character = text[at];
  if (character === '(') return endOfString(text, at);
  if (character === '<' && text[at + 1] !== '<') return after(text, '>', at);
  if (character !== '/' && character !== '%') return at + 1;
  let end = at + 1;
  if (character === '/') while (end < text.length && kinds[text.charCodeAt(end)] === 0) end += 1;
  else while (end < text.length && text[end] !== '\n' && text[end] !== '\r') end += 1;
  return end;
}

function after(text: string, mark: string, from: number): number {
  const found = text.indexOf(mark, from);
  return found < 0 ? text.length : found + mark.length;
}

/** Brackets in a string nest, and a backslash escapes one. */
function endOfString(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    const character = text[at];
    if (character === '\\') at += 1;
    else if (character === '(') depth += 1;
    else if (character === ')') {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return text.length;
}

/** The end of the data of an inline picture, before its `EI`. */
function endOfPicture(text: string, from: number): number {
  for (let at = text.indexOf('EI', from); at >= 0; at = text.indexOf('EI', at + 1)) {
    const isWord = kinds[text.charCodeAt(at - 1)] === WHITE && (at + 2 >= text.length || isWhite(text, at + 2));
    if (isWord) return at;
  }
  return text.length;
}

function isWhite(text: string, at: number): boolean {
  return kinds[text.charCodeAt(at)] === WHITE;
}
