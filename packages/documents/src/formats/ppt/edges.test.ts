import { expect, test } from 'vitest';
import { commonEdges, edgeTexts, firstNumber } from './edges.ts';

function record(type: number, instance: number, body: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt16LE(instance << 4);
  head.writeUInt16LE(type, 2);
  head.writeUInt32LE(body.length, 4);
  return Buffer.concat([head, body]);
}

const words = (instance: number, text: string) => record(0x0fba, instance, Buffer.from(text, 'utf16le'));

function headersFooters(instance: number, shown: number): Buffer {
  const atom = record(0x0fda, 0, Buffer.from([0, 0, shown, 0]));
  return record(0x0fd9, instance, Buffer.concat([atom, words(0, '17 May'), words(2, 'In confidence')]));
}

test('date, footer and number of ppt slides are those that the presentation shows', () => {
  const document = Buffer.concat([headersFooters(4, 0), headersFooters(3, 0x2c)]);
  expect(edgeTexts(commonEdges(document), 7)).toEqual(['17 May', 'In confidence', '7']);
  expect(edgeTexts(commonEdges(headersFooters(3, 0x20)), 7)).toEqual(['In confidence']);
  expect(edgeTexts(commonEdges(headersFooters(3, 0x03)), 7)).toEqual([]);
});

test('headers and footers of a damaged ppt are left out', () => {
  expect(edgeTexts(undefined, 1)).toEqual([]);
  expect(edgeTexts(commonEdges(record(0x0fd9, 3, record(0x0fda, 0, Buffer.alloc(1)))), 1)).toEqual([]);
});

test('a ppt may choose the number of its first slide', () => {
  const atom = Buffer.alloc(40);
  atom.writeUInt16LE(12, 32);
  expect(firstNumber(record(0x03e9, 0, atom))).toBe(12);
  expect(firstNumber(Buffer.alloc(0))).toBe(1);
});
