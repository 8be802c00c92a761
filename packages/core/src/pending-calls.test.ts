import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { PendingCalls } from './pending-calls.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('a call can be taken once', () => {
  const pending = new PendingCalls<string>();
  const id = pending.add('a');
  expect(pending.get(id)).toBe('a');
  expect(pending.take(id)).toBe('a');
  expect(pending.take(id)).toBeUndefined();
  expect(pending.get(id)).toBeUndefined();
  expect(pending.size).toBe(0);
});

test('ids count from the first one and stay below 2^31', () => {
  const pending = new PendingCalls<string>({ firstId: 2 ** 30 });
  expect([pending.add('a'), pending.add('b')]).toEqual([2 ** 30, 2 ** 30 + 1]);
});

test('a call that is not taken in time is given to onTimeout, and is not pending any more', () => {
  const onTimeout = vi.fn();
  const pending = new PendingCalls<string>({ onTimeout });
  const [slow, taken] = [pending.add('slow', 100), pending.add('taken', 100)];
  pending.add('patient');
  pending.take(taken);
  vi.advanceTimersByTime(99);
  expect(onTimeout).not.toHaveBeenCalled();
  vi.advanceTimersByTime(200);
  expect(onTimeout.mock.calls).toEqual([['slow', slow]]);
  expect(pending.take(slow)).toBeUndefined();
  expect([...pending]).toEqual(['patient']);
});

test('a call whose signal fires is given to onAbort once, and is not pending any more', () => {
  const onAbort = vi.fn();
  const pending = new PendingCalls<string>({ onAbort });
  const [first, second] = [new AbortController(), new AbortController()];
  const aborted = pending.add('aborted', 100, first.signal);
  pending.take(pending.add('taken', undefined, second.signal));
  first.abort('enough');
  second.abort('late');
  expect(onAbort.mock.calls).toEqual([['aborted', 'enough']]);
  expect(pending.take(aborted)).toBeUndefined();
  expect(pending.size).toBe(0);
});

test('all calls, or those that match, can be taken at once', () => {
  const pending = new PendingCalls<string>();
  for (const call of ['a1', 'a2', 'b1', 'b2']) pending.add(call, 1000);
  expect(pending.takeAll(call => call.startsWith('a'))).toEqual(['a1', 'a2']);
  expect(pending.takeAll()).toEqual(['b1', 'b2']);
  expect(pending.size).toBe(0);
  vi.advanceTimersByTime(2000);
  expect(vi.getTimerCount()).toBe(0);
});

test('calls time out in the order of their deadlines, never early and at most a tenth of a second late', () => {
  const expired: [string, number][] = [];
  const started = performance.now();
  const pending = new PendingCalls<string>({ onTimeout: call => expired.push([call, performance.now() - started]) });
  pending.add('late', 500);
  pending.add('soon', 10);
  pending.add('middle', 250);
  vi.advanceTimersByTime(1000);
  expect(expired.map(([call]) => call)).toEqual(['soon', 'middle', 'late']);
  for (const [index, due] of [10, 250, 500].entries()) {
    expect(expired[index]?.[1]).toBeGreaterThanOrEqual(due);
    expect(expired[index]?.[1]).toBeLessThanOrEqual(due + 100);
  }
});

test('no timer runs while no call has a deadline', () => {
  const pending = new PendingCalls<string>();
  pending.take(pending.add('taken', 100));
  pending.add('without');
  vi.advanceTimersByTime(200);
  expect(vi.getTimerCount()).toBe(0);
});

test('an answer that has arrived is taken before its call is given up, however late the process is', async () => {
  vi.useRealTimers();
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const answering = once(server, 'connection');
  const socket = connect((server.address() as { port: number }).port, '127.0.0.1');
  const [peer] = await answering;
  const onTimeout = vi.fn();
  const pending = new PendingCalls<string>({ onTimeout });
  const id = pending.add('a', 50);
  const taken = once(socket, 'data').then(() => pending.take(id));
  peer.write('answer');
  for (const end = performance.now() + 200; performance.now() < end; );
  expect(await taken).toBe('a');
  expect(onTimeout).not.toHaveBeenCalled();
  socket.destroy();
  server.close();
});
