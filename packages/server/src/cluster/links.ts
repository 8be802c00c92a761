import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { createConnection, createServer, type Server, type Socket } from 'node:net';
import { isObject, type Logger, readJson } from '@a2c-smcp/core';
import { shareReads } from '../wire/frames.ts';
import { handleInput } from '../wire/ws.ts';
import { isShortText } from './checks.ts';
import { BatchReader, Link } from './link.ts';

/** Where other nodes reach this one. Its lease in Redis has it, so that only nodes know the token. */
interface LinkAddress {
  host: string;
  port: number;
  /** Never sent: both sides of a connection prove that they know it. */
  token: string;
}

/** The answer to the challenge of a node, which is the first line that it sends. */
interface Greeting {
  from: string;
  /** The address of the node that connects. */
  back: string;
  /** The challenge of the node that connects. */
  challenge: string;
  proof: string;
}

export interface NodeLinksOptions {
  node: string;
  /** The address of this machine in the network that the nodes share. */
  host: string;
  /** Gets messages that arrived together. */
  receive: (messages: Buffer) => void;
  /** Called when messages from or to a node may be lost. */
  onLost: (node: string) => void;
  logger: Logger;
}

/** Bytes of a line before the first message, and milliseconds until all of them must be there. */
const MAX_LINE_BYTES = 2048;
const GREETING_TIMEOUT_MS = 3000;
/** Connections that have not proved yet that they are of a node. */
const MAX_STRANGERS = 100;
/** Milliseconds until a node that could not be reached is tried again. Its messages go through Redis. */
const RETRY_MS = 30_000;
const TOKEN_BYTES = 32;
const CHALLENGE_BYTES = 16;

/**
 * Connections from each node to each other one, so that calls and their answers need not pass Redis. Each is for one
 * direction, and belongs to the node that writes to it. A node without one is reached through Redis.
 */
export class NodeLinks {
  readonly #options: NodeLinksOptions;
  readonly #server: Server;
  readonly #token = randomHex(TOKEN_BYTES);
  /** By node, those that are ready and those that are being made. */
  readonly #links = new Map<string, Link>();
  /** By node, when it may be tried again, in milliseconds of `performance.now()`. */
  readonly #retries = new Map<string, number>();
  readonly #incoming = new Set<Socket>();
  #strangers = 0;
  #isClosed = false;

  private constructor(options: NodeLinksOptions) {
    this.#options = options;
    this.#server = createServer(socket => this.#accept(socket));
    this.#server.on('error', error => options.logger.warn('Other nodes cannot connect directly', { error }));
    this.#server.unref();
  }

  /** Listens at a free port of `host`. Undefined when that is not possible. */
  static open(options: NodeLinksOptions): Promise<NodeLinks | undefined> {
    const links = new NodeLinks(options);
    return new Promise(resolve => {
      links.#server.once('error', () => resolve(undefined));
      links.#server.listen(0, options.host, () => resolve(links));
    });
  }

