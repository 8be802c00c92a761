import { readFile } from 'node:fs/promises';
import type { UsageRequest } from '../processes/obey.ts';
import type { Participant, Usage } from './participant.ts';

/** The operating system counts the CPU in hundredths of a second. */
const MICROSECONDS_PER_TICK = 10_000;
const PAGE_BYTES = 4096;

/** What a process used so far. A program that is not ours is not asked: the operating system knows, but for its heap. */
export async function usageOf(participant: Participant, request: UsageRequest = 'usage'): Promise<Usage> {
  if (participant.process.connected) return participant.ask<Usage>(request);
  const stat = await readFile(`/proc/${participant.process.pid}/stat`, 'utf8');
  // The name of the program, in parentheses, may contain spaces.
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const [user = 0, system = 0, pages = 0] = [fields[11], fields[12], fields[21]];
  return { cpu: (user + system) * MICROSECONDS_PER_TICK, rss: pages * PAGE_BYTES, heapUsed: Number.NaN };
}
