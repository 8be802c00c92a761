/** Letters with a space, or two between words, after each. */
const spread = /^\S(?: {1,2}\S)+$/u;
/** A shorter row of letters is closed up beside a longer one only. */
const MIN_LETTERS = 4;
const MIN_CAPITALS = 6;
/** The gap between letters, in their size, from which each stands alone; other readers of PDFs draw the line there, too. */
const MAX_GAP = 0.38;

interface SpreadPiece {
  text: string;
  y: number;
  width: number;
  size: number;
}

/** Joins words whose letters a program set apart, as in `M e t r o p o l i s`. */
export function closeUp<T extends SpreadPiece>(pieces: readonly T[]): readonly T[] {
  const isSpread = pieces.map(piece => isSpreadWord(piece.text) && gapOf(piece) < MAX_GAP);
  if (!isSpread.includes(true)) return pieces;
  const words = pieces.map((_, index) => index).filter(index => pieces[index]?.text.trim() !== '');
  const beside = new Set(
    words.flatMap((at, index) => {
      const neighbours = isSpread[at] ? [words[index - 1] ?? at, words[index + 1] ?? at] : [];
      return neighbours.filter(other => pieces[other]?.y === pieces[at]?.y);
    }),
  );
  return pieces.map((piece, index) =>
    isSpread[index] || (beside.has(index) && spread.test(piece.text) && gapOf(piece) < MAX_GAP)
      ? { ...piece, text: joined(piece.text) }
      : piece,
  );
}

/** True if letters are a word: lower-case, or capitals that are not in alphabetical order, as names of columns are. */
function isSpreadWord(text: string): boolean {
  if (!spread.test(text)) return false;
  const letters = [...text.replaceAll(' ', '')];
  if (letters.length < MIN_LETTERS || !letters.every(letter => /[\p{L}\p{P}]/u.test(letter))) return false;
  if (letters.filter(letter => /\p{Ll}/u.test(letter)).length > letters.length / 2) return true;
  return letters.length >= MIN_CAPITALS && letters.toSorted().join('') !== letters.join('');
}

/** The mean gap between letters, in their size, by the widths that letters usually have. */
function gapOf({ text, width, size }: SpreadPiece): number {
  const letters = [...text.replaceAll(' ', '')];
  const ink = letters.reduce((sum, letter) => sum + usualWidth(letter), 0);
  const doubled = text.match(/ {2}/g)?.length ?? 0;
  return (width / size - ink) / Math.max(letters.length - 1 + doubled, 1);
}

function usualWidth(letter: string): number {
  if (/[fijlrtI\p{P}]/u.test(letter)) return 0.27;
  if (/[mwMW]/u.test(letter)) return 0.82;
  return /\p{Lu}/u.test(letter) ? 0.68 : 0.53;
}

/** A capital behind a small letter begins a word, where the space between words has the size of those between letters. */
function joined(text: string): string {
  const words = text.split(/ {2,}/).map(word => word.replaceAll(' ', ''));
  return words.join(' ').replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ');
}
