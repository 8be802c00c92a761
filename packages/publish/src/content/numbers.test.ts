import { expect, test } from 'vitest';
import { countedMarks, formatNumber } from './numbers.ts';

test.each([
  ['decimal', [1, 12], ['1', '12']],
  ['lowerRoman', [4, 9, 14, 1990], ['iv', 'ix', 'xiv', 'mcmxc']],
  ['upperLetter', [1, 26, 27, 53], ['A', 'Z', 'AA', 'AAA']],
  ['ordinal', [1, 2, 3, 11, 22], ['1st', '2nd', '3rd', '11th', '22nd']],
  [
    'chineseCounting',
    [3, 10, 15, 20, 101, 110, 215],
    ['三', '十', '十五', '二十', '一百零一', '一百一十', '二百一十五'],
  ],
  ['decimalEnclosedCircle', [1, 20], ['①', '⑳']],
  ['unheardOf', [7], ['7']],
])('numbers in the format %s are written as Word writes them', (format, values, expected) => {
  expect(values.map(value => formatNumber(value, format))).toEqual(expected);
});

test('a list counts on each level, and again below each item', () => {
  expect(countedMarks([0, 1, 1, 0, 1])).toEqual(['1.', '1.', '2.', '2.', '1.']);
  expect(countedMarks([0, 0], 5)).toEqual(['5.', '6.']);
});
