import { clientEvents, serverEvents, signalEvents } from '@a2c-smcp/protocol';
import { SmcpServer } from '@a2c-smcp/server';
import { RawPeer } from '@a2c-smcp/testing';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { openWorkingOffice } from './working-office.ts';

const events = [...Object.keys(clientEvents), ...Object.keys(serverEvents), ...Object.keys(signalEvents)];
const rejections: unknown[] = [];
const onRejection = (reason: unknown) => rejections.push(reason);

beforeEach(() => {
  rejections.length = 0;
  process.on('unhandledRejection', onRejection);
});
afterEach(() => {
  process.off('unhandledRejection', onRejection);
  expect(rejections).toEqual([]);
});

describe('hostile peers', () => {
  test('10,000 random messages harm neither the Server nor another office', { timeout: 120_000 }, async ({
    annotate,
  }) => {
    const seed = Date.now();
    await annotate(`seed ${seed}`);
    const limits = { eventsPerSecond: 1_000_000 };
    await using server = await SmcpServer.listen({ port: 0, limits });
    const office = await openWorkingOffice(server.url);
    const field = fc.oneof(
      fc.constantFrom('evil', 'c1', 'a1', 'working', 'attacked', 'agent', 'computer', '', '__proto__', 'constructor'),
      fc.jsonValue({ maxDepth: 2 }),
    );
    const keys = ['agent', 'computer', 'req_id', 'office_id', 'role', 'name', 'timeout', 'tool_name', 'params', 'uri'];
    const body = fc.oneof(
      fc.dictionary(fc.oneof(fc.constantFrom(...keys), fc.string()), field, { maxKeys: 8 }),
      fc.jsonValue({ maxDepth: 2 }),
    );
    const name = fc.oneof(
      { weight: 9, arbitrary: fc.constantFrom(...events) },
      { weight: 1, arbitrary: fc.string({ minLength: 1 }).map(text => `x:${text}`) },
    );
    const message = fc.tuple(name, fc.array(body, { maxLength: 3 }));
    const messages = fc.sample(message, { numRuns: 10_000, seed });

    const evil = await Promise.all(Array.from({ length: 4 }, () => RawPeer.connect(server.url)));
    await evil[0]!.enter('agent', 'evil', 'attacked');
    await evil[1]!.enter('computer', 'evil', 'attacked');
    for (const [index, [event, args]] of messages.entries()) {
      const { socket } = evil[index % evil.length]!;
      if (index % 3 === 0) socket.emit(event, ...args);
      else socket.emit(event, ...args, () => {});
      if (index % 500 === 0) await evil[0]!.settled();
    }
    await Promise.all(evil.map(peer => peer.settled()));
    for (const peer of evil) peer.close();

    const { answered, heard } = await office.stop();
    expect(answered).toBeGreaterThan(10);
    expect(heard).toEqual([]);
    await eventually(() =>
      expect(server.health()).toMatchObject({ status: 'ok', connections: 0, offices: 0, members: 0, inFlight: 0 }),
    );
  });

  test('wrong types in every field of every event are answered or dropped', async () => {
    await using server = await SmcpServer.listen({ port: 0, limits: { eventsPerSecond: 1_000_000 } });
    const office = await openWorkingOffice(server.url);
    await using evil = await RawPeer.join(server.url, 'agent', 'evil', 'attacked');
    const values: unknown[] = [
      undefined,
      null,
      true,
      0,
      -1,
      1e308,
      '',
      'x',
      [],
      [[]],
      {},
      { toString: 1 },
      'x'.repeat(10_000),
    ];
    const good = { agent: 'evil', computer: 'c1', req_id: 'r', office_id: 'o', role: 'agent', name: 'n', timeout: 1 };
    for (const event of events) {
      for (const field of Object.keys(good)) {
        for (const value of values) {
          const answer = await evil.ask(event, { ...good, [field]: value });
          expect(answer.length).toBeLessThanOrEqual(2);
        }
      }
    }
    expect((await office.stop()).answered).toBeGreaterThan(10);
  });

  test.each([
    ['binary', Buffer.from([1, 2, 3])],
    ['a packet that is no JSON', '42/smcp,["client:tool_call",{'],
    ['a binary event', '451-/smcp,["client:tool_call",{"_placeholder":true,"num":0}]'],
    ['a reserved event', '42/smcp,["disconnecting"]'],
    ['an acknowledgement of nothing', '43/smcp,99[1]'],
    ['an unknown packet type', '49/smcp,[]'],
    ['an enormous id', `42/smcp,${'9'.repeat(400)}["x"]`],
    ['an unknown namespace', '42/nowhere,["x"]'],
  ])('%s costs at most its sender the connection', async (_, frame) => {
    await using server = await SmcpServer.listen({ port: 0 });
    const office = await openWorkingOffice(server.url);
    await using evil = await RawPeer.connect(server.url);
    const { transport } = evil.socket.io.engine as unknown as { transport: { ws: { send(data: unknown): void } } };
    transport.ws.send(frame);
    await using next = await RawPeer.connect(server.url);
    await next.settled();
    expect((await office.stop()).answered).toBeGreaterThan(0);
    expect(server.health()).toMatchObject({ status: 'ok' });
  });
});

test('memory is back where it was after an attack', { timeout: 120_000 }, async () => {
  const { gc } = globalThis;
  expect(gc, 'the tests run with --expose-gc').toBeTypeOf('function');
  await using server = await SmcpServer.listen({ port: 0, timeout: 50, limits: { eventsPerSecond: 1_000_000 } });
  const attack = async () => {
    await using agent = await RawPeer.join(server.url, 'agent', 'a1', 'o1');
    await using _mute = await RawPeer.join(server.url, 'computer', 'c1', 'o1');
    for (let round = 0; round < 10; round++) {
      const calls = Array.from({ length: 200 }, (_, n) => {
        const padding = 'x'.repeat(5000);
        return agent.ask('client:get_tools', { agent: 'a1', computer: 'c1', req_id: `${round}-${n}`, padding });
      });
      await Promise.all(calls);
    }
  };
  const heapAfter = async () => {
    await attack();
    await eventually(() => expect(server.health().connections).toBe(0));
    gc?.();
    gc?.();
    return process.memoryUsage().heapUsed;
  };
  await heapAfter();
  const before = await heapAfter();
  const after = await heapAfter();
  expect(after - before).toBeLessThan(4_000_000);
});
