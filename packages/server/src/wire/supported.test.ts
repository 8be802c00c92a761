import { expect, test } from 'vitest';
import { canBoundPolling } from './engine-io.ts';
import { canBatch, canRead } from './ws.ts';

test('the installed ws and Engine.IO have the private parts that are used of them', () => {
  expect({ canBatch, canRead, canBoundPolling }).toEqual({ canBatch: true, canRead: true, canBoundPolling: true });
});
