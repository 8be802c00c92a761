import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkJson } from './channel.ts';

/** The result that the reader of the other end will give. */
function parses(text: string): boolean {
  try {
    return JSON.parse(text) !== undefined;
  } catch {
    return false;
  }
}

function passes(message: Buffer, start: number): boolean {
  try {
    checkJson(message, start);
    return true;
  } catch {
    return false;
  }
}

const oddCharacters = fc.constantFrom(
  'é',
  '世',
  '\u00a0',
  '\u2028',
  '\ufeff',
  '\u0085',
  '\ud83d\ude00',
  '\n',
  '\u0000',
  '\u001f',
  ' ',
  '"',
  '\\',
);

const longStrings = fc
  .tuple(fc.constantFrom('x', 'é世', 'a\nb', '\ud83d\ude00 '), fc.integer({ min: 10_000, max: 20_000 }))
  .map(([unit, length]) => unit.repeat(length));

test('a message nested too deeply is refused, also beside long strings', () => {
  const nested = (levels: number) => Buffer.from(`${'['.repeat(levels)}"${'x'.repeat(20_000)}"${']'.repeat(levels)}`);
  expect(passes(nested(512), 0)).toBe(true);
  expect(() => checkJson(nested(513), 0)).toThrow('nested deeper than 512 levels');
});

test('bytes are JSON just when their text is', () => {
  const values = fc.oneof(fc.jsonValue(), fc.array(fc.oneof(longStrings, fc.jsonValue()), { maxLength: 3 }));
  const arrays = fc.array(values, { maxLength: 4 }).map(value => JSON.stringify(value));
  const damaged = fc.tuple(arrays, oddCharacters, fc.nat()).map(([json, odd, place]) => {
    const at = place % (json.length + 1);
    return json.slice(0, at) + odd + json.slice(at);
  });
  fc.assert(
    fc.property(fc.oneof(arrays, damaged), text => {
      // Lone surrogates, which have no UTF-8, are replaced here, and do not arrive elsewhere.
      const bytes = Buffer.from(text);
      expect(passes(Buffer.concat([Buffer.from('43/smcp,1'), bytes]), 9)).toBe(parses(String(bytes)));
    }),
    { numRuns: 500 },
  );
});
