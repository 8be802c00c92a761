import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import type { UsageRequest } from '../processes/obey.ts';
import type { Participant, Usage } from './participant.ts';

const PAGE_BYTES = 4096;

/** Reads the usage of a process so far. A program that is not ours is not asked: the operating system knows, but for its heap. */
export async function usageOf(participant: Participant, request: UsageRequest = 'usage'): Promise<Usage> {
  if (participant.process.connected) return participant.ask<Usage>(request);
  return usageOfProcess(participant.process.pid);
}

/** The figures that the operating system has of any process. */
export async function usageOfProcess(pid = 0): Promise<Usage> {
  const [, pages = 0] = (await readFile(`/proc/${pid}/statm`, 'utf8')).split(' ').map(Number);
  return { cpu: await cpuOfProcess(pid), rss: pages * PAGE_BYTES, heapUsed: Number.NaN };
}

/**
 * Microseconds of CPU that a process and its children used so far. Only where there is no `/proc` the process is asked: to
 * answer is work that a server of ours would have beside a short burst, and one that is not ours would not.
 */
export async function cpuOf(participant: Participant): Promise<number> {
  if (!hasProc) return (await usageOf(participant)).cpu;
  return cpuOfProcess(participant.process.pid ?? 0);
}

export const hasProc = existsSync('/proc/self/schedstat');

/** The sum that the system itself makes is in hundredths of a second. */
async function cpuOfProcess(pid: number): Promise<number> {
  const threads = (await readdir(`/proc/${pid}/task`)).map(thread => `/proc/${pid}/task/${thread}`);
  const times = await Promise.all(threads.map(thread => readFile(`${thread}/schedstat`, 'utf8')));
  const children = await Promise.all(threads.map(thread => readFile(`${thread}/children`, 'utf8').catch(() => '')));
  const pids = children.flatMap(line => line.split(' ').filter(Boolean).map(Number));
  const all = [...times.map(text => Number.parseInt(text, 10) / 1000), ...(await Promise.all(pids.map(cpuOfProcess)))];
  return all.reduce((sum, time) => sum + time, 0);
}
