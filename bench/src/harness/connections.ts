import { setTimeout as delay } from 'node:timers/promises';
import type { JoinRequest } from '../processes/crowd.ts';
import { Participant } from './participant.ts';
import { usageOf } from './usage.ts';

/** What joined connections that do nothing cost a server. */
export interface ConnectionCost {
  /** Bytes of resident memory per connection. */
  rss: number;
  /** Bytes of heap per connection; not a number for programs that are not ours. */
  heap: number;
  /** Milliseconds until all had joined. */
  time: number;
  /** Microseconds of the server's CPU to accept and join one. */
  cpu: number;
}

export interface ConnectionOptions {
  /** @default what the server greeted with */
  url?: string;
  /** @default 5,000 */
  count?: number;
}

/** Lets peers join a server of any kind, an Agent and a Computer to an office, and sees what that costs the server. */
export async function memoryPerConnection(
  server: Participant,
  { url = String(server.greeting), count = 5000 }: ConnectionOptions = {},
): Promise<ConnectionCost> {
  await using crowd = await Participant.start('crowd', { url });
  const before = await usageOf(server);
  const request: JoinRequest = { join: count, perOffice: 2, atOnce: 100 };
  const time = await crowd.ask<number>(request);
  const joined = await usageOf(server);
  // What was used to let them in is given back a moment later.
  await delay(1000);
  const idle = await usageOf(server);
  return {
    rss: (idle.rss - before.rss) / count,
    heap: (idle.heapUsed - before.heapUsed) / count,
    time,
    cpu: (joined.cpu - before.cpu) / count,
  };
}
