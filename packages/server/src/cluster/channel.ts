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

/** What waits for the end of the tick to be published to one node. */
interface Batch {
  messages: NodeMessage[];
  /** Whether anybody got it. */
  published: Promise<boolean>;
}

/**
 * A Redis channel for each node: a call has one addressee, so only that node should be woken by it. What is sent to a
 * node within one tick is published together.
 */
export class NodeChannel {
  readonly #publisher: Redis;
  readonly #subscriber: Redis;
  readonly #node: string;
  readonly #batches = new Map<string, Batch>();

  constructor(publisher: Redis, subscriber: Redis, node: string) {
    this.#publisher = publisher;
    this.#subscriber = subscriber;
    this.#node = node;
  }

  /** Begins to receive. ioredis subscribes again by itself when it has lost its connection. */
  async open(onMessage: (message: NodeMessage) => void): Promise<void> {
    const own = channelOf(this.#node);
    this.#subscriber.on('message', (channel: string, text: string) => {
      if (channel === own) for (const message of decode(text)) onMessage(message);
    });
    await this.#subscriber.subscribe(own);
  }

  /** Sends a message. False when nobody listens there: the node is gone. */
  send(node: string, message: NodeMessage): Promise<boolean> {
    const batch = this.#batches.get(node) ?? this.#begin(node);
    batch.messages.push(message);
    return batch.published;
  }

  #begin(node: string): Batch {
    const messages: NodeMessage[] = [];
    const published = new Promise<boolean>((resolve, reject) => {
      process.nextTick(() => {
        this.#batches.delete(node);
        this.#publisher.publish(channelOf(node), encode(messages)).then(receivers => resolve(receivers > 0), reject);
      });
    });
    const batch = { messages, published };
    this.#batches.set(node, batch);
    return batch;
  }
}

function channelOf(node: string): string {
  return `a2c:node:${node}`;
}

/** The heads as JSON with the lengths of the bodies, a line break, and the bodies: they are not escaped into other JSON. */
function encode(messages: readonly NodeMessage[]): string {
  const bodies = messages.map(message => ('body' in message ? message.body : ''));
  const heads = messages.map((message, index) => ({ ...message, body: bodies[index]?.length }));
  return `${JSON.stringify(heads)}\n${bodies.join('')}`;
}

function decode(text: string): NodeMessage[] {
  let start = text.indexOf('\n') + 1;
  const heads = JSON.parse(text.slice(0, start)) as { body: number }[];
  return heads.map(head => {
    const body = text.slice(start, start + head.body);
    start += head.body;
    return { ...head, body } as unknown as NodeMessage;
  });
}
