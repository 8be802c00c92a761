import { PassThrough } from 'node:stream';
import { expect, test, vi } from 'vitest';
import { eventually } from '../../../../tests/eventually.ts';
import { StreamTransport } from './stream-transport.ts';

async function opened() {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const transport = new StreamTransport(input, output);
  const received = { messages: vi.fn(), errors: vi.fn(), closed: vi.fn() };
  transport.onmessage = received.messages;
  transport.onerror = received.errors;
  transport.onclose = received.closed;
  await transport.start();
  return { transport, input, output, ...received };
}

const ping = (id: number | string) => ({ jsonrpc: '2.0' as const, id, method: 'ping' });
const turn = () => new Promise(resolve => setImmediate(resolve));

test('messages are read whatever the pieces they arrive in', async () => {
  const { input, messages } = await opened();
  const bytes = Buffer.from(`${JSON.stringify(ping('é'))}\r\n${JSON.stringify(ping(2))}\n`);
  for (const byte of bytes) input.write(Buffer.from([byte]));
  await turn();
  expect(messages.mock.calls).toEqual([[ping('é')], [ping(2)]]);
});

test('a message that is intercepted is neither checked nor passed on', async () => {
  const { transport, input, messages, errors } = await opened();
  const take = vi.fn((message: unknown) => Object(message).mine === true);
  transport.intercept(take);
  input.write(`{"mine":true}\n${JSON.stringify(ping(1))}\n`);
  await turn();
  expect(take).toHaveBeenCalledTimes(2);
  expect(messages.mock.calls).toEqual([[ping(1)]]);
  expect(errors).not.toHaveBeenCalled();
});

test('a line that is not JSON is ignored, JSON that is no message is an error, and the next message is read', async () => {
  const { input, messages, errors, closed } = await opened();
  input.write(`hello\n{"jsonrpc":"1.0"}\n${JSON.stringify(ping(1))}\n`);
  await turn();
  expect(errors).toHaveBeenCalledOnce();
  expect(messages.mock.calls).toEqual([[ping(1)]]);
  expect(closed).not.toHaveBeenCalled();
});

test('a message of more than 10 MiB closes the connection', async () => {
  const { input, errors, closed } = await opened();
  input.write('x'.repeat(10 * 1024 * 1024 + 1));
  await eventually(() => expect(closed).toHaveBeenCalledOnce());
  expect(errors).toHaveBeenCalledOnce();
});

test('the end of the input closes the connection, and nothing can be sent any more', async () => {
  const { transport, input, closed } = await opened();
  input.end();
  await eventually(() => expect(closed).toHaveBeenCalledOnce());
  await expect(transport.send(ping(1))).rejects.toThrow('disconnected');
});

test('an output that fails closes the connection, also when that happens twice', async () => {
  const { output, errors, closed } = await opened();
  output.emit('error', new Error('EPIPE'));
  output.emit('error', new Error('EPIPE'));
  expect([errors.mock.calls.length, closed.mock.calls.length]).toEqual([1, 1]);
});

test('sending waits while the client does not read', async () => {
  const { transport, output } = await opened();
  const sent = vi.fn();
  const large = { ...ping(1), params: { text: 'x'.repeat(2 * output.writableHighWaterMark) } };
  const [first, second] = [transport.send(large).then(sent), transport.send(ping(2)).then(sent)];
  await turn();
  expect(sent).not.toHaveBeenCalled();
  output.resume();
  await Promise.all([first, second]);
  expect(sent).toHaveBeenCalledTimes(2);
});
