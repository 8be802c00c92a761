import { existsSync, readFileSync } from 'node:fs';

/** Milliseconds of a tick, which Linux counts the work of processes in. */
const TICK_MS = 10;

/**
 * Milliseconds that a process has worked, in all of its threads: unlike the time that passed, other processes on the
 * machine add nothing to it. The elapsed time, where the system does not report it.
 */
export function workedMs(pid: number): number {
  const path = `/proc/${pid}/stat`;
  if (!existsSync(path)) return performance.now();
  const text = readFileSync(path, 'utf8');
  // The name of the process, in brackets, may contain spaces.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}
