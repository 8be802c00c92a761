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

test('a request that cannot be written fails, and is not in flight', async () => {
  const { requests, write, answer } = opened();
  write.mockImplementationOnce(() => {
    throw new Error('The process has ended');
  });
  await expect(requests.send('a', {}, {})).rejects.toThrow('The process has ended');
  const next = requests.send('b', {}, {});
  answer(1, { ok: true });
  expect(await next).toEqual({ ok: true });
});
