import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fitsMessage, messageSize, tooLarge } from './bounds.ts';

describe('the size of a message', () => {
  test('counts bytes, not characters', () => {
    expect(messageSize('é') - messageSize('e')).toBe(1);
    expect(messageSize('\u0000') - messageSize('')).toBe(6);
  });

  test('of anything fits exactly when its bytes do', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.integer({ min: -20, max: 20 }), (payload, distance) => {
        const limit = messageSize(payload) + distance;
        expect(fitsMessage(payload, limit)).toBe(distance >= 0);
      }),
    );
  });

  test('of a large text of plain letters is not overestimated', () => {
    expect(fitsMessage({ text: 'x'.repeat(900_000) }, 1_000_000)).toBe(true);
    expect(fitsMessage({ text: 'x'.repeat(1_000_000) }, 1_000_000)).toBe(false);
  });

  test('is told with the limit when it does not fit', () => {
    const payload = 'x'.repeat(50);
    expect(tooLarge('client:tool_call', payload, 100)).toMatchObject({
      code: 413,
      details: { size: messageSize(payload), limit: 100 },
    });
  });
});
