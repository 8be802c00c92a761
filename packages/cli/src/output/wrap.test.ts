import { describe, expect, test } from 'vitest';
import { listing, wrap, wrapShort } from './wrap.ts';

describe('wrapping', () => {
  test.each([
    ['one two three', 7, ['one two', 'three']],
    ['a\n\nb', 10, ['a', '', 'b']],
    ['unbreakable', 4, ['unbreakable']],
    ['  - item of a list', 10, ['  - item', '  of a', '  list']],
    ['日本 日本 日本', 9, ['日本 日本', '日本']],
  ])('wrap breaks %j at %i columns into %j', (text, width, lines) => {
    expect(wrap(text, width)).toEqual(lines);
  });

  test('wrapShort ends after a whole word, with an ellipsis', () => {
    expect(wrapShort('one two three four five', 9, 2)).toEqual(['one two', 'three …']);
    expect(wrapShort('one two', 9, 2)).toEqual(['one two']);
    expect(wrapShort('x'.repeat(50), 9, 1)).toEqual(['x'.repeat(50)]);
  });
});

describe('a listing', () => {
  const rows = [
    ['    --key KEY', 'An API key that is sent to the Server'],
    ['-h, --help', 'Show this'],
  ] as const;

  test('a listing has wrapped texts beside the names', () => {
    expect(listing(rows, 48)).toEqual([
      '    --key KEY  An API key that is sent to the',
      '               Server',
      '-h, --help     Show this',
    ]);
  });

  test('a listing has the texts under the names where there is little room', () => {
    expect(listing(rows, 36)).toEqual([
      '--key KEY',
      '    An API key that is sent to the',
      '    Server',
      '-h, --help',
      '    Show this',
    ]);
  });
});
