import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { EventReader } from '@a2c-smcp/core';
import { ErrorCode, SmcpError } from '@a2c-smcp/protocol';
import type { Limits } from '../limits.ts';
import type { Nodes } from './nodes.ts';
import type { OperatorFrame, OperatorSnapshot } from './types.ts';

/** Milliseconds between two frames at least, and at most: the second is the heartbeat of the stream. */
const TICK_MS = 250;
const HEARTBEAT_MS = 1000;
/** Streams at the same time. */
const MAX_STREAMS = 50;
/** Calls in one frame. Of more, the newest. */
const MAX_FRAME_CALLS = 100;
/** Seconds after which a client that reconnects gets a snapshot: the rings may have dropped what it missed. */
const MAX_ABSENCE_S = 60;

/** How far a stream has been written. */
interface Place {
  calls: number;
  moves: number;
  refusals: number;
  revision: number;
}

interface Stream {
  response: ServerResponse;
  reader: EventReader;
  place: Place;
}

/** Streams of server-sent events. With none open it does nothing. */
export class Feed {
  readonly #nodes: Nodes;
  readonly #limits: Limits;
  /** Ids of frames are valid for this Server only. */
  readonly #instance = randomBytes(6).toString('hex');
  readonly #streams = new Set<Stream>();
  #timer: NodeJS.Timeout | undefined;
  #beatAt = 0;

  constructor(nodes: Nodes, limits: Limits) {
    this.#nodes = nodes;
    this.#limits = limits;
  }

  /** Answers a request with a stream: a snapshot, or what is new since `Last-Event-ID`. */
  async open(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (this.#streams.size >= MAX_STREAMS) {
      throw new SmcpError(ErrorCode.TooManyRequests, 'There are too many event streams: close one of them');
    }
    const last = this.#read(request.headers['last-event-id']);
    const stream = { response, reader: new EventReader(response), place: last ?? this.#place };
    this.#streams.add(stream);
    response.once('close', () => this.#remove(stream));
    await this.#nodes.poll();
    if (response.closed) return;
    response.writeHead(200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    });
    response.write('retry: 2000\n\n');
    if (last) this.#write(stream, 'delta', JSON.stringify(this.#delta(last)));
    else this.#write(stream, 'snapshot', JSON.stringify(this.#snapshot()));
    this.#timer ??= setInterval(() => this.#tick(), TICK_MS).unref();
  }

  /** Ends all streams. */
  close(): void {
    for (const { response } of this.#streams) response.end();
  }

  get #place(): Place {
    const { callCount, moves, refusals, revision } = this.#nodes;
    return { calls: callCount, moves: moves.end, refusals: refusals.end, revision };
  }

  #remove(stream: Stream): void {
    this.#streams.delete(stream);
    if (this.#streams.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #tick(): void {
    const now = performance.now();
    const isBeat = now - this.#beatAt >= HEARTBEAT_MS;
    if (isBeat) {
      this.#beatAt = now;
      void this.#nodes.poll();
    } else this.#nodes.pollSelf();
    // Streams at the same place get the same text.
    const texts = new Map<string, string>();
    for (const stream of this.#streams) {
      if (!stream.response.headersSent || stream.reader.isBehind()) continue;
      const from = idOf(stream.place);
      if (!isBeat && from === idOf(this.#place)) continue;
      const text = texts.get(from) ?? JSON.stringify(this.#delta(stream.place));
      texts.set(from, text);
      this.#write(stream, 'delta', text);
    }
  }

  #write(stream: Stream, topic: 'snapshot' | 'delta', value: string): void {
    stream.place = this.#place;
    const id = `${this.#instance}.${idOf(stream.place)}.${seconds()}`;
    stream.reader.send(id, topic, value);
  }

  #snapshot(): OperatorSnapshot {
    const beginning = { calls: 0, moves: 0, refusals: 0, revision: 0 };
    return { ...this.#delta(beginning, Number.POSITIVE_INFINITY), skipped: 0, limits: this.#limits };
  }

  #delta(from: Place, maxCalls = MAX_FRAME_CALLS): OperatorFrame {
    const nodes = this.#nodes;
    const ended = nodes.callCount - from.calls;
    const calls = nodes.calls.since(nodes.calls.end - ended, maxCalls).items;
    return {
      overview: nodes.overview(),
      seconds: nodes.seconds(from.revision),
      calls,
      skipped: ended - calls.length,
      moves: nodes.moves.since(from.moves).items,
      refusals: nodes.refusals.since(from.refusals).items,
    };
  }

  /** The place that an id names; undefined for an old one, one of another Server, or none. */
  #read(id: string | string[] | undefined): Place | undefined {
    const [instance, ...numbers] = String(id).split('.');
    const [calls = -1, moves = -1, refusals = -1, revision = -1, at = 0] = numbers.map(Number);
    if (seconds() - at > MAX_ABSENCE_S) return undefined;
    const place = { calls, moves, refusals, revision };
    const now = this.#place;
    const isKnown = (Object.keys(now) as (keyof Place)[]).every(key => place[key] >= 0 && place[key] <= now[key]);
    return instance === this.#instance && isKnown ? place : undefined;
  }
}

function seconds(): number {
  return Math.floor(Date.now() / 1000);
}

function idOf({ calls, moves, refusals, revision }: Place): string {
  return `${calls}.${moves}.${refusals}.${revision}`;
}
