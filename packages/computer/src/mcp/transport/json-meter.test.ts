import { expect, test } from 'vitest';
import { worked } from '../../../../../tests/worked.ts';
import { JsonMeter } from './json-meter.ts';

test.each([
  ['[]', 1, 1],
  ['[1,{"a":[2,3]},"x,y"]', 6, 3],
  ['{"a":1,"b":[1,2]}', 4, 0],
  ['["\\"[,","\\\\",",",{}]', 5, 4],
  ['data: "x\\\n["a"]', 1, 1],
  ['data: "x\r["a"]', 1, 1],
])('%j counts %i values and %i entries, however it is divided', (json, values, entries) => {
  const bytes = Buffer.from(json);
  for (let size = 1; size <= bytes.length; size++) {
    const meter = new JsonMeter();
    for (let at = 0; at < bytes.length; at += size) meter.take(bytes.subarray(at, at + size));
    expect([meter.values, meter.entries]).toEqual([values, entries]);
  }
});

test('strings that a line ends are counted in linear time', () => {
  const meter = new JsonMeter();
  const start = worked();
  meter.take(Buffer.from('"\n\\'.repeat(500_000)));
  expect(worked() - start).toBeLessThan(3000);
});
