import { expect, test } from 'vitest';
import { limitBody } from './body-limit.ts';

function respond(type: string, ...chunks: string[]): Response {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(new TextEncoder().encode(chunk));
      controller.close();
    },
  });
  return new Response(body, { status: 201, headers: { 'content-type': type } });
}

test('a body within the limit passes unchanged, with its status and headers', async () => {
  const limited = limitBody(respond('application/json', '[1,', '2]'), 5);
  expect(limited).toMatchObject({ status: 201 });
  expect(limited.headers.get('content-type')).toBe('application/json');
  expect(await limited.json()).toEqual([1, 2]);
});

test('a body above the limit fails with the limit', async () => {
  await expect(limitBody(respond('application/json', '[1,', '2]'), 4).text()).rejects.toThrow('more than 128 MiB');
});

test.each(['\n\n', '\r\n\r\n', '\r\r'])(
  'a stream of any length passes while each event, ended by %j, fits',
  async end => {
    const chunks = Array.from({ length: 50 }, () => `data: 12${end}`);
    const whole = chunks.join('');
    expect(await limitBody(respond('text/event-stream', ...chunks), 20).text()).toBe(whole);
    expect(await limitBody(respond('text/event-stream', ...whole), 20).text()).toBe(whole);
  },
);

test('an event above the limit fails, however it is divided', async () => {
  const event = `data: ${'x'.repeat(30)}`;
  for (const chunks of [[event], [...event], ['data: 1\n\n', ...event]]) {
    await expect(limitBody(respond('text/event-stream', ...chunks), 20).text()).rejects.toThrow('more than 128 MiB');
  }
});
