import { setTimeout as delay } from 'node:timers/promises';
import { Agent, textOf } from '@a2c-smcp/agent';
import { now } from './clock.ts';
import { obey, settings } from './obey.ts';

/** All are answered with milliseconds, one number for each repetition. */
export type DesktopRequest =
  /** From the change of a window until its text is here. */
  | { changes: number }
  /** To fetch all windows, so many of which have changed since the last time. */
  | { pulls: number; changed: number };

/** Milliseconds between two changes: longer than a storm is slowed down to, so that each is told for itself. */
const PAUSE = 250;

const { url } = settings<{ url: string }>();

obey('ready', (request: DesktopRequest) => ('changes' in request ? follow(request.changes) : pull(request)));

async function follow(changes: number): Promise<number[]> {
  await using agent = await Agent.connect(url, { name: 'a', office: 'bench', autoRefresh: ['desktop'] });
  const latencies: number[] = [];
  for (let n = 0; n < changes; n++) {
    const arrived = new Promise<number>(resolve => {
      const stop = agent.on('desktop', ({ desktop }) => {
        stop();
        resolve(now() - Math.max(...desktop.map(stampOf)));
      });
    });
    await change(agent, 1);
    latencies.push(await arrived);
    await delay(PAUSE);
  }
  return latencies;
}

async function pull({ pulls, changed }: { pulls: number; changed: number }): Promise<number[]> {
  await using agent = await Agent.connect(url, { name: 'a', office: 'bench', autoRefresh: [] });
  await agent.getDesktop('c');
  const latencies: number[] = [];
  for (let n = 0; n < pulls; n++) {
    const stamp = changed > 0 ? await change(agent, changed) : 0;
    const started = performance.now();
    const desktop = await agent.getDesktop('c');
    latencies.push(performance.now() - started);
    const fresh = desktop.filter(window => stampOf(window) === stamp).length;
    if (fresh < changed) throw new Error(`${fresh} of ${changed} changed windows are new`);
  }
  return latencies;
}

async function change(agent: Agent, count: number): Promise<number> {
  return Number(textOf(await agent.callTool({ computer: 'c', tool: 'change', params: { count } })));
}

/** When a window was changed: its last line. */
function stampOf(window: string): number {
  return Number(window.split('\n').at(-1)) || 0;
}
