import type { Redis } from 'ioredis';

/** What one node tells another. `body` is JSON text that is passed on as it is. */
export type NodeMessage =
  | {
      type: 'call';
      id: string;
      from: string;
      event: string;
      office: string;
      computer: string;
      timeout: number;
      body: string;
    }
  /** `missing` when the Computer is not there. */
  | { type: 'answer'; id: string; missing?: boolean; body: string }
  | { type: 'evict'; sid: string }
  /** Members of a node that closed, as JSON: whoever gets it tells their offices. */
  | { type: 'gone'; body: string };

/** The messages that make up a call between nodes. */
export type CallMessage = Extract<NodeMessage, { type: 'call' | 'answer' }>;

type Head<M> = M extends unknown ? Omit<M, 'body'> : never;

/** A Redis channel for each node: a call has one addressee, so only that node should be woken by it. */
export class NodeChannel {
  readonly #publisher: Redis;
  readonly #subscriber: Redis;
  readonly #node: string;

  constructor(publisher: Redis, subscriber: Redis, node: string) {
    this.#publisher = publisher;
    this.#subscriber = subscriber;
    this.#node = node;
  }

  /** Begins to receive. ioredis subscribes again by itself when it has lost its connection. */
  async open(onMessage: (message: NodeMessage) => void): Promise<void> {
    this.#subscriber.on('message', (channel: string, text: string) => {
      if (channel === channelOf(this.#node)) onMessage(decode(text));
    });
    await this.#subscriber.subscribe(channelOf(this.#node));
  }

  /** Sends a message. False when nobody listens there: the node is gone. */
  async send(node: string, message: NodeMessage): Promise<boolean> {
    return (await this.#publisher.publish(channelOf(node), encode(message))) > 0;
  }
}

function channelOf(node: string): string {
  return `a2c:node:${node}`;
}

/** The head as JSON, a line break, and the body untouched: a megabyte is not escaped into another JSON text. */
function encode(message: NodeMessage): string {
  const { body = '', ...head } = { body: '', ...message };
  return `${JSON.stringify(head)}\n${body}`;
}

function decode(text: string): NodeMessage {
  const end = text.indexOf('\n');
  const head = JSON.parse(text.slice(0, end)) as Head<NodeMessage>;
  return { ...head, body: text.slice(end + 1) } as NodeMessage;
}
