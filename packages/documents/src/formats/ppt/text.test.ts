import { expect, test } from 'vitest';
import { readSlide } from './slide.ts';
import { NUMBER_FIELD, readTexts } from './text.ts';

function record(type: number, body: Buffer, version = 0): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt16LE(version);
  head.writeUInt16LE(type, 2);
  head.writeUInt32LE(body.length, 4);
  return Buffer.concat([head, body]);
}

function field(type: number, position: number): Buffer {
  const body = Buffer.alloc(4);
  body.writeUInt32LE(position);
  return record(type, body);
}

const NUMBER = 0x0fd8;
const TIME = 0x0ff7;
const text = (words: string, ...fields: Buffer[]) =>
  Buffer.concat([record(0x0f9f, Buffer.from([4, 0, 0, 0])), record(0x0fa8, Buffer.from(words, 'latin1')), ...fields]);

test('fields of a ppt text become the number of the slide, or nothing', () => {
  const bytes = text('Page * of 5*\r*\rSeen *', field(TIME, 13), field(NUMBER, 5), field(NUMBER, 900), field(TIME, 2));
  const lines = readTexts(bytes).flatMap(({ lines: own }) => own.map(line => line.text));
  expect(lines).toEqual([`Page ${NUMBER_FIELD} of 5*`, '', 'Seen *']);
});

test('a text box of a ppt slide shows the number of the slide', () => {
  const shape = record(0xf004, record(0xf00d, text('Page *', field(NUMBER, 5)), 0xf), 0xf);
  const slide = { type: 0x03ee, instance: 0, isContainer: true, body: record(0x040c, shape, 0xf) };
  const { elements } = readSlide({ record: slide, outline: [], notes: undefined, number: 7, edges: [] });
  expect(elements.map(({ content }) => content.text)).toEqual(['Page 7']);
});

test('a ppt text with very many fields is read in linear time', () => {
  const count = 100_000;
  const fields = Array.from({ length: count }, (_, index) => field(NUMBER, index));
  const began = performance.now();
  const [line] = readTexts(text('*'.repeat(count), ...fields)).flatMap(({ lines }) => lines);
  expect(line?.text).toHaveLength(count);
  expect(performance.now() - began).toBeLessThan(2000);
});
