import { expect, test } from 'vitest';
import { decodeBase64 } from './base64.ts';

const VALID = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

test('decodeBase64 takes base64 and nothing else', () => {
  const characters = ['A', 'b', '9', '+', '/', '=', '-', '_', ' ', '\n', '*', 'é', '报'];
  let taken = 0;
  // All texts of four characters, alone and after four others.
  for (let number = 0; number < characters.length ** 4; number++) {
    const digits = [1, 2, 3, 4].map(place => Math.floor(number / characters.length ** (place - 1)) % characters.length);
    const text = digits.map(digit => characters[digit]).join('');
    for (const whole of [text, `QUJD${text}`, `${text}QUJD`]) {
      let bytes: Buffer | undefined;
      try {
        bytes = decodeBase64(whole);
      } catch {}
      if ((bytes !== undefined) !== VALID.test(whole)) throw new Error(`wrong about ${JSON.stringify(whole)}`);
      if (bytes) taken += 1;
    }
  }
  expect(taken).toBeGreaterThan(1000);
  expect(decodeBase64('')).toHaveLength(0);
  for (const short of ['A', 'AA', 'AAA', 'AAAAA']) expect(() => decodeBase64(short)).toThrow('no base64');
});
