import { expect, test } from 'vitest';
import { parseEnvFile } from './env-file.ts';

test('variables of an envFile may be exported, quoted, empty, and hold any character after the first =', () => {
  const text = [
    '\uFEFF# a comment',
    'PLAIN=value',
    '  export EXPORTED = spaced  ',
    'QUOTED="a b # c"',
    "SINGLE='it=${input:x}'",
    'HALF="open',
    'EMPTY=',
    '',
    'URL=https://h/?a=b',
    'LAST=1\r\nLAST=2',
    '__proto__=own',
  ].join('\n');
  expect(Object.entries(parseEnvFile(text))).toEqual([
    ['PLAIN', 'value'],
    ['EXPORTED', 'spaced'],
    ['QUOTED', 'a b # c'],
    ['SINGLE', 'it=${input:x}'],
    ['HALF', '"open'],
    ['EMPTY', ''],
    ['URL', 'https://h/?a=b'],
    ['LAST', '2'],
    ['__proto__', 'own'],
  ]);
});

test.each(['A=1\nsecret words', 'A=1\n=value', 'A=1\nB=\0'])(
  'the error about the envFile %j names the line only',
  text => {
    expect(() => parseEnvFile(text)).toThrow(/^line 2 is not NAME=value$/);
  },
);
