import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { KeySpace } from '../cluster/key-space.ts';
import { CommandReader, type Reply, writeReply } from './resp.ts';
import { scripts, sumOf } from './scripts.ts';
import { Store } from './store.ts';

const OK: Reply = { status: 'OK' };
/** Bytes that may wait for a node. */
const MAX_UNREAD_BYTES = 512 * 1024 * 1024;
/** Tells the client of a node that this Redis is ready. */
const INFO = 'redis_version:7.0.0\r\nloading:0\r\n';

/**
 * Takes the place of a Redis between the nodes of one machine: knows the commands that `cluster/` sends, and no others. It
 * listens in a folder that no other user can enter, and has nothing on disk.
 */
export class Broker implements AsyncDisposable {
  /** For the option `redis`. */
  readonly path: string;
  readonly #folder: string;
  readonly #server: Server;
  readonly #store = new Store();
  readonly #clients = new Set<Client>();
  readonly #channels = new Map<string, Set<Client>>();

  private constructor(folder: string, path: string) {
    this.#folder = folder;
    this.path = path;
    this.#server = createServer(socket => this.#accept(socket));
  }

  /** @param keys of a cluster whose first joins shall not wait: there are no members that could register anew */
  static async open(keys?: KeySpace): Promise<Broker> {
    const folder = await mkdtemp(join(tmpdir(), 'a2c-broker-'));
    const broker = new Broker(folder, join(folder, 'broker.sock'));
    for (const { epoch } of keys?.partitions ?? []) broker.#store.setText(epoch, '1');
    broker.#server.listen(broker.path);
    await once(broker.#server, 'listening');
    return broker;
  }

  async close(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    for (const { socket } of this.#clients) socket.destroy();
    await closed;
    await rm(this.#folder, { recursive: true, force: true });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #accept(socket: Socket): void {
    const client: Client = { socket, channels: new Set(), skips: 0 };
    const reader = new CommandReader(args => this.#run(client, args));
    this.#clients.add(client);
    socket.on('error', () => {});
    socket.on('close', () => this.#drop(client));
    socket.on('data', chunk => {
      try {
        reader.read(chunk);
      } catch {
        socket.destroy();
      }
    });
  }

  #drop(client: Client): void {
    this.#clients.delete(client);
    for (const channel of client.channels) this.#unsubscribe(client, channel);
  }

  #run(client: Client, [command, ...args]: Buffer[]): void {
    const name = String(command).toUpperCase();
    if (name === 'CLIENT' && String(args[1]).toUpperCase() === 'SKIP') {
      client.skips = 2;
    } else if (name === 'SSUBSCRIBE') {
      for (const channel of args) this.#subscribe(client, String(channel));
    } else {
      const reply = name === 'SPUBLISH' ? this.#publish(args) : this.#answer(name, args);
      if (client.skips === 0) send(client, reply);
    }
    // A client that asks for it gets no reply to that, nor to the next command.
    if (client.skips > 0) client.skips -= 1;
  }

  #answer(name: string, args: readonly Buffer[]): Reply {
    const [key = '', ...rest] = args.map(String);
    const store = this.#store;
    switch (name) {
      case 'CLIENT':
      case 'SELECT':
        return OK;
      case 'INFO':
        return INFO;
      case 'EVAL':
        return this.#evaluate(sumOf(key), rest);
      case 'EVALSHA':
        return this.#evaluate(key, rest);
      case 'HGET':
        return store.hash(key).get(rest[0] ?? '') ?? null;
      case 'HVALS':
        return [...store.hash(key).values()];
      case 'SMEMBERS':
        return [...store.set(key)];
      case 'SREM':
        return rest.filter(member => store.remove(key, member)).length;
      case 'MGET':
        return [key, ...rest].map(each => store.text(each) ?? null);
      case 'DEL':
        return [key, ...rest].filter(each => store.delete(each)).length;
      case 'PUBSUB':
        return rest.flatMap(channel => [channel, this.#channels.get(channel)?.size ?? 0]);
      // Clients fall back to RESP 2.
      case 'HELLO':
        return { error: 'NOPROTO unsupported protocol version' };
      default:
        return { error: `ERR unknown command '${name.slice(0, 32)}'` };
    }
  }

  #evaluate(sum: string, [count, ...args]: string[]): Reply {
    const script = scripts.get(sum);
    if (!script) return { error: 'NOSCRIPT No matching script' };
    const keys = Number(count);
    return script(this.#store, args.slice(0, keys), args.slice(keys));
  }

  #subscribe(client: Client, channel: string): void {
    const clients = this.#channels.get(channel) ?? new Set();
    this.#channels.set(channel, clients.add(client));
    client.channels.add(channel);
    send(client, ['ssubscribe', channel, client.channels.size]);
  }

  #unsubscribe(client: Client, channel: string): void {
    const clients = this.#channels.get(channel);
    if (clients?.delete(client) && clients.size === 0) this.#channels.delete(channel);
  }

  #publish([channel = Buffer.of(), message = Buffer.of()]: readonly Buffer[]): number {
    const clients = this.#channels.get(String(channel)) ?? new Set();
    for (const client of clients) send(client, ['smessage', channel, message]);
    return clients.size;
  }
}

/** A connection of a node. */
interface Client {
  socket: Socket;
  channels: Set<string>;
  /** Commands that get no reply, this one included. */
  skips: number;
}

/** All that is sent in one tick leaves together. A node that does not read is cut off, as Redis does. */
function send({ socket }: Client, reply: Reply): void {
  socket.cork();
  writeReply(reply, chunk => socket.write(chunk));
  process.nextTick(uncork, socket);
  if (socket.writableLength > MAX_UNREAD_BYTES) socket.destroy();
}

function uncork(socket: Socket): void {
  socket.uncork();
}
