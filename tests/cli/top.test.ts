import type { OperatorSnapshot } from '@a2c-smcp/server';
import { SmcpServer } from '@a2c-smcp/server';
import { RawPeer } from '@a2c-smcp/testing';
import { describe, expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { a2c, startA2c } from './a2c.ts';
import { hasPseudoTerminal, openTerminal } from './pseudo-terminal.ts';

const key = 'operator-key-for-tests';

/** A Server with an office that has had one call, and one refusal. */
async function openServer(port = 0) {
  const server = await SmcpServer.listen({ port, operatorKeys: [key] });
  const agent = await RawPeer.join(server.url, 'agent', 'a1', 'demo');
  const computer = await RawPeer.join(server.url, 'computer', 'desk\u202e', 'demo');
  computer.reply('client:tool_call', () => ({ content: [] }));
  const call = { agent: 'a1', computer: 'desk\u202e', tool_name: 'echo', params: {}, timeout: 5 };
  await agent.ask('client:tool_call', { ...call, req_id: 'r1' });
  await agent.ask('client:tool_call', { ...call, req_id: 'r2', computer: 'nobody' });
  return {
    ...{ server, agent, computer },
    async [Symbol.asyncDispose]() {
      agent.close();
      computer.close();
      await server.close();
    },
  };
}

describe('a2c server top', () => {
  test('a2c server top --once prints offices, calls and joins, and with --json all that is known', async () => {
    await using office = await openServer();
    const words = ['server', 'top', '--once', '--url', office.server.url];
    const { code, out } = await a2c([...words, '--key', key]);
    expect(code).toBe(0);
    expect(out).toMatch(/^a2c server {2}http:\/\/127.0.0.1:\d+ {2}ok {2}up/);
    expect(out).toMatch(/^demo +a1 +1 +0 +2$/m);
    expect(out).toMatch(/demo +a1 +desk +echo +answered +[\d.]+ ms/);
    expect(out).toMatch(/demo +a1 +nobody +echo +refused 404/);
    expect(out).toMatch(/enter +computer desk in demo +127\.0\.0\.1/);
    const json = (await a2c([...words, '--json'], { env: { A2C_OPERATOR_KEY: key } })).json<OperatorSnapshot>();
    expect(json).toMatchObject({
      overview: { members: 2, calls: { answered: 1, refused: 1 } },
      calls: [{ outcome: 'answered' }, { outcome: 'refused' }],
      offices: [{ office: 'demo' }],
    });
  });

  test('a2c server top without a terminal prints a line each second, and goes on when the Server is back', async () => {
    const first = await openServer();
    const port = Number(new URL(first.server.url).port);
    const words = ['server', 'top', '--url', first.server.url, '--key', key];
    const lines = startA2c(words);
    const frames = startA2c([...words, '--json']);
    await lines.shows('connections 2  members 2');
    await frames.shows('"event":"snapshot"');
    await first[Symbol.asyncDispose]();
    await lines.shows('reconnecting');
    await using second = await openServer(port);
    await eventually(() => expect(lines.out.split('reconnecting').at(-1)).toContain('members 2'));
    await eventually(() => expect(frames.out.match(/"event":"snapshot"/g)).toHaveLength(2));
    expect((await lines.stop()).code).toBe(0);
    await frames.stop();
    expect(second.server.offices).toEqual(['demo']);
  });

  test('a2c server top says what is missing', async () => {
    await using plain = await SmcpServer.listen({ port: 0 });
    await using server = await SmcpServer.listen({ port: 0, operatorKeys: [key] });
    const ends = (words: string[]) => a2c(['server', 'top', ...words]);
    expect(await ends([])).toMatchObject({ code: 2, err: /An operator's key is needed/ });
    const wrong = 'another-key-of-some-length';
    const refused = await ends(['--url', server.url, '--key', wrong]);
    expect(refused).toMatchObject({ code: 2, err: /not that of an operator/ });
    expect(refused.err).not.toContain(wrong);
    const off = { code: 1, err: /has no operator API: start it with --operator-key KEY/ };
    expect(await ends(['--url', plain.url, '--key', key])).toMatchObject(off);
    expect(await ends(['--url', 'http://127.0.0.1:1', '--key', key])).toMatchObject({ code: 1, err: /reached/ });
  });

  test.runIf(hasPseudoTerminal)('a2c server top takes the whole terminal, and gives it back at q', async () => {
    await using office = await openServer();
    await using terminal = openTerminal(['server', 'top', '--url', office.server.url, '--key', key], { rows: 30 });
    await terminal.shows(/demo +a1 +1 +0 +2/);
    await using late = await RawPeer.join(office.server.url, 'computer', 'late', 'demo');
    await terminal.shows(/enter +computer late in demo/);
    expect(late.socket.connected).toBe(true);
    terminal.type('q');
    expect(await terminal.ended).toBe(0);
  });
});

test('a2c server disconnect ends the connection of a member', async () => {
  await using office = await openServer();
  const words = ['server', 'disconnect', '--url', office.server.url, '--key', key];
  expect(await a2c([...words, 'demo'])).toMatchObject({ code: 2 });
  expect(await a2c([...words, 'demo', 'nobody'])).toMatchObject({ code: 1, err: /has no member 'nobody'/ });
  expect(await a2c([...words, 'demo', 'a1', '--role', 'computer'])).toMatchObject({ code: 1 });
  expect(await a2c([...words, 'demo', 'a1'])).toMatchObject({ code: 0, out: "Disconnected 'a1' in office 'demo'" });
  await eventually(() => expect(office.agent.socket.connected).toBe(false));
});
