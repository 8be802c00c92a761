/** How much of a text a reader gave back, each from 0 to 1. */
export interface Score {
  /** The share of the words of the truth that are in the text, with repeats. */
  recall: number;
  /** The share of the words of the text that are in the truth. */
  precision: number;
  /** The share of neighbouring words of the truth that are neighbours in the text. */
  order: number;
  /** The share of the rows of tables whose cells stand in one line; undefined without tables. */
  rows: number | undefined;
}

export function score(text: string, truth: { text: string; rows: readonly string[][] }): Score {
  const given = wordsOf(text);
  const expected = wordsOf(truth.text);
  const common = overlap(given, expected);
  const lines = new Set(text.split('\n').map(line => wordsOf(line).join(' ')));
  const whole = truth.rows.filter(row => lines.has(wordsOf(row.join(' ')).join(' ')));
  return {
    recall: common / expected.length,
    precision: given.length === 0 ? 0 : common / given.length,
    order: overlap(pairs(given), pairs(expected)) / Math.max(expected.length - 1, 1),
    rows: truth.rows.length === 0 ? undefined : whole.length / truth.rows.length,
  };
}

/** Letters and digits in lower case. Each Chinese, Japanese or Korean character is a word. */
function wordsOf(text: string): string[] {
  const ideograms = String.raw`\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}`;
  const word = new RegExp(String.raw`${ideograms}|(?:(?!${ideograms})[\p{L}\p{N}])+`, 'gu');
  return text.normalize('NFKC').toLowerCase().match(word) ?? [];
}

function pairs(words: readonly string[]): string[] {
  return words.slice(1).map((word, index) => `${words[index]} ${word}`);
}

/** How many of `a` are in `b`, each as often as it is there. */
function overlap(a: readonly string[], b: readonly string[]): number {
  const left = new Map<string, number>();
  for (const word of b) left.set(word, (left.get(word) ?? 0) + 1);
  let common = 0;
  for (const word of a) {
    const count = left.get(word) ?? 0;
    if (count === 0) continue;
    left.set(word, count - 1);
    common += 1;
  }
  return common;
}
