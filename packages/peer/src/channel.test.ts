import { readHead } from '@a2c-smcp/core';
import type { Manager } from 'socket.io-client';
import { expect, test, vi } from 'vitest';
import { Channel } from './channel.ts';

/** A channel on as much of an open Engine.IO connection as it needs. */
function openChannel() {
  const socket = { cork: vi.fn(), uncork: vi.fn() };
  const ws = { readyState: 1, send: vi.fn(), _socket: socket };
  const state = { readyState: 'open', upgrading: false, writeBuffer: [], transport: { writable: true, ws } };
  const engine = { ...state, on: vi.fn(), hasListeners: () => false, write: vi.fn() };
  const channel = new Channel({ onFailed: vi.fn(), onSlow: vi.fn() });
  channel.open(engine as unknown as Manager['engine']);
  const receive = (packet: string) => {
    const head = readHead(packet);
    if (head) channel.receive(head, packet);
  };
  return { channel, receive, socket };
}

test('the only request in flight is written at once, further ones of a turn together', async () => {
  const { channel, receive, socket } = openChannel();
  const first = channel.request('a', {}, { timeout: 1000 });
  expect(socket.cork).not.toHaveBeenCalled();
  const others = [channel.request('b', {}, { timeout: 1000 }), channel.request('c', {}, { timeout: 1000 })];
  expect(socket.cork).toHaveBeenCalledOnce();
  for (const id of [0, 1, 2]) receive(`3/smcp,${id}[{}]`);
  await Promise.all([first, ...others]);
  await channel.request('d', {}, { timeout: 1000, signal: AbortSignal.abort(new Error('no')) }).catch(() => {});
  void channel.request('e', {}, { timeout: 1000 }).catch(() => {});
  expect(socket.cork).toHaveBeenCalledOnce();
  channel.close();
});

test('the answer after which no request is open is written at once, the others of a turn together', async () => {
  const { channel, receive, socket } = openChannel();
  const replies: (() => void)[] = [];
  channel.on('ask', (_body: unknown, reply: () => void) => replies.push(reply));
  receive('2/smcp,7["ask",{}]');
  receive('2/smcp,8["ask",{}]');
  await new Promise(resolve => setImmediate(resolve));
  replies[0]?.();
  expect([socket.cork.mock.calls.length, socket.uncork.mock.calls.length]).toEqual([1, 0]);
  replies[1]?.();
  expect([socket.cork.mock.calls.length, socket.uncork.mock.calls.length]).toEqual([1, 1]);
});
