import type { AddressInfo } from 'node:net';
import { createServer, type Socket } from 'node:net';
import { Agent } from '@a2c-smcp/agent';
import { Computer } from '@a2c-smcp/computer';
import { Peer } from '@a2c-smcp/peer';
import { apiKeys, SmcpServer } from '@a2c-smcp/server';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { eventually, expectGone, openComputer, textOf } from '../computer/office.ts';

const tools = ['echo', 'hang', 'exit', 'pids'];

/** Sockets, pipes, processes and timers that keep this process alive, by kind. */
function resources(): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const kind of process.getActiveResourcesInfo()) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}

/** Fails unless all that was opened since `before` is closed. Other tests of this process may have closed more. */
async function expectNothingLeft(before: Record<string, number>): Promise<void> {
  const leftovers = () => Object.entries(resources()).filter(([kind, count]) => count > (before[kind] ?? 0));
  // Without `eventually`, whose timers would be counted.
  for (let turn = 0; turn < 400 && leftovers().length > 0; turn++)
    await new Promise(resolve => setTimeout(resolve, 50));
  expect(leftovers()).toEqual([]);
}

/** The parts that a scenario works with. All of them are closed when it ends. */
interface Scene {
  server: SmcpServer;
  computer: Computer;
  agent: Agent;
}

async function openScene(): Promise<Scene> {
  const server = await SmcpServer.listen({ host: '127.0.0.1', port: 0 });
  const computer = await openComputer({ s: { tools } });
  await computer.join(server.url, { office: 'o' });
  const agent = await Agent.connect(server.url, { name: 'a', office: 'o' });
  return { server, computer, agent };
}

async function closeScene({ server, computer, agent }: Scene): Promise<void> {
  await agent.close();
  await computer.close();
  await server.close();
}

const hang = ({ agent }: Scene, signal?: AbortSignal) =>
  agent.callTool({ computer: 'desk', tool: 'hang' }, { timeout: 600_000, ...(signal && { signal }) }).catch(String);

const hanging = (scene: Scene) => Array.from({ length: 20 }, () => hang(scene));

/** Resolves when the calls before it have reached the MCP server. */
const settled = ({ agent }: Scene) => agent.callTool({ computer: 'desk', tool: 'echo' });

const scenarios: Record<string, (scene: Scene) => Promise<unknown>> = {
  'calls that are answered': async scene => {
    for (let count = 0; count < 20; count++) await settled(scene);
  },
  'calls that the Agent cancels': async scene => {
    const aborts = Array.from({ length: 20 }, () => new AbortController());
    const calls = aborts.map(({ signal }) => hang(scene, signal));
    await settled(scene);
    for (const abort of aborts) abort.abort();
    await Promise.all(calls);
  },
  'an MCP server that ends in the middle of calls': async scene => {
    const calls = hanging(scene);
    await settled(scene);
    await scene.agent.callTool({ computer: 'desk', tool: 'exit' });
    await Promise.all(calls);
    await settled(scene);
  },
};

beforeAll(async () => {
  // The first process of all starts the guardian, which stays.
  await closeScene(await openScene());
});

describe('timers, sockets and processes of a Computer and an Agent that go on', () => {
  test.each(Object.keys(scenarios))('are those of before after %s', async name => {
    const scene = await openScene();
    await settled(scene);
    const before = resources();
    await scenarios[name]?.(scene);
    await expectNothingLeft(before);
    await closeScene(scene);
  });

  test('are those of before after an Agent vanished in the middle of calls and another came', async () => {
    const scene = await openScene();
    await settled(scene);
    const before = resources();
    const calls = hanging(scene);
    await settled(scene);
    await scene.agent.close();
    await Promise.all(calls);
    scene.agent = await Agent.connect(scene.server.url, { name: 'a', office: 'o' });
    await settled(scene);
    await expectNothingLeft(before);
    expect(scene.computer.history.filter(({ tool }) => tool === 'hang')).toHaveLength(20);
    await closeScene(scene);
  });
});

