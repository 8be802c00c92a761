import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { worked } from '../../../../../tests/worked.ts';
import { RecordReader } from './record-reader.ts';

function recordsOf(parts: readonly string[]): string[][] {
  const records: string[][] = [];
  const reader = new RecordReader(',', fields => records.push(fields));
  for (const part of parts) reader.add(part, false);
  reader.add('', true);
  return records;
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
  ['fields with text behind their quotes', '"x"y,a\n"c""d"e "f",\n"g,\nh"i\nj\n'],
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
  ['white space behind quotes means nothing', '"a" ,b\n"c"\r\n', [['a', 'b'], ['c']]],
  ['a quote without an end is part of its field', 'a,b\n"c,d\ne""\n', [['a', 'b'], ['"c', 'd'], ['e""']]],
])('%s', (_, text, records) => {
  expect(recordsOf([text])).toEqual(records);
  expect(recordsOf([...text])).toEqual(records);
});

test('a line of 40 million characters is read as several records', () => {
  const records = recordsOf(Array.from({ length: 40 }, () => `${'a'.repeat(999_999)},`));
  expect(records.length).toBeGreaterThan(1);
  expect(records.flat().join('').length).toBe(40 * 999_999);
});

test.each([
  ['fields beside quoted ones', '"a",b,'.repeat(150_000)],
  ['pairs of quotes', `"${'""'.repeat(500_000)}`],
  ['quoted fields without separators', '"a"\n'.repeat(250_000)],
  ['records of several lengths with text behind quotes', '"x"y,\na,b\nc,d\n'.repeat(70_000)],
  ['quotes that have no end', `${'"",'.repeat(170_000)}"${'""a,'.repeat(120_000)}`],
])('a megabyte of %s is read in a moment', (_, text) => {
  const started = worked();
  recordsOf([text]);
  recordsOf(
    Array.from({ length: 100 }, (_, at) => text.slice((at * text.length) / 100, ((at + 1) * text.length) / 100)),
  );
  expect(worked() - started).toBeLessThan(2000);
});
