import { type ConnectionState, Peer, type PeerOptions } from '@a2c-smcp/peer';
import { apiKeys, SmcpServer } from '@a2c-smcp/server';
import { RawPeer } from '@a2c-smcp/testing';
import { describe, expect, test } from 'vitest';
import { verifies } from '../conformance/verifies.ts';
import { eventually } from '../eventually.ts';

const member: PeerOptions = { role: 'agent', name: 'a1', office: 'o1' };
const listing = { agent: 'a1', req_id: 'r1', office_id: 'o1' };

describe('replacing a member', () => {
  verifies('reconnect.replace', async () => {
    await using server = await SmcpServer.listen({ port: 0 });
    await using computer = await RawPeer.join(server.url, 'computer', 'c1', 'o1');
    const heard: unknown[] = [];
    computer.socket.onAny((event, { agent }) => heard.push([event, agent]));
    await using first = await Peer.join(server.url, member);
    const states: ConnectionState[] = [];
    first.on('connection', state => states.push(state));
    await using second = await Peer.join(server.url, { ...member, name: 'a2', replace: true });
    expect(second.joined).toBe(true);
    await eventually(() => expect(states.at(-1)).toMatchObject({ type: 'retrying', error: { code: 4101 } }));
    expect(heard).toEqual([
      ['notify:enter_office', 'a1'],
      ['notify:leave_office', 'a1'],
      ['notify:enter_office', 'a2'],
    ]);
    const listed = first.call('server:list_room', listing, { timeout: 100 });
    await expect(listed).rejects.toMatchObject({ code: 4101, details: { reason: 'offline' } });
  });

  test('a member that replaced another one does not do so again after it was replaced itself', async () => {
    await using server = await SmcpServer.listen({ port: 0 });
    await using first = await Peer.join(server.url, { ...member, replace: true });
    await using second = await Peer.join(server.url, { ...member, replace: true });
    const states: ConnectionState[] = [];
    first.on('connection', state => states.push(state));
    await eventually(() => expect(states.filter(({ type }) => type === 'retrying').length).toBeGreaterThan(2));
    expect([first.joined, second.joined]).toEqual([false, true]);
  });

  test('a Computer takes the place of another one of its name', async () => {
    await using server = await SmcpServer.listen({ port: 0 });
    const desk: PeerOptions = { role: 'computer', name: 'desk', office: 'o1' };
    await using first = await Peer.join(server.url, desk);
    await expect(Peer.join(server.url, desk)).rejects.toMatchObject({ details: { reason: 'name_taken' } });
    await using second = await Peer.join(server.url, { ...desk, replace: true });
    await eventually(() => expect(first.joined).toBe(false));
    expect(second.joined).toBe(true);
  });

  test('another identity is refused', async () => {
    const keys = new Map([
      ['k1', { id: 'anna' }],
      ['k2', { id: 'bert' }],
    ]);
    await using server = await SmcpServer.listen({ port: 0, authenticate: apiKeys(keys) });
    await using first = await Peer.join(server.url, { ...member, auth: { token: 'k1' } });
    const refused = Peer.join(server.url, { ...member, auth: { token: 'k2' }, replace: true });
    await expect(refused).rejects.toMatchObject({ code: 4101 });
    expect(first.joined).toBe(true);
  });
});
