import type { Manager } from 'socket.io-client';
import { expect, test, vi } from 'vitest';
import { messageSender } from './engine-io.ts';

/** As much of an open Engine.IO connection as sending needs. */
function openEngine(socket: object) {
  const ws = { readyState: 1, send: vi.fn(), _socket: socket };
  const state = { readyState: 'open', upgrading: false, writeBuffer: [], transport: { writable: true, ws } };
  return { ...state, on: vi.fn(), hasListeners: () => false, write: vi.fn(), ws };
}

test('messages go through Engine.IO where the TCP connection cannot be corked, as in Bun', () => {
  const engine = openEngine({});
  const onSlow = vi.fn();
  const send = messageSender(engine as unknown as Manager['engine'], onSlow);
  send('one');
  send('two');
  expect(engine.write.mock.calls).toEqual([['one'], ['two']]);
  expect(engine.ws.send).not.toHaveBeenCalled();
  expect(onSlow).toHaveBeenCalledOnce();
});

test('messages of one turn are written past Engine.IO with one uncork', async () => {
  const socket = { cork: vi.fn(), uncork: vi.fn() };
  const engine = openEngine(socket);
  const send = messageSender(engine as unknown as Manager['engine'], () => {});
  send('one');
  send('two');
  await new Promise(resolve => setImmediate(resolve));
  expect([socket.cork, socket.uncork, engine.ws.send, engine.write].map(({ mock }) => mock.calls.length)).toEqual([
    1, 1, 2, 0,
  ]);
});

test('a lone message is written at once, and one behind others of its turn stays behind them', () => {
  const socket = { cork: vi.fn(), uncork: vi.fn() };
  const engine = openEngine(socket);
  const send = messageSender(engine as unknown as Manager['engine'], () => {});
  send('one', true);
  expect([engine.ws.send, socket.cork].map(({ mock }) => mock.calls.length)).toEqual([1, 0]);
  send('two');
  send('three', true);
  expect(engine.ws.send.mock.calls.map(([bytes]) => String(bytes))).toEqual(['4one', '4two', '4three']);
  expect([socket.cork, socket.uncork].map(({ mock }) => mock.calls.length)).toEqual([1, 0]);
});
