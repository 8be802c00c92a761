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
  await expect(limitBody(respond('application/json', '[1,', '2]'), 4).text()).rejects.toThrow('more than 32 MiB');
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
    await expect(limitBody(respond('text/event-stream', ...chunks), 20).text()).rejects.toThrow('more than 32 MiB');
  }
});

test.each(['application/json', 'text/event-stream'])(
  'a message of more than 1,000,000 values as %s fails, and one with as many commas in a text passes',
  async type => {
    const limit = (body: string) => limitBody(respond(type, 'event: "x\\\n', 'data: ', body)).text();
    await expect(limit(`{"x":[${'0,'.repeat(1_000_000)}0]}`)).rejects.toThrow('more than 1,000,000 values');
    await expect(limit(JSON.stringify({ x: '",[{\\'.repeat(300_000) }))).resolves.toContain('[{');
  },
);

test('a body of more than 100 messages fails, and one of 100 passes', async () => {
  const batch = (count: number) => `[${Array(count).fill('{"a":[1,2],"b":"[,"}').join()}]`;
  expect(await limitBody(respond('application/json', batch(100))).json()).toHaveLength(100);
  await expect(limitBody(respond('application/json', batch(101))).text()).rejects.toThrow('more than 100 messages');
});
