import { expect, test } from 'vitest';
import { canBoundPolling } from './engine-io.ts';
import { canBatch } from './ws.ts';

test('the installed ws and Engine.IO have the private parts that are used of them', () => {
  expect({ canBatch, canBoundPolling }).toEqual({ canBatch: true, canBoundPolling: true });
});
