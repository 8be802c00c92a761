import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isQuick } from './quick.ts';

const crate = fileURLToPath(new URL('../../rust', import.meta.url));

/** The release of the official crate that `rust/Cargo.toml` names. */
export const RUST_RELEASE = '0.4.1';

/**
 * The Server of the official crate, built once for each state of its sources and kept in the cache folder of the
 * user, or why there is none.
 */
export function rustServer(): { command: string } | { missing: string } {
  const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'a2c-smcp-bench');
  const hash = createHash('sha256');
  for (const file of ['Cargo.lock', 'Cargo.toml', 'src/main.rs']) hash.update(readFileSync(join(crate, file)));
  const command = join(cache, `rust-${RUST_RELEASE}-${hash.digest('hex').slice(0, 12)}`);
  if (existsSync(command)) return { command };
  if (isQuick && process.env.A2C_RUST_BUILDS !== '1')
    return { missing: 'a quick run builds nothing without A2C_RUST_BUILDS=1' };
  if (spawnSync('cargo', ['--version']).status !== 0) return { missing: 'cargo is not installed' };
  const target = join(cache, 'rust-target');
  process.stderr.write('Building the official Rust server, which takes minutes the first time …\n');
  try {
    const env = { ...process.env, CARGO_TARGET_DIR: target };
    execFileSync('cargo', ['build', '--release', '--locked'], { cwd: crate, env, stdio: ['ignore', 'ignore', 'pipe'] });
  } catch (error) {
    const lines = String((error as { stderr?: unknown }).stderr ?? error).trim();
    return { missing: `cargo could not build it: ${lines.split('\n').at(-1)}` };
  }
  mkdirSync(cache, { recursive: true });
  copyFileSync(join(target, 'release', 'bench-server'), command);
  return { command };
}
