import { type ConnectionState, Peer, type PeerOptions } from '@a2c-smcp/peer';
import { apiKeys, SmcpServer } from '@a2c-smcp/server';
import { describe, expect, test } from 'vitest';
import { eventually } from '../eventually.ts';

const member: PeerOptions = { role: 'agent', name: 'a1', office: 'o1' };

/** The address of a Server that is gone. */
async function deadUrl(): Promise<string> {
  await using server = await SmcpServer.listen({ port: 0 });
  return server.url;
}

describe('a peer with several addresses', () => {
  test('joins by the first one that takes connections, and by another one when that is gone', async () => {
    const first = await SmcpServer.listen({ port: 0 });
    await using second = await SmcpServer.listen({ port: 0 });
    await using peer = await Peer.join([await deadUrl(), first.url, second.url], member);
    expect([first, second].map(server => server.health().members)).toEqual([1, 0]);
    const states: ConnectionState['type'][] = [];
    peer.on('connection', ({ type }) => states.push(type));
    await first.close();
    await eventually(() => expect(states.at(-1)).toBe('joined'));
    expect(second.health().members).toBe(1);
  });

  test('goes on to the next one when a Server is full', async () => {
    await using full = await SmcpServer.listen({ port: 0, limits: { connections: 0 } });
    await using other = await SmcpServer.listen({ port: 0 });
    await using peer = await Peer.join([full.url, other.url], member);
    expect(peer.joined).toBe(true);
  });

  test('does not go on when its credentials are refused', async () => {
    await using closed = await SmcpServer.listen({ port: 0, authenticate: apiKeys('k1') });
    await using other = await SmcpServer.listen({ port: 0 });
    await expect(Peer.join([closed.url, other.url], member)).rejects.toMatchObject({ code: 401 });
  });

  test('fails with the last error when no Server answers', async () => {
    const urls = [await deadUrl(), await deadUrl()];
    await expect(Peer.join(urls, member)).rejects.toMatchObject({
      code: 408,
      message: expect.stringContaining(String(urls[1])),
    });
    await expect(Peer.join([], member)).rejects.toThrow('The list of addresses is empty');
  });
});

describe('a peer that waits for a Server', () => {
  test('joins when the Server is up', async () => {
    const url = await deadUrl();
    const joining = Peer.join(url, { ...member, waitForServer: true });
    await using _server = await SmcpServer.listen({ port: Number(new URL(url).port) });
    await using peer = await joining;
    expect(peer.joined).toBe(true);
  });

  test('gives up when its signal fires', async () => {
    const controller = new AbortController();
    const joining = Peer.join(await deadUrl(), { ...member, waitForServer: true, signal: controller.signal });
    controller.abort(new Error('changed my mind'));
    await expect(joining).rejects.toThrow('changed my mind');
  });

  test('does not wait when it is refused', async () => {
    await using server = await SmcpServer.listen({ port: 0, authenticate: apiKeys('k1') });
    await expect(Peer.join(server.url, { ...member, waitForServer: true })).rejects.toMatchObject({ code: 401 });
  });
});
