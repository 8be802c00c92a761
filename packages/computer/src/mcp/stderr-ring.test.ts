import { expect, test } from 'vitest';
import { StderrRing } from './stderr-ring.ts';

test('keeps the last 200 lines, each at most 8 KiB, whatever the pieces', () => {
  const heard: string[] = [];
  const ring = new StderrRing(line => heard.push(line));
  ring.write('fir');
  ring.write('st\r\nsecond\nthi');
  expect(ring.last()).toEqual(['first', 'second']);
  ring.end();
  expect(ring.last(1)).toEqual(['thi']);
  for (let line = 0; line < 1000; line++) ring.write(`${line}\n`);
  ring.write('x'.repeat(1_000_000));
  ring.write('\n');
  expect(ring.last()).toHaveLength(200);
  expect(ring.last(1)[0]).toHaveLength(8192);
  expect(heard).toHaveLength(1004);
});
