import { SmcpServer } from '@a2c-smcp/server';
import { RawPeer } from '@a2c-smcp/testing';
import { describe, expect } from 'vitest';
import { verifies } from '../conformance/verifies.ts';

const agent = (name: string, office = 'o1') => ({ role: 'agent', name, office_id: office });
const computer = (name: string, office = 'o1') => ({ role: 'computer', name, office_id: office });

async function open(options: { computersPerOffice?: number; redis?: string } = {}) {
  const server = await SmcpServer.listen({ port: 0, ...options });
  const connect = (version: string) => RawPeer.connect(server.url, { query: { a2c_version: version } });
  return { server, connect, [Symbol.asyncDispose]: () => server.close() };
}

describe('a client of 0.5', () => {
  verifies(['line.0.5.acks', 'line.0.5.leave'], async () => {
    await using office = await open();
    const peer = await office.connect('0.5.0');
    expect(await peer.ask('server:leave_office', { office_id: 'o1' })).toEqual([]);
    expect(await peer.ask('server:join_office', agent('a1'))).toEqual([]);
    expect(await peer.ask('server:join_office', agent('a1'))).toEqual([]);
    expect(await peer.ask('server:leave_office', { office_id: 'another' })).toEqual([]);
    expect(await peer.ask('server:leave_office', { office_id: 'o1' })).toEqual([]);
    expect(await peer.ask('server:join_office', agent('a1'))).toEqual([]);
  });

  verifies('line.0.5.errors', async () => {
    await using office = await open();
    const [first, second, third] = [
      await office.connect('0.5.0'),
      await office.connect('0.5.0'),
      await office.connect('0.5.0'),
    ];
    await first.ask('server:join_office', agent('a1'));
    const details = { office_id: 'o1', role: 'agent' };
    expect(await second.ask('server:join_office', agent('a2'))).toMatchObject([{ code: 4101, details }]);
    expect(await first.ask('server:join_office', agent('a1', 'o2'))).toMatchObject([
      { code: 4106, details: { office_id: 'o1' } },
    ]);
    expect(await first.ask('server:join_office', agent('other'))).toMatchObject([{ code: 403 }]);
    expect(await first.ask('server:join_office', computer('a1'))).toMatchObject([{ code: 403 }]);
    expect(await first.ask('server:join_office', { role: 'agent' })).toMatchObject([{ code: 400 }]);
    expect(await first.ask('server:join_office', agent(''))).toMatchObject([{ code: 400 }]);
    await third.ask('server:join_office', computer('c1'));
    const taken = { code: 4101, details: { office_id: 'o1', role: 'computer' } };
    expect(await second.ask('server:join_office', computer('c1'))).toMatchObject([taken]);
    const list = { agent: 'a1', req_id: 'r1' };
    expect(await first.ask('server:list_room', { ...list, office_id: 'empty' })).toMatchObject([{ code: 4104 }]);
  });

  verifies('line.0.5.identity', async () => {
    await using office = await open();
    const [sender, listener, older] = [
      await office.connect('0.5.0'),
      await office.connect('0.2.0'),
      await office.connect('0.4.0'),
    ];
    await sender.ask('server:join_office', computer('c1'));
    await listener.ask('server:join_office', agent('a1'));
    await older.ask('server:join_office', computer('c2'));
    expect(await sender.ask('server:update_desktop', { computer: 'c2' })).toEqual([]);
    expect(await older.ask('server:update_desktop', { computer: 'c1' })).toMatchObject([{ code: 403 }]);
    await listener.settled();
    expect(listener.payloads('notify:update_desktop')).toEqual([{ computer: 'c1' }]);
  });
});

describe('a Server with computersPerOffice', () => {
  verifies('office.computers', async () => {
    await using office = await open({ computersPerOffice: 1 });
    const [first, second, older] = [
      await office.connect('0.5.0'),
      await office.connect('0.5.0'),
      await office.connect('0.4.0'),
    ];
    expect(await first.ask('server:join_office', computer('c1'))).toEqual([]);
    expect(await second.ask('server:join_office', computer('c2'))).toMatchObject([{ code: 4101 }]);
    expect(await older.ask('server:join_office', computer('c2'))).toEqual([false, expect.stringContaining('1')]);
    expect(await second.ask('server:join_office', agent('a1'))).toEqual([]);
    await first.ask('server:leave_office', { office_id: 'o1' });
    expect(await older.ask('server:join_office', computer('c2'))).toEqual([true, null]);
  });
});
