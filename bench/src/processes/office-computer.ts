import { Computer } from '@a2c-smcp/computer';
import { mcpConfig } from '../harness/mcp-server.ts';
import { now } from './clock.ts';
import type { McpServerSettings } from './mcp-server.ts';
import { obey, settings } from './obey.ts';

/** `back` is answered with the time at which it has joined again, a number with how long so many queries took. */
export type OfficeComputerRequest = 'back' | { queries: number; keywords: string[] };

const { url, mcp } = settings<{ url: string; mcp: McpServerSettings }>();
const computer = await Computer.open({ name: 'c', servers: { bench: mcpConfig(mcp) } });
await computer.join(url, { office: 'bench' });

obey('ready', (request: OfficeComputerRequest) => (request === 'back' ? back() : find(request)));

function back(): Promise<number> {
  return new Promise(resolve => {
    const stop = computer.on('connection', ({ type }) => {
      if (type !== 'joined') return;
      stop();
      resolve(now());
    });
  });
}

async function find({ queries, keywords }: Exclude<OfficeComputerRequest, 'back'>): Promise<number[]> {
  const durations: number[] = [];
  for (let n = 0; n < queries; n++) {
    const started = performance.now();
    await computer.finder({ keywords });
    durations.push(performance.now() - started);
  }
  return durations;
}
