import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLogger } from '@a2c-smcp/core';
import { expect, test } from 'vitest';
import { Uploads } from './uploads.ts';

interface TestUploads extends AsyncDisposable {
  uploads: Uploads;
  folder: string;
}

function openUploads(options: { maxConcurrent?: number } = {}): TestUploads {
  const folder = mkdtempSync(join(tmpdir(), 'a2c-uploads-'));
  const uploads = new Uploads({ folder, ...options }, silentLogger);
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
