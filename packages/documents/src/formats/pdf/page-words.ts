const SLASH = 47;

const WHITE = 1;
const DELIMITER = 2;
const LETTER = 3;
/** The kind of each byte; 0 for digits and others that are part of a word. */
const kinds = new Uint8Array(256);
for (const byte of [0, 9, 10, 11, 12, 13, 32]) kinds[byte] = WHITE;
for (const character of '()<>[]{}/%') kinds[character.charCodeAt(0)] = DELIMITER;
for (const character of '"\'*') kinds[character.charCodeAt(0)] = LETTER;
for (let byte = 65; byte <= 90; byte += 1) {
  kinds[byte] = LETTER;
  kinds[byte + 32] = LETTER;
}

/** Words of a content stream that look like operators. */
export interface PageWords {
  words: number;
  /** How often each form or picture is drawn, by name. */
  drawn: Map<string, number>;
  /** True if there may be lines or rectangles. */
  hasPaths: boolean;
  /** True if there may be inline pictures. */
  hasPictures: boolean;
}

/**
 * Counts everything in a content stream that looks like an operator, also in texts and pictures: a count that skips those
 * could be deceived about where they end. Returns undefined if there are more words, or more states saved at the same time,
 * than allowed. Each character of `text` is a byte.
 */
export function countWords(text: string, limits: { words: number; saves: number }): PageWords | undefined {
  const found: PageWords = { words: 0, drawn: new Map(), hasPaths: false, hasPictures: false };
  let saves = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (kinds[text.charCodeAt(at)] !== LETTER) continue;
    const start = at;
    while (kinds[text.charCodeAt(at + 1)] === LETTER) at += 1;
    found.words += 1;
    if (found.words > limits.words) return undefined;
    const length = at + 1 - start;
    if (length > 2) continue;
    const word = text.slice(start, at + 1);
    if (word === 'q') saves += 1;
    else if (word === 'Q') saves -= 1;
    else if (word === 'l' || word === 're') found.hasPaths ||= isAlone(text, start, at);
    else if (word === 'BI') found.hasPictures ||= isAlone(text, start, at);
    else if (word === 'Do' && isBorder(text, at + 1)) addName(found.drawn, nameBefore(text, start));
    if (saves > limits.saves) return undefined;
  }
  return found;
}

function isAlone(text: string, first: number, last: number): boolean {
  return isBorder(text, first - 1) && isBorder(text, last + 1);
}

function addName(drawn: Map<string, number>, name: string | undefined): void {
  if (name !== undefined) drawn.set(name, (drawn.get(name) ?? 0) + 1);
}

/** The name that stands before a word with nothing but white space between. */
function nameBefore(text: string, word: number): string | undefined {
  let end = word;
  while (isWhite(text, end - 1)) end -= 1;
  let start = end;
  while (start > 0 && !isBorder(text, start - 1)) start -= 1;
  const isName = end < word && start < end && text.charCodeAt(start - 1) === SLASH;
  return isName ? text.slice(start, end) : undefined;
}

function isWhite(text: string, at: number): boolean {
  return kinds[text.charCodeAt(at)] === WHITE;
}

/** True for white space, delimiters and the ends of the text. */
function isBorder(text: string, at: number): boolean {
  const kind = kinds[text.charCodeAt(at)];
  return kind === WHITE || kind === DELIMITER || at < 0 || at >= text.length;
}
