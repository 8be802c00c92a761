import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { worked } from '../../../../../tests/worked.ts';
import { RecordReader } from './record-reader.ts';

/** The records of a text in parts; undefined if the reader stops. */
function recordsOf(parts: readonly string[]): string[][] | undefined {
  const records: string[][] = [];
  const reader = new RecordReader(',', fields => records.push(fields));
  const isRead = [...parts, ''].every((part, index) => reader.add(part, index === parts.length));
  return isRead ? records : undefined;
}

test.each([
  ['plain fields', 'a,b\n1,,2\n'],
  ['quoted fields', '"a","b,c"\n"d""e",""\n""\n'],
  ['line ends in quotes before the first outside', '"a\nb",c\r\n"d\r\ne",f\ng\r\nh'],
  ['line ends of the Macintosh', 'a,"b"\rc\n,d\r'],
  ['quotes inside a field', '5" disk, "x"\na"b,c\n'],
  ['empty lines', '\n\na\n\n\nb'],
  ['a line that ends with a separator', 'a,"b",\n,\n'],
  ['a text without a line end', '"a",b'],
])('%s are records as a parser reads them, however the text is cut', (_, text) => {
  const expected = parse(text, { relax_column_count: true, relax_quotes: true, skip_empty_lines: true });
  for (let length = 1; length <= text.length; length += 1) {
    const parts = Array.from({ length: Math.ceil(text.length / length) }, (_, at) =>
      text.slice(at * length, (at + 1) * length),
    );
    expect(recordsOf(parts), String(length)).toEqual(expected);
  }
});

test.each([
  ['text behind a quoted field', 'a,b\n"c"d,e\n', '"c"d,e\n'],
  ['a quote without an end', 'a,b\n"c,d\n', '"c,d\n'],
  ['another line end behind a quoted field', 'a\n"b"\r\n', '"b"\r\n'],
])('records are left to a parser from %s on', (_, text, left) => {
  const reader = new RecordReader(',', () => {});
  expect(reader.add(text, false) && reader.add('', true)).toBe(false);
  expect(reader.pending).toBe(left);
});

test.each([
  ['fields beside quoted ones', '"a",b,'.repeat(150_000)],
  ['pairs of quotes', `"${'""'.repeat(500_000)}`],
  ['quoted fields without separators', '"a"\n'.repeat(250_000)],
])('a megabyte of %s is read in a moment', (_, text) => {
  const started = worked();
  recordsOf([text]);
  expect(worked() - started).toBeLessThan(2000);
});
