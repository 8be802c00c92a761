import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openUploads, part } from '../computer/open-uploads.ts';

test('10,000 files land, and the oldest makes room for another, however small they are', {
  timeout: 120_000,
}, async () => {
  await using test = openUploads();
  const { uploads, folder } = test;
  const { file: first } = await uploads.put({}, part(1));
  for (let count = 1; count < 10_000; count++) await uploads.put({}, part(1));
  expect(readdirSync(folder)).toHaveLength(10_000);
  const { file: last } = await uploads.put({}, part(1));
  await uploads.put({}, part(1));
  const folders = readdirSync(folder).map(name => join(folder, name));
  expect(folders.length).toBeLessThanOrEqual(10_001);
  expect(folders.filter(path => last?.path.startsWith(path))).toHaveLength(1);
  expect(folders.filter(path => first?.path.startsWith(path))).toEqual([]);
});
