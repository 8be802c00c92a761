import { randomBytes } from 'node:crypto';
import { link, rename, rm, stat } from 'node:fs/promises';
import { pause, SerialQueue } from '@a2c-smcp/core';
import { createPrivateFile, readPrivateFile } from './private-file.ts';

/** Milliseconds between two attempts, and until an attempt is given up. */
const RETRY_MS = 50;
const GIVE_UP_MS = 60_000;
/** A lock that is older belongs to a process that is gone, whose number another one has. */
const MAX_AGE_MS = 120_000;

/** Work of this process by lock file: all of it has one process number. */
const queues = new Map<string, SerialQueue>();

/** Runs `work` while no other process, and nothing else of this one, runs some under the same lock file. */
export async function exclusively<T>(file: string, work: () => Promise<T>): Promise<T> {
  const queue = queues.get(file) ?? new SerialQueue();
  queues.set(file, queue);
  return queue.run(async () => {
    await waitForLock(file);
    try {
      return await work();
    } finally {
      await rm(file, { force: true });
    }
  });
}

/** Takes a lock file for this process. Returns the process that has it; undefined if that is this one from now on. */
export async function takeLockFile(file: string): Promise<number | undefined> {
  for (let attempt = 0; attempt < 3; attempt++) {
    if (await createPrivateFile(file, String(process.pid))) return undefined;
    const holder = await holderOf(file);
    if (holder !== undefined) return holder;
    await removeStale(file);
  }
  throw new Error(`'${file}' cannot be taken: remove it`);
}

/** The running process that has taken a lock file. */
export async function holderOf(file: string): Promise<number | undefined> {
  const holder = Number((await readPrivateFile(file)) ?? 0);
  return isRunning(holder) ? holder : undefined;
}

async function waitForLock(file: string): Promise<void> {
  const deadline = Date.now() + GIVE_UP_MS;
  for (;;) {
    const holder = await takeLockFile(file);
    if (holder === undefined) return;
    if (Date.now() - (await ageStart(file)) > MAX_AGE_MS) await removeStale(file);
    else if (Date.now() > deadline) throw new Error(`Process ${holder} does not release '${file}': end it`);
    else await pause(RETRY_MS * (1 + Math.random()));
  }
}

async function ageStart(file: string): Promise<number> {
  return stat(file).then(
    ({ mtimeMs }) => mtimeMs,
    () => Date.now(),
  );
}

/** Another process may have replaced the file since: moves it away, looks again, and puts it back if it is in use. */
async function removeStale(file: string): Promise<void> {
  const moved = `${file}.${randomBytes(8).toString('hex')}`;
  try {
    await rename(file, moved);
  } catch {
    return;
  }
  const isFresh = Date.now() - (await ageStart(moved)) < MAX_AGE_MS;
  if (isFresh && (await holderOf(moved).catch(() => undefined)) !== undefined) await link(moved, file).catch(() => {});
  await rm(moved, { force: true });
}

function isRunning(pid: number): boolean {
  try {
    return pid > 0 && process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
