import { expect, test } from 'vitest';
import { canBoundPolling } from './engine-io.ts';
import { canShareReads } from './frames.ts';
import { canRead } from './ws.ts';

test('the installed ws, Engine.IO and Node have the private parts that are used of them', () => {
  expect({ canRead, canBoundPolling, canShareReads }).toEqual({
    canRead: true,
    canBoundPolling: true,
    canShareReads: true,
  });
});
