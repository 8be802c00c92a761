import { homedir } from 'node:os';
import { basename, isAbsolute, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ConfigError } from '@a2c-smcp/protocol';
import type { Root } from '@modelcontextprotocol/client';

/** The folders that `roots/list` returns. */
export function readRoots(paths: readonly string[]): Root[] {
  return paths.map((path, index) => {
    const whole = /^~(?:[/\\]|$)/.test(path) ? join(homedir(), path.slice(1)) : path;
    if (!isAbsolute(whole)) {
      throw new ConfigError(`roots[${index}]`, `'${path}' is no absolute path: begin it with '/' or '~/'`);
    }
    return { uri: pathToFileURL(whole).href, name: basename(whole) || whole };
  });
}
