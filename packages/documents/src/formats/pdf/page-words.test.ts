import { expect, test } from 'vitest';
import { worked } from '../../../../../tests/worked.ts';
import { countWords } from './page-words.ts';

const limits = { words: 1000, saves: 10 };
const noPaths = { hasPaths: false, hasPictures: false };

test.each([
  ['', { words: 0, drawn: new Map(), ...noPaths }],
  ['q 1 0 0 1 5 5 cm /Fm0 Do Q', { words: 5, drawn: new Map([['Fm0', 1]]), ...noPaths }],
  ['/A Do\n/A\0Do /B Dox', { words: 6, drawn: new Map([['A', 2]]), ...noPaths }],
  ['/A (Do) Do', { words: 3, drawn: new Map(), ...noPaths }],
  ['0 0 m 9 0 l S', { words: 3, drawn: new Map(), hasPaths: true, hasPictures: false }],
  ['0 0 9 9 re[]0 d', { words: 2, drawn: new Map(), hasPaths: true, hasPictures: false }],
  ['BI /W 1 ID \xff EI', { words: 4, drawn: new Map(), hasPaths: false, hasPictures: true }],
  ["(it's) ' T* BT", { words: 4, drawn: new Map(), ...noPaths }],
])('words of %j are counted, and what they draw is found', (text, expected) => {
  expect(countWords(text, limits)).toEqual(expected);
});

test('a stream with too many words or saved states is refused, also in texts and pictures', () => {
  expect(countWords('n '.repeat(1000), limits)).toMatchObject({ words: 1000 });
  expect(countWords('n '.repeat(1001), limits)).toBeUndefined();
  expect(countWords(`BI ID ${'n '.repeat(1001)}`, limits)).toBeUndefined();
  expect(countWords('q Q '.repeat(400), limits)).toMatchObject({ words: 800 });
  expect(countWords('q '.repeat(11), limits)).toBeUndefined();
});

test('counting takes time by the length of the stream', () => {
  const started = worked();
  for (const text of [' '.repeat(4e6), `/${'A'.repeat(4e6)} Do`, `${' '.repeat(4e6)}Do`, 'Do '.repeat(1e6)]) {
    countWords(text, { words: 4e6, saves: 10 });
  }
  expect(worked() - started).toBeLessThan(5000);
});
