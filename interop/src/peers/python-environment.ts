import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cacheFolder, interopFolder } from '../paths.ts';

/** Where one official release is installed. */
export interface Environment {
  /** The interpreter. */
  python: string;
  /** Its home folder: releases since 0.2 keep files there. */
  home: string;
}

const run = promisify(execFile);
/** Milliseconds that an installation may take. */
const TIMEOUT = 300_000;

/** The environment of a release, installed from its pinned requirements unless it is there from an earlier run. */
export async function pythonEnvironment(release: string): Promise<Environment> {
  const requirements = join(interopFolder, 'requirements', `${release}.txt`);
  const digest = createHash('sha256')
    .update(await readFile(requirements))
    .digest('hex');
  const folder = join(cacheFolder, `python-${release}-${digest.slice(0, 12)}`);
  if (!existsSync(folder)) await install(folder, requirements);
  const home = join(folder, 'home');
  await mkdir(home, { recursive: true });
  return { python: join(folder, 'bin', 'python'), home };
}

async function install(folder: string, requirements: string): Promise<void> {
  // Its name is final only once it is complete: an interrupted installation is not mistaken for one.
  const unfinished = `${folder}-${process.pid}`;
  const options = { timeout: TIMEOUT, maxBuffer: 1 << 24 };
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(cacheFolder, { recursive: true });
  await run('python3', ['-m', 'venv', unfinished], options);
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--no-deps', '-r', requirements];
  await run(join(unfinished, 'bin', 'python'), pip, options);
  await rename(unfinished, folder).catch(async error => {
    // Another run was faster.
    await rm(unfinished, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  });
}
