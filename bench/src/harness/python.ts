import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** The release that everything official is measured with. */
export const RELEASE = '0.1.2';

/** A Python that has the official package: one that `npm run interop` installed, or the one in the path. */
export function findPython(): string | undefined {
  const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'a2c-smcp-interop');
  const environments = existsSync(cache)
    ? readdirSync(cache).filter(name => name.startsWith(`python-${RELEASE}-`))
    : [];
  const candidates = [...environments.map(name => join(cache, name, 'bin', 'python')), 'python3'];
  return candidates.find(hasPackage);
}

function hasPackage(python: string): boolean {
  const script = `from importlib.metadata import version; assert version("a2c-smcp") == "${RELEASE}"; import uvicorn`;
  return spawnSync(python, ['-c', script]).status === 0;
}
