import { Agent } from '@a2c-smcp/agent';
import { Computer } from '@a2c-smcp/computer';
import { SmcpServer } from '@a2c-smcp/server';
import { expect, test } from 'vitest';
import { recordingLogger } from './computer/office.ts';
import { eventually } from './eventually.ts';

interface Listenable {
  on(event: 'connection', listener: (state: { type: string }) => void): unknown;
}

/** Adds a listener that throws, one that rejects and one that works. Returns the states that the last one got. */
function addListeners(object: Listenable): string[] {
  const states: string[] = [];
  object.on('connection', () => {
    throw new Error('thrown');
  });
  object.on('connection', async () => {
    throw new Error('rejected');
  });
  object.on('connection', ({ type }) => states.push(type));
  return states;
}

test.each([
  [
    'a Computer',
    async (url: string, logger: ReturnType<typeof recordingLogger>) => {
      const computer = await Computer.open({ name: 'desk', logger });
      const states = addListeners(computer);
      await computer.join(url, { office: 'demo' });
      return { states, close: () => computer.close() };
    },
  ],
  [
    'an Agent',
    async (url: string, logger: ReturnType<typeof recordingLogger>) => {
      const agent = await Agent.connect(url, { name: 'assistant', office: 'demo', logger });
      return { states: addListeners(agent), close: () => agent.close() };
    },
  ],
])('listeners of %s that throw or reject are logged and do not affect the others', async (_, open) => {
  await using server = await SmcpServer.listen({ port: 0 });
  const logger = recordingLogger();
  const { states, close } = await open(server.url, logger);
  await eventually(() => expect(states).toEqual(['joined']));
  await close();
  expect(states).toEqual(['joined', 'closed']);
  await eventually(() => expect(logger.text().match(/A listener failed/g)).toHaveLength(4));
});
