import { readdir, readFile } from 'node:fs/promises';
import type { UsageRequest } from '../processes/obey.ts';
import type { Participant, Usage } from './participant.ts';

const PAGE_BYTES = 4096;

/** Reads the usage of a process so far. A program that is not ours is not asked: the operating system knows, but for its heap. */
export async function usageOf(participant: Participant, request: UsageRequest = 'usage'): Promise<Usage> {
  if (participant.process.connected) return participant.ask<Usage>(request);
  const folder = `/proc/${participant.process.pid}`;
  const [, pages = 0] = (await readFile(`${folder}/statm`, 'utf8')).split(' ').map(Number);
  return { cpu: await cpuOf(folder), rss: pages * PAGE_BYTES, heapUsed: Number.NaN };
}

/** Microseconds of all threads. The sum that the system itself makes is in hundredths of a second. */
async function cpuOf(folder: string): Promise<number> {
  const threads = await readdir(`${folder}/task`);
  const times = await Promise.all(threads.map(thread => readFile(`${folder}/task/${thread}/schedstat`, 'utf8')));
  return times.reduce((sum, text) => sum + Number.parseInt(text, 10) / 1000, 0);
}