describe('nothing is left', () => {
  test.each(Object.keys(scenarios))('of all that is closed after %s', async name => {
    const before = resources();
    const scene = await openScene();
    await scenarios[name]?.(scene);
    await closeScene(scene);
    await expectNothingLeft(before);
  });

  test('of all that is closed in the middle of calls', async () => {
    const before = resources();
    const scene = await openScene();
    const calls = hanging(scene);
    const pids: number[] = JSON.parse(textOf(await scene.agent.callTool({ computer: 'desk', tool: 'pids' })));
    await Promise.all([scene.agent.close(), scene.computer.close(), scene.server.close(), ...calls]);
    await expectGone(pids);
    await expectNothingLeft(before);
  });

  test('of an Agent and a Computer that are closed after their Server went', async () => {
    const before = resources();
    const scene = await openScene();
    const calls = hanging(scene);
    await settled(scene);
    await scene.server.close();
    await Promise.all([...calls, scene.agent.close(), scene.computer.close()]);
    await expectNothingLeft(before);
  });

  test('of joins that are refused', async () => {
    await using server = await SmcpServer.listen({ host: '127.0.0.1', port: 0, authenticate: apiKeys('key') });
    await using computer = await openComputer({ s: { tools } });
    const before = resources();
    for (let count = 0; count < 5; count++) {
      await expect(computer.join(server.url, { office: 'o' })).rejects.toMatchObject({ code: 401 });
      await expect(Agent.connect(server.url, { name: 'a', office: 'o' })).rejects.toMatchObject({ code: 401 });
    }
    await expectNothingLeft(before);
  });

  test('of joins to a Server that says nothing, when they are given up', async () => {
    const url = await openSilentServer();
    const before = resources();
    const computer = await Computer.open({ name: 'desk' });
    const first = computer.join(url, { office: 'o' });
    const second = computer.join(url, { office: 'p' });
    await expect(first).rejects.toThrow('another office');
    await computer.close();
    await expect(second).rejects.toThrow('closed');
    await expect(computer.join(url, { office: 'o' })).rejects.toThrow('closed');
    const abort = new AbortController();
    const connecting = Agent.connect(url, { name: 'a', office: 'o', signal: abort.signal });
    abort.abort(new Error('given up'));
    await expect(connecting).rejects.toThrow('given up');
    await expectNothingLeft(before);
  });

  test('of a join that succeeds while the Computer is closed', async () => {
    await using server = await SmcpServer.listen({ host: '127.0.0.1', port: 0 });
    await using agent = await Peer.join(server.url, { role: 'agent', name: 'a', office: 'o' });
    const before = resources();
    for (const ticks of [1, 5, 10, 20, 40]) {
      const computer = await Computer.open({ name: 'desk' });
      // By polling the Server would wait for the next request of a client that is gone.
      const joining = computer.join(server.url, { office: 'o', transports: ['websocket'] }).catch(String);
      for (let tick = 0; tick < ticks; tick++) await new Promise(setImmediate);
      await computer.close();
      await joining;
      expect(computer.office).toBeUndefined();
    }
    const request = { agent: 'a', office_id: 'o', req_id: 'r' };
    await eventually(async () => {
      const { sessions } = await agent.call('server:list_room', request, { timeout: 5000 });
      expect(sessions).toHaveLength(1);
    });
    await expectNothingLeft(before);
  });
});

test('a closed Agent, Computer and Peer can be collected', async () => {
  const references: WeakRef<object>[] = [];
  await (async () => {
    const scene = await openScene();
    await settled(scene);
    const silent = new AbortController();
    const kept = { signal: silent.signal };
    scene.agent.on('changed', () => {}, kept);
    references.push(new WeakRef(scene.agent), new WeakRef(scene.computer));
    await closeScene(scene);
  })();
  await eventually(() => {
    globalThis.gc?.();
    expect(references.map(reference => reference.deref() !== undefined)).toEqual([false, false]);
  });
});

/** A TCP server that accepts connections and says nothing. */
async function openSilentServer(): Promise<string> {
  const sockets = new Set<Socket>();
  const listener = createServer(socket => {
    sockets.add(socket.on('error', () => {}).resume());
  });
  await new Promise<void>(resolve => listener.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    listener.close();
  });
  return `http://127.0.0.1:${(listener.address() as AddressInfo).port}`;
}
