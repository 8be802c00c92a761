import { Agent, textOf } from '@a2c-smcp/agent';
import { now } from './clock.ts';
import { obey, settings } from './obey.ts';

/**
 * `cancel` is answered with the milliseconds from an abort until the MCP server saw it, `lose` with the time at which
 * a call to the fleeting Computer failed, `back` with the time at which the Agent has joined again.
 */
export type FaultsRequest = 'cancel' | 'lose' | 'back';

const { url } = settings<{ url: string }>();
const agent = await Agent.connect(url, { name: 'a', office: 'bench', autoRefresh: [] });
const answers = { cancel, lose, back };

obey('ready', (request: FaultsRequest) => answers[request]());

async function cancel(): Promise<number> {
  const stop = new AbortController();
  const hanging = agent.callTool({ computer: 'c', tool: 'hang' }, { signal: stop.signal });
  // When a later call is answered, this one has arrived.
  await agent.callTool({ computer: 'c', tool: 'echo' });
  const aborted = now();
  stop.abort();
  await hanging;
  for (;;) {
    const ended = Number(textOf(await agent.callTool({ computer: 'c', tool: 'ended' })));
    if (ended > aborted) return ended - aborted;
  }
}

async function lose(): Promise<number> {
  try {
    await agent.callTool({ computer: 'fleeting', tool: 'any' });
  } catch {
    return now();
  }
  throw new Error('The call was answered');
}

function back(): Promise<number> {
  return new Promise(resolve => {
    const stop = agent.on('connection', ({ type }) => {
      if (type !== 'joined') return;
      stop();
      resolve(now());
    });
  });
}
