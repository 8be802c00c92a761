import { setTimeout as delay } from 'node:timers/promises';
import { Computer } from '@a2c-smcp/computer';
import { mcpConfig } from '../harness/mcp-server.ts';
import { now } from './clock.ts';
import type { McpServerSettings } from './mcp-server.ts';
import { obey, settings } from './obey.ts';

/**
 * `back` is answered with the time at which it has joined again, `quiet` when it has nothing to do any more, queries
 * with how many milliseconds of CPU each took.
 */
export type OfficeComputerRequest = 'back' | 'quiet' | FindRequest;

interface FindRequest {
  keywords: string[];
  /** Queries are made for this long; those of the first half only warm up. */
  milliseconds: number;
}

const { url, mcp } = settings<{ url: string; mcp: McpServerSettings }>();
const computer = await Computer.open({ name: 'c', servers: { bench: mcpConfig(mcp) } });
await computer.join(url, { office: 'bench' });

obey('ready', (request: OfficeComputerRequest) => {
  if (request === 'back') return back();
  return request === 'quiet' ? quiet() : find(request);
});

function back(): Promise<number> {
  return new Promise(resolve => {
    const stop = computer.on('connection', ({ type }) => {
      if (type !== 'joined') return;
      stop();
      resolve(now());
    });
  });
}

/** Resolves after a fifth of a second in which it used hardly any CPU, or after 15 s. */
async function quiet(): Promise<void> {
  const limit = now() + 15_000;
  for (let used = Number.POSITIVE_INFINITY; used > 20_000 && now() < limit; ) {
    const before = process.cpuUsage();
    await delay(200);
    const { user, system } = process.cpuUsage(before);
    used = user + system;
  }
}

async function find({ keywords, milliseconds }: FindRequest): Promise<number[]> {
  const costs: number[] = [];
  const started = now();
  while (now() - started < milliseconds) {
    if (now() - started < milliseconds / 2) costs.length = 0;
    const before = process.cpuUsage();
    await computer.finder({ keywords });
    const { user, system } = process.cpuUsage(before);
    costs.push((user + system) / 1000);
  }
  return costs;
}
