import { spawnSync } from 'node:child_process';
import { availableParallelism, cpus } from 'node:os';

/** Has this process, and those it starts from now on, run on some cores only: a list such as `0` or `0-3`. */
export function pinTo(cores: string): boolean {
  return spawnSync('taskset', ['-cp', cores, String(process.pid)]).status === 0;
}

/** Lets what is started meanwhile run on all cores. */
export async function onAllCores<T>(work: () => Promise<T>): Promise<T> {
  const pinned = availableParallelism() === 1 ? currentCores() : undefined;
  if (pinned === undefined || !pinTo(`0-${cpus().length - 1}`)) return work();
  try {
    return await work();
  } finally {
    pinTo(pinned);
  }
}

function currentCores(): string | undefined {
  const { stdout } = spawnSync('taskset', ['-cp', String(process.pid)], { encoding: 'utf8' });
  return /: (\S+)$/m.exec(stdout)?.[1];
}
