import { readHead } from '@a2c-smcp/core';
import type { Manager } from 'socket.io-client';
import { expect, test, vi } from 'vitest';
import { Channel } from './channel.ts';

/** A channel on an open connection, and how often messages had to wait for others of their turn. */
function openChannel() {
  const socket = { cork: vi.fn(), uncork: vi.fn() };
  const ws = { readyState: 1, send: vi.fn(), _socket: socket };
  const state = { readyState: 'open', upgrading: false, writeBuffer: [], transport: { writable: true, ws } };
  const engine = { ...state, on: vi.fn(), hasListeners: () => false };
  const channel = new Channel({ onFailed: vi.fn(), onSlow: vi.fn() });
  channel.open(engine as unknown as Manager['engine']);
  return { channel, waits: () => socket.cork.mock.calls.length, sent: () => ws.send.mock.calls.length };
}

async function receive(channel: Channel, packet: string): Promise<void> {
  const head = readHead(packet);
  if (!head) throw new Error(`not a packet: ${packet}`);
  channel.receive(head, packet);
  await new Promise(resolve => process.nextTick(resolve));
}

test('a request waits for others of its turn only while one is in flight', async () => {
  const { channel, waits, sent } = openChannel();
  const first = channel.request('client:get_tools', {}, { timeout: 1000 });
  expect([sent(), waits()]).toEqual([1, 0]);
  const second = channel.request('client:get_tools', {}, { timeout: 1000 });
  expect([sent(), waits()]).toEqual([2, 1]);
  channel.close();
  await Promise.allSettled([first, second]);
});

test('an answer waits for others of its turn only while another one is owed', async () => {
  const { channel, waits, sent } = openChannel();
  const replies: ((answer: unknown) => void)[] = [];
  channel.on('client:tool_call', (_, reply) => replies.push(reply));
  await receive(channel, '2/smcp,1["client:tool_call",{}]');
  replies[0]?.({});
  expect([sent(), waits()]).toEqual([1, 0]);
  await receive(channel, '2/smcp,2["client:tool_call",{}]');
  await receive(channel, '2/smcp,3["client:tool_call",{}]');
  replies[1]?.({});
  expect([sent(), waits()]).toEqual([2, 1]);
});
