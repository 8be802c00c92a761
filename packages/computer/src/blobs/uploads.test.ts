import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openUploads, part } from '../../../../tests/computer/open-uploads.ts';

test('an upload whose owner leaves while its first part is written takes no place', async () => {
  await using test = openUploads({ maxConcurrent: 1 });
  const { uploads, folder } = test;
  const owner = {};
  const begun = uploads.put(owner, part(2));
  uploads.release(owner);
  await begun;
  expect(readdirSync(folder)).toEqual([]);
  // It may return.
  await uploads.put(owner, part(2));
  expect(readdirSync(folder)).toHaveLength(1);
});
