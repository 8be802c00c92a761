import { expect, test } from 'vitest';
import { png, pngChunk } from '../../../../../tests/documents/image-files.ts';
import { withoutLongNotes } from './png.ts';

test('a PNG loses its long notes and nothing else', () => {
  const colours = pngChunk('gAMA', Buffer.from([0, 0, 0xb1, 0x8f]));
  const long = pngChunk('prVt', Buffer.alloc(100_000));
  expect(withoutLongNotes(png(4, 4, [long, colours, long]))).toEqual(png(4, 4, [colours]));
  const pixels = pngChunk('IDAT', Buffer.alloc(100_000));
  expect(withoutLongNotes(png(4, 4, [pixels]))).toEqual(png(4, 4, [pixels]));
});

test.each([
  ['empty', Buffer.alloc(0)],
  ['a photo', Buffer.from([0xff, 0xd8, 0xff, 0xe0, ...Buffer.alloc(100)])],
  ['the signature alone', png(4, 4).subarray(0, 8)],
  ['cut off in its pixels', png(4, 4).subarray(0, 50)],
])('a file stays as it is: %s', (_, bytes) => {
  expect(withoutLongNotes(bytes)).toEqual(bytes);
});

test('a chunk that claims to be longer than the file ends it', () => {
  const claimed = Buffer.concat([Buffer.from([0xff, 0xff, 0xff, 0xff]), Buffer.from('prVt'), Buffer.alloc(8)]);
  expect(withoutLongNotes(Buffer.concat([png(4, 4).subarray(0, 33), claimed]))).toEqual(png(4, 4).subarray(0, 33));
});
