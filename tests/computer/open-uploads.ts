import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLogger } from '@a2c-smcp/core';
import { Uploads } from '../../packages/computer/src/blobs/uploads.ts';

interface TestUploads extends AsyncDisposable {
  uploads: Uploads;
  folder: string;
}

/** The uploads of a Computer in a folder of their own. */
export function openUploads(options: { maxConcurrent?: number } = {}): TestUploads {
  const folder = mkdtempSync(join(tmpdir(), 'a2c-uploads-'));
  const uploads = new Uploads({ folder, ...options }, silentLogger);
  const dispose = async () => {
    await uploads.close();
    rmSync(folder, { recursive: true });
  };
  return { uploads, folder, [Symbol.asyncDispose]: dispose };
}

/** The first part of a file of `size` bytes, which are `x`. */
export const part = (size: number) => ({
  ...{ offset: 0, isLast: size === 1, base64: Buffer.from('x').toString('base64'), size },
  sha256: createHash('sha256').update('x').digest('hex'),
});
