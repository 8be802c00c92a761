import iconv from 'iconv-lite';
import { expect, test } from 'vitest';
import { Fib } from './fib.ts';
import { DocText } from './text.ts';

const WORD_95 = 0xa5dc;
const WORD_95_JAPANESE = 0xa697;

interface OldFile {
  text: string;
  encoding: string;
  language: number;
  signature?: number;
}

/** The text of a file of Word 6 or 95 without a table of pieces. */
function textIn({ text, encoding, language, signature = WORD_95 }: OldFile): string {
  const bytes = iconv.encode(text, encoding);
  const head = Buffer.alloc(0x170);
  head.writeUInt16LE(signature, 0);
  head.writeUInt16LE(language, 6);
  head.writeUInt32LE(head.length, 0x18);
  head.writeUInt32LE(bytes.length, 0x34);
  const main = Buffer.concat([head, bytes]);
  return new DocText(new Fib({ stream: name => (name === 'WordDocument' ? main : undefined) })).text.trimEnd();
}

const word = 'some text in a certain encoding\rand letters beyond ASCII: öäüÖÄÜ';

test.each([
  ['German', 0x407, word],
  ['German', 0x407, 'öäüÖÄÜ'],
  ['Swiss French', 0x100c, 'öäüÖÄÜ'],
  ['British', 0x809, word],
])('a short text in a file of Word 95 in %s (%i) is Western: %j', (_, language, text) => {
  expect(textIn({ text, encoding: 'windows-1252', language })).toBe(text);
});

const russian = 'Привет, мир! Это письмо о кофе и о чае.';
const chinese = '我们的会议在星期一上午，请大家都来参加这个会。';
const korean = '이 문서는 회의에 대한 것입니다. 모두 참석해 주시기 바랍니다.';

test.each([
  ['windows-1251', 0x409, 'Привет'],
  ['windows-1251', 0x419, 'Привет'],
  ['windows-1251', 0x407, russian],
  ['windows-1251', 0x409, `A letter in English, and then in another language, which is Russian: ${russian}`],
  ['gb18030', 0x409, chinese],
  ['gb18030', 0x804, '我们的会'],
  ['cp949', 0x409, korean],
])('the encoding %s of a file of Word 95 in language %i is guessed: %j', (encoding, language, text) => {
  expect(textIn({ text, encoding, language })).toBe(text);
});

test('the Far Eastern Word 95 says English, and its encoding is guessed from a few letters', () => {
  const text = 'A title in English, and a word: これはテ';
  const file = { text, encoding: 'shift_jis', language: 0x409, signature: WORD_95_JAPANESE };
  expect(textIn(file)).toBe(text);
});
