import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { EventReader, SerialQueue } from '@a2c-smcp/core';
import { refuse } from './respond.ts';

export interface EventFeedOptions {
  /** Everything that a page needs before changes. */
  snapshot: () => unknown;
  /** Called when the first page listens: publishes changes until the returned function is called, after the last has gone. */
  follow: () => () => void;
  /** Gets what goes wrong when a value is looked up. */
  onError?: (error: unknown) => void;
}

/** One published change with its place in the stream. */
interface Frame {
  id: string;
  topic: string;
  json: string;
}

/** Changes are sent together, at most this often, so that a storm of them costs a page little. */
const FRAME_MS = 250;
/** A single change after a pause is sent sooner. */
const FIRST_FRAME_MS = 20;
const HEARTBEAT_MS = 15_000;
/** Frames that a page may have missed while it reconnects. */
const MAX_FRAMES = 256;
const MAX_PAGES = 64;
/** Items of a list in one frame. */
const MAX_ITEMS = 200;

/** Server-sent events for any number of pages. Costs nothing while none listens. */
export class EventFeed {
  readonly #options: EventFeedOptions;
  readonly #pages = new Map<ServerResponse, EventReader>();
  /** Pages that get no changes until they have a snapshot. */
  readonly #behind = new Set<ServerResponse>();
  /** Those of them that read too slowly: they get nothing until they have caught up, and then a new snapshot. */
  readonly #overrun = new Set<ServerResponse>();
  readonly #pending = new Map<string, unknown>();
  #frames: Frame[] = [];
  /** Ids of a former time, in which nothing was followed, mean nothing. */
  #epoch = '';
  #count = 0;
  #timer: NodeJS.Timeout | undefined;
  #lastFrameAt = 0;
  #heartbeat: NodeJS.Timeout | undefined;
  #unfollow: (() => void) | undefined;
  /** Frames are made one after the other, since values may take time to find. */
  readonly #flushes = new SerialQueue();
  #isClosed = false;

  constructor(options: EventFeedOptions) {
    this.#options = options;
  }

  /** True if any page listens. If none does, callers can skip computing values. */
  get isFollowed(): boolean {
    return this.#pages.size > 0;
  }

  /**
   * Sends the present value of a topic. An earlier one that was not sent yet is replaced. A function is called when the
   * value is sent, so that many changes cost one look.
   */
  publish(topic: string, value: unknown): void {
    if (!this.isFollowed) return;
    this.#pending.set(topic, value);
    this.#schedule();
  }

  /** Adds to a topic whose values are lists of what is new. Of a flood only the newest are sent. */
  append(topic: string, item: unknown): void {
    if (!this.isFollowed) return;
    const list = this.#pending.get(topic);
    if (!Array.isArray(list)) this.publish(topic, [item]);
    else if (list.push(item) > MAX_ITEMS) list.shift();
  }

  /** Answers the request of a page with the stream. */
  async connect(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (this.#isClosed) return refuse(response, 503, 'The console is closing');
    if (this.#pages.size >= MAX_PAGES) return refuse(response, 503, 'Too many pages are open');
    response.writeHead(200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-accel-buffering': 'no',
    });
    const reader = new EventReader(response);
    this.#pages.set(response, reader);
    response.on('close', () => this.#leave(response));
    response.on('drain', () => this.#drained(response));
    if (this.#pages.size === 1) this.#start();
    const missed = this.#framesAfter(String(request.headers['last-event-id'] ?? ''));
    if (missed) for (const { id, topic, json } of missed) reader.send(id, topic, json);
    else await this.#catchUp(response);
  }

  close(): void {
    this.#isClosed = true;
    for (const page of this.#pages.keys()) page.end();
  }

  #start(): void {
    this.#epoch = randomBytes(6).toString('hex');
    this.#count = 0;
    this.#frames = [];
    this.#unfollow = this.#options.follow();
    this.#heartbeat = setInterval(() => {
      for (const [page, reader] of this.#pages) if (!reader.isBehind()) page.write(':\n\n');
    }, HEARTBEAT_MS);
  }

  #leave(page: ServerResponse): void {
    this.#pages.delete(page);
    this.#behind.delete(page);
    this.#overrun.delete(page);
    if (this.#pages.size > 0) return;
    clearInterval(this.#heartbeat);
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#pending.clear();
    this.#unfollow?.();
    this.#unfollow = undefined;
  }

  /** Sends a snapshot, and then the changes that came while it was made: none must come before it. */
  async #catchUp(page: ServerResponse): Promise<void> {
    this.#behind.add(page);
    await this.#flush();
    const id = this.#id();
    const snapshot = await this.#options.snapshot();
    const reader = this.#pages.get(page);
    if (page.destroyed || !reader) return;
    reader.send(id, 'snapshot', JSON.stringify(snapshot));
    for (const frame of this.#framesAfter(id) ?? []) reader.send(frame.id, frame.topic, frame.json);
    this.#behind.delete(page);
  }

  #drained(page: ServerResponse): void {
    if (this.#overrun.delete(page)) void this.#catchUp(page).catch(this.#options.onError ?? (() => {}));
  }

  #framesAfter(id: string): readonly Frame[] | undefined {
    if (id === this.#id()) return [];
    const index = this.#frames.findIndex(frame => frame.id === id);
    return index === -1 ? undefined : this.#frames.slice(index + 1);
  }

  #id(): string {
    return `${this.#epoch}-${this.#count}`;
  }

  #schedule(): void {
    const due = Math.max(FIRST_FRAME_MS, this.#lastFrameAt + FRAME_MS - Date.now());
    this.#timer ??= setTimeout(() => void this.#flush(), due);
  }

  /** Never rejects. */
  #flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    return this.#flushes.run(() => this.#send()).catch(this.#options.onError ?? (() => {}));
  }

  async #send(): Promise<void> {
    const changes = [...this.#pending];
    this.#pending.clear();
    this.#lastFrameAt = Date.now();
    for (const [topic, value] of changes) {
      const found = typeof value === 'function' ? await value() : value;
      this.#count += 1;
      const frame = { id: this.#id(), topic, json: JSON.stringify(found) ?? 'null' };
      this.#frames.push(frame);
      for (const [page, reader] of this.#pages) this.#write(page, reader, frame);
    }
    this.#frames = this.#frames.slice(-MAX_FRAMES);
  }

  #write(page: ServerResponse, reader: EventReader, { id, topic, json }: Frame): void {
    if (this.#behind.has(page)) return;
    reader.send(id, topic, json);
    if (!reader.isBehind()) return;
    this.#behind.add(page);
    this.#overrun.add(page);
  }
}
