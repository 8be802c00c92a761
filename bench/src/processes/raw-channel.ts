import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** Publishes to a Redis and subscribes, with as little as that takes. */
export class RawChannel {
  readonly #publisher: Socket;
  readonly #subscriber: Socket;
  readonly #subscribing: (() => void)[] = [];

  private constructor(publisher: Socket, subscriber: Socket, onMessage: (channel: string, message: Buffer) => void) {
    this.#publisher = publisher;
    this.#subscriber = subscriber;
    publisher.write(command('CLIENT', 'REPLY', 'OFF'));
    let pending = Buffer.alloc(0);
    subscriber.on('data', chunk => {
      const bytes = pending.length > 0 ? Buffer.concat([pending, chunk]) : chunk;
      let start = 0;
      for (let push = readPush(bytes, start); push; push = readPush(bytes, start)) {
        const [kind, channel, message] = push.parts;
        if (String(kind) === 'message') onMessage(String(channel), message as Buffer);
        else this.#subscribing.shift()?.();
        start = push.end;
      }
      pending = bytes.subarray(start);
    });
  }

  static async open(url: string, onMessage: (channel: string, message: Buffer) => void): Promise<RawChannel> {
    const { hostname, port } = new URL(url);
    const sockets = [connect(Number(port), hostname), connect(Number(port), hostname)] as const;
    for (const socket of sockets) {
      socket.setNoDelay();
      await once(socket, 'connect');
    }
    return new RawChannel(...sockets, onMessage);
  }

  publish(channel: string, message: Buffer): void {
    this.#publisher.write(command('PUBLISH', channel, message));
  }

  subscribe(channel: string): Promise<void> {
    this.#subscriber.write(command('SUBSCRIBE', channel));
    return new Promise(resolve => this.#subscribing.push(resolve));
  }
}

function command(...args: (string | Buffer)[]): Buffer {
  const parts = args.flatMap(arg => [Buffer.from(`$${Buffer.byteLength(arg)}\r\n`), Buffer.from(arg), END]);
  return Buffer.concat([Buffer.from(`*${args.length}\r\n`), ...parts]);
}

const END = Buffer.from('\r\n');

/** The three parts of a message or a confirmation; undefined when it has not arrived in full. */
function readPush(bytes: Buffer, start: number): { parts: Buffer[]; end: number } | undefined {
  const parts: Buffer[] = [];
  let at = bytes.indexOf(END, start) + 2;
  for (let index = 0; index < 3; index++) {
    const lineEnd = bytes.indexOf(END, at);
    if (at < 2 || lineEnd < 0) return undefined;
    const number = Number(bytes.toString('latin1', at + 1, lineEnd));
    const isText = bytes[at] === '$'.charCodeAt(0);
    at = lineEnd + 2;
    if (!isText) continue;
    if (at + number + 2 > bytes.length) return undefined;
    parts.push(bytes.subarray(at, at + number));
    at += number + 2;
  }
  return { parts, end: at };
}
