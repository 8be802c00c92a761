import type { Redis } from 'ioredis';
import { Outbox } from './outbox.ts';

/** What one node tells another. A body may come with it, which is passed on as it is. */
export type NodeMessage =
  /** A call to a Computer. Its body is the event with its arguments, as JSON. */
  | { type: 'call'; id: number; from: string; event: string; office: string; computer: string; timeout: number }
  /** Its body is the answer, as JSON. `missing` when the Computer is not there. */
  | { type: 'answer'; id: number; missing?: boolean }
  | { type: 'evict'; sid: string }
  /** The body is the members of a node that closed, as JSON: whoever gets it tells their offices. */
  | { type: 'gone' };

/** The messages that make up a call between nodes. */
export type CallMessage = Extract<NodeMessage, { type: 'call' | 'answer' }>;

type Receive = (message: NodeMessage, body: Buffer) => void;

const LINE_BREAK = 10;

/**
 * A Redis channel for each node: a call has one addressee, so only that node should be woken by it. The channels are
 * sharded ones, so that whoever listens to ordinary channels on the same connection is not called for each message.
 */
export class NodeChannel {
  readonly #publisher: Redis;
  readonly #subscriber: Redis;
  readonly #outbox: Outbox;
  readonly #node: string;

  constructor(publisher: Redis, subscriber: Redis, node: string) {
    this.#publisher = publisher;
    this.#subscriber = subscriber;
    this.#outbox = new Outbox(publisher);
    this.#node = node;
  }

  /** Begins to receive. ioredis subscribes again by itself when it has lost its connection. */
  async open(receive: Receive): Promise<void> {
    await this.#outbox.open();
    this.#subscriber.on('smessageBuffer', (_: Buffer, messages: Buffer) => decode(messages, receive));
    await this.#subscriber.ssubscribe(channelOf(this.#node));
  }

  /** Sends a message, and does not learn whether anybody gets it: that is what `silent` tells. */
  post(node: string, message: NodeMessage, body?: string | Buffer): void {
    this.#outbox.add(channelOf(node), encode(message, body));
  }

  /** Sends at once what was posted. */
  flush(): void {
    this.#outbox.flush();
  }

  /** Sends a message. Resolves when Redis has it. */
  async send(node: string, message: NodeMessage, body?: string | Buffer): Promise<void> {
    await this.#publisher.spublish(channelOf(node), Buffer.concat(encode(message, body)));
  }

  /** Those of the nodes that do not listen: they are gone. */
  async silent(nodes: readonly string[]): Promise<string[]> {
    const answer = await this.#publisher.pubsub('SHARDNUMSUB', ...nodes.map(channelOf));
    // Channels and how many listen to each, in turns, in the order of the question.
    return nodes.filter((_, index) => Number(answer[index * 2 + 1]) === 0);
  }
}

function channelOf(node: string): string {
  return `a2c:node:${node}`;
}

/** The bytes of the body, the message, a line break, and the body: it is not escaped into other JSON. */
function encode(message: NodeMessage, body: string | Buffer = ''): Buffer[] {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  return [Buffer.from(`${bytes.length} ${JSON.stringify(message)}\n`), bytes];
}

/** Reads messages that arrived together. */
function decode(messages: Buffer, receive: Receive): void {
  for (let start = 0; start < messages.length; ) {
    const end = messages.indexOf(LINE_BREAK, start) + 1;
    const line = messages.toString('utf8', start, end);
    const space = line.indexOf(' ');
    start = end + Number(line.slice(0, space));
    receive(JSON.parse(line.slice(space)), messages.subarray(end, start));
  }
}
