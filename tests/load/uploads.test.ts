import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLogger } from '@a2c-smcp/core';
import { expect, test } from 'vitest';
import { Uploads } from '../../packages/computer/src/blobs/uploads.ts';

interface TestUploads extends AsyncDisposable {
  uploads: Uploads;
  folder: string;
}

function openUploads(): TestUploads {
  const folder = mkdtempSync(join(tmpdir(), 'a2c-uploads-'));
  const uploads = new Uploads({ folder }, silentLogger);
  const dispose = async () => {
    await uploads.close();
    rmSync(folder, { recursive: true });
  };
  return { uploads, folder, [Symbol.asyncDispose]: dispose };
}

const part = (size: number) => ({
  ...{ offset: 0, isLast: size === 1, base64: Buffer.from('x').toString('base64'), size },
  sha256: createHash('sha256').update('x').digest('hex'),
});

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