  /** For the lease of this node. */
  get address(): string {
    const bound = this.#server.address();
    const port = bound !== null && typeof bound === 'object' ? bound.port : 0;
    return JSON.stringify({ host: this.#options.host, port, token: this.#token } satisfies LinkAddress);
  }

  /** The connection to a node, if messages may be written to it. */
  to(node: string): Link | undefined {
    const link = this.#links.get(node);
    return link?.isReady ? link : undefined;
  }

  /** Connects to a node whose lease has this address, unless it is connected or could not be reached lately. */
  meet(node: string, lease: string): void {
    const address = readAddress(lease);
    if (!address || this.#isClosed || this.#links.has(node) || node === this.#options.node) return;
    if (performance.now() < (this.#retries.get(node) ?? 0)) return;
    const socket = createConnection(address);
    const link = new Link(socket);
    this.#links.set(node, link);
    const accepted = limitGreeting(socket);
    onLine(socket, theirs => {
      const from = this.#options.node;
      const back = this.address;
      const challenge = randomHex(CHALLENGE_BYTES);
      const proof = prove(address.token, 'connect', theirs, from, back);
      socket.write(`${JSON.stringify({ from, back, challenge, proof } satisfies Greeting)}\n`);
      onLine(socket, answer => {
        // Another program may have got the port of a node that is gone.
        if (!isEqual(answer, prove(address.token, 'accept', challenge))) {
          socket.destroy();
          return;
        }
        accepted();
        link.isReady = true;
      });
    });
    socket.on('error', error => this.#options.logger.debug('A connection to another node failed', { node, error }));
    socket.once('close', () => {
      const wasReady = link.isReady;
      link.isReady = false;
      this.#links.delete(node);
      if (wasReady) this.#lose(node);
      else this.#retries.set(node, performance.now() + RETRY_MS);
    });
  }

  /** Forgets a node that is gone. */
  drop(node: string): void {
    this.#retries.delete(node);
    this.#links.get(node)?.destroy();
  }

  close(): void {
    this.#isClosed = true;
    this.#server.close();
    for (const link of this.#links.values()) link.destroy();
    for (const socket of this.#incoming) socket.destroy();
  }

  #lose(node: string): void {
    if (!this.#isClosed) this.#options.onLost(node);
  }

  /** Takes a connection of another node. One that does not answer the challenge is dropped without a further word. */
  #accept(socket: Socket): void {
    socket.on('error', () => socket.destroy());
    socket.unref();
    if (this.#isClosed || this.#strangers >= MAX_STRANGERS) {
      socket.destroy();
      return;
    }
    this.#incoming.add(socket);
    this.#strangers += 1;
    const accepted = limitGreeting(socket);
    let from: string | undefined;
    const challenge = randomHex(CHALLENGE_BYTES);
    socket.write(`${challenge}\n`);
    onLine(socket, (line, rest) => {
      const greeting = this.#check(line, challenge);
      if (!greeting) {
        socket.destroy();
        return;
      }
      accepted();
      from = greeting.from;
      this.#strangers -= 1;
      this.#welcome(socket, greeting, rest);
    });
    socket.once('close', () => {
      this.#incoming.delete(socket);
      if (from === undefined) this.#strangers -= 1;
      else this.#lose(from);
    });
  }

  #welcome(socket: Socket, { from, back, challenge }: Greeting, rest: Buffer): void {
    socket.setNoDelay(true);
    socket.setKeepAlive(true);
    socket.write(`${prove(this.#token, 'accept', challenge)}\n`);
    shareReads(socket);
    const reader = new BatchReader(this.#options.receive);
    const readAll = (chunk: Buffer) => reader.read(chunk);
    const read = (chunk: Buffer) => {
      if (!handleInput(readAll, chunk)) socket.destroy();
    };
    socket.on('data', read);
    if (rest.length > 0) read(rest);
    // It is there: it need not be waited for until its lease is seen.
    this.#retries.delete(from);
    this.meet(from, back);
  }

  #check(line: string, ours: string): Greeting | undefined {
    const greeting = readJson(line);
    if (!isObject(greeting)) return undefined;
    const { from, back, challenge, proof } = greeting;
    if (!isShortText(from) || !isShortText(back) || !isShortText(challenge) || !isShortText(proof)) return undefined;
    const isProven = isEqual(proof, prove(this.#token, 'connect', ours, from, back));
    return isProven ? { from, back, challenge, proof } : undefined;
  }
}

/** Ends a connection whose greeting takes too long, however its bytes arrive. The function it returns lifts the limit. */
function limitGreeting(socket: Socket): () => void {
  const timer = setTimeout(() => socket.destroy(), GREETING_TIMEOUT_MS).unref();
  const lift = () => clearTimeout(timer);
  socket.once('close', lift);
  return lift;
}

/** Calls back with the next line of a connection and with what has arrived behind it. A line that is too long ends it. */
function onLine(socket: Socket, listener: (line: string, rest: Buffer) => void): void {
  let received: Buffer = Buffer.alloc(0);
  const read = (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
    const end = received.indexOf('\n');
    if (end === -1 && received.length <= MAX_LINE_BYTES) return;
    socket.off('data', read);
    if (end === -1 || end > MAX_LINE_BYTES) socket.destroy();
    else listener(received.toString('utf8', 0, end), received.subarray(end + 1));
  };
  socket.on('data', read);
}

/** Shows that the sender knows a token, without telling it. Each side has a purpose of its own, so that none repeats the other. */
function prove(token: string, purpose: 'connect' | 'accept', ...parts: string[]): string {
  return createHmac('sha256', token)
    .update(JSON.stringify([purpose, ...parts]))
    .digest('hex');
}

function isEqual(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}

function randomHex(bytes: number): string {
  return randomBytes(bytes).toString('hex');
}

function readAddress(lease: string): LinkAddress | undefined {
  const address = readJson(lease);
  if (!isObject(address)) return undefined;
  const { host, port, token } = address;
  const isComplete = isShortText(host) && Number.isInteger(port) && isShortText(token);
  return isComplete && Number(port) > 0 && Number(port) < 65_536 ? { host, port: Number(port), token } : undefined;
}
