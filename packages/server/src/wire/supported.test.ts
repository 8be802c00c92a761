import { expect, test } from 'vitest';
import { canBoundPolling } from './engine-io.ts';
import { canRead } from './ws.ts';

test('the installed ws and Engine.IO have the private parts that are used of them', () => {
  expect({ canRead, canBoundPolling }).toEqual({ canRead: true, canBoundPolling: true });
});
