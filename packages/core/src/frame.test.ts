import { expect, test } from 'vitest';
import { readHead, writeHead } from './frame.ts';

test.each([
  ['2/smcp,["a"]', { type: 'event', id: undefined, start: 7 }],
  ['2/smcp,0["a"]', { type: 'event', id: 0, start: 8 }],
  ['3/smcp,17[]', { type: 'answer', id: 17, start: 9 }],
  ['2/smcp,999999999999999[', { type: 'event', id: 999_999_999_999_999, start: 22 }],
])('the head of %s is read', (packet, head) => {
  expect(readHead(packet)).toEqual(head);
  expect(readHead(Buffer.from(packet))).toEqual(head);
  expect(readHead(`4${packet}`, 1)).toEqual({ ...head, start: head.start + 1 });
});

test.each([
  '0/smcp,',
  '1/smcp,',
  '2/smcp,1',
  '2["a"]',
  '2/other,["a"]',
  '4/smcp,{}',
  '51-/smcp,["a"]',
  '2/smcp,-1[',
  '',
])('the packet %j has no head with arguments', packet => {
  expect(readHead(packet)).toBeUndefined();
});

test('a head that was written is read back', () => {
  for (const type of ['event', 'answer'] as const) {
    for (const id of [undefined, 0, 2 ** 31]) {
      const head = writeHead(type, id);
      expect(readHead(`${head}[]`)).toEqual({ type, id, start: head.length });
    }
  }
});
