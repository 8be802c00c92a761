import { expect, test, vi } from 'vitest';
import type { DirectTransport } from '../transport/transport.ts';
import { DirectRequests } from './direct-requests.ts';

function opened() {
  const write = vi.fn<DirectTransport['write']>();
  let take: (message: unknown) => boolean = () => false;
  const requests = new DirectRequests({
    write,
    intercept: given => {
      take = given;
    },
  });
  const answer = (call: number, result: unknown) => take({ ...write.mock.calls[call]?.[0], method: undefined, result });
  return { requests, write, answer };
}

test('the only request in flight is written at once, others may be written together', async () => {
  const { requests, write, answer } = opened();
  const sent = [requests.send('a', {}, {}), requests.send('b', {}, {})];
  answer(0, {});
  answer(1, {});
  await Promise.all(sent);
  void requests.send('c', {}, {});
  expect(write.mock.calls.map(([, isAlone]) => isAlone)).toEqual([true, false, true]);
});

test('a request that cannot be written fails, and is not in flight', async () => {
  const { requests, write, answer } = opened();
  write.mockImplementationOnce(() => {
    throw new Error('The process has ended');
  });
  await expect(requests.send('a', {}, {})).rejects.toThrow('The process has ended');
  const next = requests.send('b', {}, {});
  expect(write.mock.calls[1]?.[1]).toBe(true);
  answer(1, { ok: true });
  expect(await next).toEqual({ ok: true });
});
