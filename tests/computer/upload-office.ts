import { createHash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { UploadOptions } from '@a2c-smcp/computer';
import { type BlobOffice, openBlobOffice } from './blob-office.ts';
import { temporaryFolder } from './temporary.ts';

export interface UploadOffice extends BlobOffice {
  folder: string;
  /** The names of the files below the folder, and how many folders are in it. */
  files(): string[];
  folders(): number;
}

/** A Computer that takes uploads. */
export async function openUploadOffice(options: Partial<UploadOptions> = {}): Promise<UploadOffice> {
  const folder = join(temporaryFolder(), 'uploads');
  const office = await openBlobOffice({}, { computer: { uploads: { folder, ...options } } });
  const entries = () => (existsSync(folder) ? readdirSync(folder) : []);
  return {
    ...office,
    folder,
    files: () => entries().flatMap(name => readdirSync(join(folder, name))),
    folders: () => entries().length,
    [Symbol.asyncDispose]: () => office[Symbol.asyncDispose](),
  };
}

export function sumOf(data: Buffer): string {
  return createHash('sha256').update(data).digest('hex');
}
