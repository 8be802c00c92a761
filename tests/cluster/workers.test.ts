import { Agent, textOf } from '@a2c-smcp/agent';
import { Computer } from '@a2c-smcp/computer';
import { RawPeer } from '@a2c-smcp/testing';
import { describe, expect, test } from 'vitest';
import { pickWorker } from '../../packages/server/src/workers/route.ts';
import { startService } from '../cli/service.ts';
import { expectGone } from '../computer/office.ts';
import { eventually } from '../eventually.ts';
import { request } from './nodes.ts';

const key = 'operator-key-of-this-test';
const places = [0, 1].map(index => ({ index, connections: 0 }));

/** Options of a client whose connection goes to one of two workers. */
function toWorker(index: number, more: object = {}) {
  const routes = Array.from({ length: 64 }, (_, each) => each.toString(16));
  const route = routes.find(each => pickWorker(places, { kind: 'key', key: each })?.index === index);
  return { query: { a2c_route: route }, ...more };
}

async function openWorkers(...options: string[]) {
  const words = ['server', '--workers', '2', '--port', '0', '--operator-key', key, ...options];
  const service = startService(words);
  const [, url = ''] = await service.line(/Server on (\S+)/);
  const read = async (path: string) =>
    (await fetch(url + path, { headers: { authorization: `Bearer ${key}` } })).text();
  return {
    service,
    url,
    read,
    /** The nodes as operators see them. */
    nodes: async (): Promise<{ members: number }[]> => JSON.parse(await read('/api/v1/overview')).nodes,
    /** The process of each worker, by index, as the log has it. */
    pids(): number[] {
      const ready = [...service.err.matchAll(/"A worker is ready","worker":(\d),"pid":(\d+)/g)];
      return Object.values(Object.fromEntries(ready.map(([, index, pid]) => [index, Number(pid)])));
    },
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]();
    },
  };
}

const workerOf = (peer: RawPeer) => peer.socket.io.engine.id.split('.')[0];

describe('a2c server --workers 2', { timeout: 120_000 }, () => {
  test('is one Server on one port, and another worker takes the place of one that crashed', async () => {
    await using server = await openWorkers('--limit', 'connectionsPerAddress=9');
    const { url } = server;
    await using agent = await RawPeer.join(url, 'agent', 'a1', 'o1', toWorker(0));
    // Each of its requests comes on another TCP connection.
    const polling = { transports: ['polling'], upgrade: false };
    await using computer = await RawPeer.join(url, 'computer', 'c1', 'o1', toWorker(1, polling));
    expect([workerOf(agent), workerOf(computer)]).toEqual(['0', '1']);
    computer.reply('client:get_tools', () => 'answer');
    expect(await agent.ask('client:get_tools', request('r1'))).toEqual(['answer']);

    const echo = { description: 'Echoes', schema: { type: 'object' }, run: async () => 'here' };
    await using desk = await Computer.open({ name: 'desk', tools: { echo } });
    await desk.join(url, { office: 'o2' });
    await using assistant = await Agent.connect(url, { name: 'a', office: 'o2' });
    await assistant.waitFor({ tool: 'echo' });

    const offices = (await server.nodes()).map(({ members }) => members).toSorted();
    expect(offices).toEqual([1, 3]);
    await eventually(async () => {
      expect(JSON.parse(await server.read('/health'))).toMatchObject({ connections: 4, offices: 3, members: 4 });
    });
    const metrics = await server.read('/metrics');
    expect(metrics).toMatch(/^a2c_members 4$/m);
    expect(metrics).toMatch(/^a2c_call_seconds_count\{event="client:get_tools"\} 2$/m);

    const more = await Promise.all([0, 1, 0, 1, 0].map(index => RawPeer.connect(url, toWorker(index))));
    await eventually(() => expect(RawPeer.connect(url, toWorker(1))).rejects.toThrow());
    for (const peer of more) peer.close();

    const pids = server.pids();
    process.kill(pids[1] ?? 0, 'SIGKILL');
    // Long before the lease of the node would have ended, and once.
    await eventually(
      () => expect(agent.payloads('notify:leave_office')).toEqual([{ office_id: 'o1', computer: 'c1' }]),
      6000,
    );
    await eventually(() => expect(server.pids()[1], server.service.err).not.toBe(pids[1]), 60_000);
    await using next = await RawPeer.join(url, 'computer', 'c1', 'o1', toWorker(1));
    expect(workerOf(next)).toBe('1');
    await assistant.waitFor({ tool: 'echo' });
    await eventually(async () =>
      expect(textOf(await assistant.callTool({ computer: 'desk', tool: 'echo' }))).toBe('here'),
    );
    expect(server.service.err).toContain('A worker has ended and is started again');

    const last = server.pids();
    server.service.child.kill('SIGTERM');
    expect(await server.service.ended).toEqual([0, null]);
    await expectGone([...last, ...pids]);
  });

  test('lets calls in flight of all workers end before it stops, and ends with its first process', async () => {
    await using server = await openWorkers();
    const calls = await Promise.all(
      [0, 1].map(async index => {
        const agent = await RawPeer.join(server.url, 'agent', 'a1', `o${index}`, toWorker(index));
        const computer = await RawPeer.join(server.url, 'computer', 'c1', `o${index}`, toWorker(1 - index));
        const asked = new Promise<(answer: string) => void>(resolve => {
          computer.socket.on('client:get_tools', (_, ack) => resolve(ack));
        });
        return { answer: agent.ask('client:get_tools', request('r1')), reply: await asked };
      }),
    );
    const pids = server.pids();
    server.service.child.kill('SIGTERM');
    await eventually(() => expect(fetch(`${server.url}/health`)).rejects.toThrow());
    for (const { reply } of calls) reply('late');
    expect(await Promise.all(calls.map(({ answer }) => answer))).toEqual([['late'], ['late']]);
    expect(await server.service.ended).toEqual([0, null]);
    await expectGone(pids);
  });

  test('says why its workers cannot begin, once', async () => {
    await using service = startService(['server', '--workers', '2', '--port', '0', '--host', '0.0.0.0']);
    expect(await service.ended).toEqual([2, null]);
    expect(service.err.match(/add --key, --print-key/g)).toHaveLength(1);
  });
});
