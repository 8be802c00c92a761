import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createTextCodec } from './stdio.ts';

const json = JSON.stringify({ text: 'Grüße 中文 🎉' });

test.each(['utf-8', 'utf-16le', 'gbk', 'shift_jis', 'latin1', 'big5'])('%s carries any text both ways', encoding => {
  const codec = createTextCodec(encoding, 'strict');
  const decoded = codec.decode(codec.encode(json));
  expect(JSON.parse(decoded)).toEqual(JSON.parse(json));
});

test('characters that arrive in pieces are put together', () => {
  const { encode, decode } = createTextCodec('utf-8', 'strict');
  const bytes = encode(json);
  expect([...bytes].map(byte => decode(Buffer.of(byte))).join('')).toBe(json);
});

test('a text is decoded alike wherever it is cut, with a byte order mark or without', () => {
  const texts = fc.array(fc.oneof(fc.string(), fc.string({ unit: 'binary' })), { minLength: 1 });
  fc.assert(
    fc.property(texts, fc.boolean(), fc.integer({ min: 1, max: 9 }), (pieces, marked, size) => {
      const bytes = Buffer.from(`${marked ? '\ufeff' : ''}${pieces.join('')}`);
      const { decode } = createTextCodec('utf-8', 'strict');
      const read = Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) =>
        decode(bytes.subarray(n * size, (n + 1) * size)),
      );
      expect(read.join('')).toBe(new TextDecoder().decode(bytes));
    }),
  );
});

describe('bytes that are no text', () => {
  const bytes = Buffer.from([0x61, 0xff, 0x62]);

  test('invalid bytes are an error when strict', () => {
    expect(() => createTextCodec('utf-8', 'strict').decode(bytes)).toThrow(TypeError);
  });

  test('invalid bytes are dropped or replaced on request', () => {
    expect(createTextCodec('utf-8', 'ignore').decode(bytes)).toBe('ab');
    expect(createTextCodec('utf-8', 'replace').decode(bytes)).toBe('a\uFFFDb');
  });
});

test('an unknown encoding is refused', () => {
  expect(() => createTextCodec('klingon', 'strict')).toThrow(RangeError);
});
