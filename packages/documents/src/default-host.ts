import { createHash } from 'node:crypto';
import { basename, resolve } from 'node:path';

/** Identifies a choice of folders on this machine, at each start alike. */
export function digestOf(folders: readonly string[]): string {
  const paths = folders.map(folder => resolve(folder)).join('\n');
  return createHash('sha256').update(paths).digest('hex').slice(0, 16);
}

/**
 * A host like `local.reports.1f0c9a27`: the name of the first folder as far as a host may have it, and the beginning of
 * the digest, so that two documents servers with different folders never share it.
 */
export function defaultHost(folders: readonly string[]): string {
  const name = basename(resolve(folders[0] ?? ''))
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '');
  return ['local', name, digestOf(folders).slice(0, 8)].filter(label => label !== '').join('.');
}
