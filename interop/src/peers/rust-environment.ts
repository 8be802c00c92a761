import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cacheFolder, interopFolder } from '../paths.ts';
import { Unavailable } from './unavailable.ts';

/** Where the programs with the official crate are. */
export interface RustEnvironment {
  /** The path of a program: `interop-peer`, or a script in `defects` without its ending. */
  program(name: string): string;
  /** Its home folder: the crate keeps files there. */
  home: string;
}

const run = promisify(execFile);
const crate = join(interopFolder, 'rust');
const defectsFolder = join(interopFolder, 'defects');

/** The programs with the crate, built unless they are there from an earlier run with the same sources. */
export async function rustEnvironment(version: string): Promise<RustEnvironment> {
  const defects = (await readdir(defectsFolder)).filter(name => name.endsWith('.rs')).toSorted();
  const sources = (await readdir(join(crate, 'src'))).toSorted();
  const lock = join(crate, 'Cargo.lock');
  const all = [
    lock,
    join(crate, 'Cargo.toml'),
    ...sources.map(name => join(crate, 'src', name)),
    ...defects.map(name => join(defectsFolder, name)),
  ];
  const folder = join(cacheFolder, `rust-${version}-${await digest(all)}`);
  const programs = ['interop-peer', ...defects.map(name => name.replace(/\.rs$/, ''))];
  if (!existsSync(folder)) await build(folder, join(cacheFolder, `rust-target-${await digest([lock])}`), programs);
  const home = join(folder, 'home');
  await mkdir(home, { recursive: true });
  return { program: name => join(folder, name), home };
}

async function digest(files: readonly string[]): Promise<string> {
  const hash = createHash('sha256');
  for (const file of files) hash.update(await readFile(file));
  return hash.digest('hex').slice(0, 12);
}

/** Builds in a folder of its own, so that a change of our sources does not build the official crate again. */
async function build(folder: string, target: string, programs: readonly string[]): Promise<void> {
  await checkTools();
  const env = { ...process.env, CARGO_TARGET_DIR: target };
  // Its progress goes to stderr, for it takes minutes the first time.
  const cargo = spawn('cargo', ['build', '--locked'], { cwd: crate, env, stdio: ['ignore', 'ignore', 'inherit'] });
  const [code] = await once(cargo, 'exit');
  if (code !== 0) throw new Error(`cargo build in interop/rust ended with ${code}`);
  // Its name is final only once it is complete.
  const unfinished = `${folder}-${process.pid}`;
  await mkdir(unfinished, { recursive: true });
  for (const name of programs) await copyFile(join(target, 'debug', name), join(unfinished, name));
  await rename(unfinished, folder).catch(async error => {
    // Another run was faster.
    await rm(unfinished, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  });
}

/** The programs that the crate cannot be built without. */
async function checkTools(): Promise<void> {
  const needs: [missing: string, command: string, ...args: string[]][] = [
    ['cargo is not installed', 'cargo', '--version'],
    ['a C compiler is not installed (on Debian build-essential)', 'cc', '--version'],
    [
      'OpenSSL is not installed for building (on Debian libssl-dev and pkg-config)',
      'pkg-config',
      '--exists',
      'openssl',
    ],
  ];
  for (const [missing, command, ...args] of needs) {
    await run(command, args).catch(cause => {
      throw new Unavailable(missing, { cause });
    });
  }
}
