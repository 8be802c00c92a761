import { expect, test } from 'vitest';
import { hasTooManyValues, LongMessage, MAX_MESSAGE_LENGTH } from './message-bounds.ts';

const MIB = 1024 * 1024;

test('long messages share a pool, and give back what they took', () => {
  const [one, other] = [new LongMessage(), new LongMessage()];
  expect(one.reach(MAX_MESSAGE_LENGTH + 200 * MIB)).toBe(true);
  expect(other.reach(MAX_MESSAGE_LENGTH + 56 * MIB)).toBe(true);
  expect(other.reach(MAX_MESSAGE_LENGTH + 56 * MIB + 1)).toBe(false);
  expect(one.reach(MAX_MESSAGE_LENGTH + 200 * MIB + 1)).toBe(false);
  one.release();
  one.release();
  expect(other.reach(MAX_MESSAGE_LENGTH + 256 * MIB)).toBe(true);
  expect(one.reach(MAX_MESSAGE_LENGTH + 1)).toBe(false);
  other.release();
  expect(one.reach(MAX_MESSAGE_LENGTH + 256 * MIB + 1)).toBe(false);
});

test('the values of a long message are counted across the pieces it is measured in', () => {
  expect(hasTooManyValues(`["${'x,'.repeat(3_000_000)}"]`)).toBe(false);
  expect(hasTooManyValues(`[${'1,'.repeat(1_000_001)}1]`)).toBe(true);
});
