import { expect, test } from 'vitest';
import { BufferReader } from './package.ts';

const bytes = Buffer.from('0123456789'.repeat(20_000));

/** The bytes that are read before `read` returns. */
function readNow(position: number, length: number): string {
  const buffer = Buffer.alloc(length);
  let read = 0;
  new BufferReader(bytes).read(buffer, 0, length, position, (_, bytesRead) => {
    read = bytesRead;
  });
  return buffer.subarray(0, read).toString();
}

test('bytes of an archive in memory are read at once', () => {
  expect(readNow(3, 4)).toBe('3456');
});

test('reading beyond the end of an archive in memory gives the bytes up to it', () => {
  expect(readNow(bytes.length - 2, 4)).toBe('89');
  expect(readNow(bytes.length + 1, 4)).toBe('');
});

test('a range of an archive in memory is streamed in pieces', async () => {
  const pieces: Buffer[] = await new BufferReader(bytes)._readStreamForRange(5, 150_000).toArray();
  expect(pieces.map(({ length }) => length)).toEqual([65_536, 65_536, 18_923]);
  expect(Buffer.concat(pieces).equals(bytes.subarray(5, 150_000))).toBe(true);
});
