/** Letters with a space, or two between words, after each. */
const spread = /^\S(?: {1,2}\S)+$/u;
/** A shorter row of letters is closed up beside a longer one only. */
const MIN_LETTERS = 4;
const MIN_CAPITALS = 6;

/** Joins words whose letters a program set apart, as in `M e t r o p o l i s`. */
export function closeUp<T extends { text: string; y: number }>(pieces: readonly T[]): readonly T[] {
  const isSpread = pieces.map(({ text }) => isSpreadWord(text));
  if (!isSpread.includes(true)) return pieces;
  const words = pieces.map((_, index) => index).filter(index => pieces[index]?.text.trim() !== '');
  const beside = new Set(
    words.flatMap((at, index) => {
      const neighbours = isSpread[at] ? [words[index - 1] ?? at, words[index + 1] ?? at] : [];
      return neighbours.filter(other => pieces[other]?.y === pieces[at]?.y);
    }),
  );
  return pieces.map((piece, index) =>
    isSpread[index] || (beside.has(index) && spread.test(piece.text)) ? { ...piece, text: joined(piece.text) } : piece,
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

/** A capital behind a small letter begins a word, where the space between words has the size of those between letters. */
function joined(text: string): string {
  const words = text.split(/ {2,}/).map(word => word.replaceAll(' ', ''));
  return words.join(' ').replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ');
}
