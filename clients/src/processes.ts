import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { Unavailable } from './check.ts';

/** The official conformance suite of MCP. It needs Node 22. */
export const CONFORMANCE_SUITE = '@modelcontextprotocol/conformance@0.2.0-alpha.12';

const OUTPUT_LIMIT = 4 * 1024 * 1024;
const INSTALL_TIMEOUT_MS = 600_000;

export interface Ran {
  code: number | null;
  /** Standard output and standard error. */
  out: string;
}

export interface RunOptions {
  cwd?: string;
  env?: Record<string, string>;
  timeout?: number;
}

/** Runs a program to its end, without input. It is killed after the timeout, in milliseconds. */
export function run(command: string, args: readonly string[], { cwd, env, timeout = 120_000 }: RunOptions = {}) {
  return new Promise<Ran>((resolve, reject) => {
    const environment = { ...process.env, ...env };
    const child = spawn(command, args, {
      cwd,
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout,
      killSignal: 'SIGKILL',
    });
    let out = '';
    const add = (text: Buffer) => {
      if (out.length < OUTPUT_LIMIT) out += text;
    };
    child.stdout.on('data', add);
    child.stderr.on('data', add);
    child.on('error', reject);
    child.on('close', code => resolve({ code, out }));
  });
}

/** Packages of npm in a folder of their own, installed by an earlier run or now. Returns the folder. */
export async function npmPackages(...packages: string[]): Promise<string> {
  const folder = join(cacheFolder(), packages.join('+').replaceAll(/[^\w.+@-]/g, '_'));
  if (existsSync(join(folder, 'installed'))) return folder;
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), '{"private":true}');
  const args = ['install', '--no-audit', '--no-fund', ...packages];
  const { code, out } = await run('npm', args, { cwd: folder, timeout: INSTALL_TIMEOUT_MS });
  if (code !== 0) throw new Unavailable(`npm could not install it: ${lastLine(out)}`);
  await writeFile(join(folder, 'installed'), '');
  return folder;
}

/** The Python of an environment with a package of PyPI. */
export async function pythonWith(requirement: string): Promise<string> {
  const folder = join(cacheFolder(), requirement);
  const python = join(folder, 'bin/python');
  if (existsSync(join(folder, 'installed'))) return python;
  await mkdir(folder, { recursive: true });
  const steps = [
    ['python3', ['-m', 'venv', folder]],
    [python, ['-m', 'pip', 'install', '--quiet', requirement]],
  ] as const;
  for (const [command, args] of steps) {
    const { code, out } = await run(command, args, { timeout: INSTALL_TIMEOUT_MS }).catch(unavailable);
    if (code !== 0) throw new Unavailable(`it could not be installed: ${lastLine(out)}`);
  }
  await writeFile(join(folder, 'installed'), '');
  return python;
}

/** Node 24, which some clients need. */
export async function node24(): Promise<string> {
  if (process.platform !== 'linux' && process.platform !== 'darwin') throw new Unavailable('there is no Node 24 here');
  const name = `node-${process.platform}-${process.arch}`;
  return join(await npmPackages(`${name}@24.21.0`), 'node_modules', name, 'bin/node');
}

/** A program that cannot be started is not on this machine. */
export function unavailable(error: unknown): never {
  throw new Unavailable(error instanceof Error ? error.message : String(error));
}

function cacheFolder(): string {
  return join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'a2c-smcp', 'clients');
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1) ?? '';
}
