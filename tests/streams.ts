import { PassThrough, type Readable, type Writable } from 'node:stream';
import { deserializeMessage, serializeMessage, type Transport } from '@modelcontextprotocol/client';

/**
 * The client's end of two streams, as it has with a process.
 *
 * @param serve begins to serve a client at the other ends, and resolves when that has ended
 */
export function streamTransport(serve: (streams: { input: Readable; output: Writable }) => Promise<void>): Transport {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const closed = serve({ input, output });
  let rest = '';
  const transport: Transport = {
    async start() {
      output.setEncoding('utf8').on('data', (text: string) => {
        const lines = (rest + text).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) transport.onmessage?.(deserializeMessage(line));
      });
    },
    async send(message) {
      input.write(serializeMessage(message));
    },
    async close() {
      input.end();
      await closed;
      transport.onclose?.();
    },
  };
  return transport;
}
