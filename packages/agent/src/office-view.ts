import { backoff, type CallOptions, Emitter, type Logger, pause, SerialQueue, settle } from '@a2c-smcp/core';
import type { Channel } from '@a2c-smcp/peer';
import {
  ErrorCode,
  findTool,
  type NotificationOf,
  type NotifyEvent,
  notifyEvents,
  SmcpError,
  toolsCalled,
} from '@a2c-smcp/protocol';
import type { AgentEvents, ComputerView, ToolFound, Topic } from './events.ts';
import type { ToolWanted } from './options.ts';
import type { RequestOptions } from './requests.ts';

/** Milliseconds from one fetch of a topic to its next. */
const REFRESH_INTERVAL_MS = 100;
/** Pauses before a failed fetch is retried, in milliseconds. */
const RETRY_PAUSES = { first: 500, longest: 5000 };
const RETRY_LIMIT = 3;

/** Milliseconds after a rejoin in which Computers that were there before may rejoin, too. */
const RETURN_MS = 15_000;

/** Fetches a topic of a Computer; the result becomes part of its view. */
export type Fetch = (computer: string, topic: Topic, signal: AbortSignal) => Promise<Partial<ComputerView>>;

export interface OfficeViewOptions {
  fetch: Fetch;
  events: Emitter<AgentEvents>;
  /** Topics to fetch; changes of others are only announced. */
  topics: ReadonlySet<Topic>;
  logger: Logger;
}

/** The cached state of an office: its Computers with their tools, refreshed after notifications. */
export class OfficeView {
  readonly computers = new Map<string, ComputerView>();
  readonly #queues = new Map<string, RefreshQueue<Topic>>();
  /** One set per pending list: the Computers that entered or left since it was requested. */
  readonly #movedSince = new Set<Set<string>>();
  /** Computers that were there when the connection was lost and are not back, with the time until when they may be. */
  readonly #returning = new Map<string, number>();
  readonly #returns = new Emitter<{ returned: string }>();
  readonly #options: OfficeViewOptions;
  /** Stale while the connection is lost and until the office is listed again. */
  #state: 'stale' | 'current' | 'closed' = 'stale';

  constructor(options: OfficeViewOptions) {
    this.#options = options;
  }

  /** Updates the view with the notifications that arrive on a channel. */
  follow(channel: Channel): void {
    const listen = <E extends NotifyEvent>(event: E, react: (payload: NotificationOf<E>) => void) => {
      channel.on(event, (payload: unknown) => {
        const parsed = notifyEvents[event].safeParse(payload);
        if (parsed.success) react(parsed.data as NotificationOf<E>);
        else this.#options.logger.warn('A malformed notification was ignored', { event });
      });
    };
    listen('notify:enter_office', ({ computer }) => computer && void this.enter(computer));
    listen('notify:leave_office', ({ computer }) => computer && this.leave(computer));
    listen('notify:update_tool_list', ({ computer }) => this.#changed(computer, ['tools']));
    listen('notify:update_config', ({ computer }) => this.#changed(computer, ['config', 'tools']));
    listen('notify:update_desktop', ({ computer }) => this.#changed(computer, ['desktop']));
    listen('notify:update_finder', ({ computer, uris }) => this.#changed(computer, ['finder'], uris));
    listen('notify:update_skills', ({ computer }) => this.#changed(computer, ['skills']));
  }

  /** The connection is lost: notifications are missed from now on. */
  markStale(): void {
    if (this.#state === 'current') this.#state = 'stale';
    for (const computer of this.computers.keys()) this.#returning.set(computer, Infinity);
  }

  /** Resolves when a Computer is back that was there before the connection was lost: false if there is none, or not in time. */
  async awaitReturn(computer: string, { timeout, signal }: CallOptions) {
    const until = this.#returning.get(computer);
    if (until === undefined || until <= performance.now()) return false;
    const back = settle<boolean>(resolve => this.#returns.on('returned', name => name === computer && resolve(true)), {
      timeout: Math.min(until - performance.now(), timeout),
      signal,
    });
    return back.catch(() => {
      signal?.throwIfAborted();
      return false;
    });
  }

  /** Treats the view as current although listing failed: notifications arrive, and update it from now on. */
  assumeCurrent(): void {
    if (this.#state === 'stale') this.#state = 'current';
  }

  /**
   * Adds and removes Computers after a list of the office, and resolves when all topics known so far are fetched. A
   * Computer that enters or leaves while the list is pending keeps that state: the notification is newer than the list.
   */
  async sync(list: () => Promise<readonly string[]>): Promise<void> {
    const moved = new Set<string>();
    this.#movedSince.add(moved);
    const until = performance.now() + RETURN_MS;
    for (const computer of this.#returning.keys()) this.#returning.set(computer, until);
    const present = await list().finally(() => this.#movedSince.delete(moved));
    this.assumeCurrent();
    for (const computer of present) this.#returned(computer);
    for (const computer of this.computers.keys()) {
      if (!present.includes(computer) && !moved.has(computer)) this.leave(computer);
    }
    const staying = present.filter(computer => !moved.has(computer));
    await Promise.all(
      staying.map(computer => (this.computers.has(computer) ? this.#renew(computer) : this.enter(computer))),
    );
  }

  /** Adds a Computer and fetches its tools. A known one is fetched again: another may have taken the name. */
  async enter(computer: string): Promise<void> {
    this.#noteMove(computer);
    this.#returned(computer);
    if (!this.computers.has(computer)) {
      this.computers.set(computer, { tools: [] });
      this.#options.events.emit('enter', { computer });
    }
    await this.#request(computer, ['tools']);
  }

  leave(computer: string): void {
    this.#noteMove(computer);
    this.#queues.get(computer)?.close();
    this.#queues.delete(computer);
    if (this.computers.delete(computer)) this.#options.events.emit('leave', { computer });
  }

  /** Resolves when a Computer offers the tool. Rejects with 408 after the timeout or when the Agent is closed. */
  waitForTool(wanted: ToolWanted, { timeout, signal }: RequestOptions): Promise<ToolFound> {
    const { events } = this.#options;
    return settle<ToolFound>(
      (resolve, reject) => {
        const check = () => {
          const found = this.#state === 'current' ? findOffer(this.computers, wanted) : undefined;
          if (found) resolve(found);
          if (this.#state === 'closed') reject(notOffered(wanted, 'before the Agent was closed'));
        };
        const stops = [events.on('tools', check), events.on('connection', check)];
        check();
        return () => {
          for (const stop of stops) stop();
        };
      },
      { timeout, timeoutError: () => notOffered(wanted, `in time${this.#likelyNames(wanted)}`), signal },
    );
  }

  close(): void {
    this.#state = 'closed';
    for (const computer of this.#returning.keys()) this.#returned(computer);
    for (const queue of this.#queues.values()) queue.close();
  }

  /** The tools that a wanted name may mean, if it is not clear which. */
  #likelyNames({ computer, tool }: ToolWanted): string {
    const lists = [...this.computers].filter(([name]) => computer === undefined || computer === name);
    const names = lists.flatMap(([, { tools }]) => toolsCalled(tools, tool)).map(({ name }) => `'${name}'`);
    return names.length === 0 ? '' : `; wait for one of ${names.join(', ')} instead`;
  }

  /** A Computer announced a change; without a name, every Computer may have changed. */
  #changed(computer: string | undefined, topics: readonly Topic[], uris?: readonly string[]): void {
    if (computer !== undefined && !this.computers.has(computer)) void this.enter(computer);
    for (const name of computer === undefined ? this.computers.keys() : [computer]) {
      for (const topic of topics)
        this.#options.events.emit('changed', { computer: name, topic, ...(uris && { uris }) });
      void this.#request(name, topics);
    }
  }

  #returned(computer: string): void {
    if (this.#returning.delete(computer)) this.#returns.emit('returned', computer);
  }

  #noteMove(computer: string): void {
    for (const moved of this.#movedSince) moved.add(computer);
  }

  #renew(computer: string): Promise<void> {
    const view = this.computers.get(computer);
    const known = (['config', 'desktop', 'finder', 'skills'] as const).filter(topic => view?.[topic]);
    return this.#request(computer, ['tools', ...known]);
  }

  #request(computer: string, topics: readonly Topic[]): Promise<void> {
    const queue =
      this.#queues.get(computer) ??
      new RefreshQueue<Topic>((topic, signal) => this.#refresh(computer, topic, signal), {
        interval: REFRESH_INTERVAL_MS,
      });
    this.#queues.set(computer, queue);
    return queue.request(topics.filter(topic => this.#options.topics.has(topic)));
  }

  async #refresh(computer: string, topic: Topic, signal: AbortSignal): Promise<void> {
    const { fetch, events, logger } = this.#options;
    try {
      const fetched = await retrying(() => fetch(computer, topic, signal), signal);
      const view = this.computers.get(computer);
      if (signal.aborted || !view) return;
      Object.assign(view, fetched);
      announce(events, computer, topic, view);
    } catch (error) {
      if (signal.aborted) return;
      // The Computer has left, and the notification was missed.
      if (error instanceof SmcpError && error.code === ErrorCode.NotFound) return this.leave(computer);
      logger.warn('A Computer could not be refreshed', { computer, topic, error });
    }
  }
}

export interface RefreshQueueOptions {
  /** Milliseconds from one fetch of a topic to its next. */
  interval: number;
}

/**
 * Fetches the topics of one Computer, one at a time. Requests before a fetch begins share it; a request during the fetch
 * causes another one, because the answer may be stale.
 */
export class RefreshQueue<Topic extends string> {
  readonly #fetch: (topic: Topic, signal: AbortSignal) => Promise<void>;
  readonly #interval: number;
  readonly #queue = new SerialQueue();
  /** Fetches that have not begun. */
  readonly #pending = new Map<Topic, Promise<void>>();
  /** Times of the last fetches, as `performance.now()` has them. */
  readonly #fetchedAt = new Map<Topic, number>();
  readonly #stop = new AbortController();

  /** @param fetch must not reject while its signal has not fired */
  constructor(fetch: (topic: Topic, signal: AbortSignal) => Promise<void>, { interval }: RefreshQueueOptions) {
    this.#fetch = fetch;
    this.#interval = interval;
  }

  /** Resolves when the topics are fetched, or the queue is closed. */
  async request(topics: readonly Topic[]): Promise<void> {
    await Promise.all(topics.map(topic => this.#schedule(topic)));
  }

  /** Aborts the fetch that runs and drops all others. */
  close(): void {
    this.#stop.abort();
  }

  #schedule(topic: Topic): Promise<void> {
    const fetch = this.#pending.get(topic) ?? this.#queue.run(() => this.#refresh(topic));
    this.#pending.set(topic, fetch);
    return fetch;
  }

  async #refresh(topic: Topic): Promise<void> {
    const { signal } = this.#stop;
    const wait = (this.#fetchedAt.get(topic) ?? -Infinity) + this.#interval - performance.now();
    if (wait > 0) await pause(wait, signal).catch(() => {});
    this.#pending.delete(topic);
    if (signal.aborted) return;
    this.#fetchedAt.set(topic, performance.now());
    await this.#fetch(topic, signal);
  }
}

function announce(events: Emitter<AgentEvents>, computer: string, topic: Topic, view: ComputerView): void {
  const { tools, config, desktop, finder, skills } = view;
  if (topic === 'tools') events.emit('tools', { computer, tools });
  if (topic === 'config' && config) events.emit('config', { computer, config });
  if (topic === 'desktop' && desktop) events.emit('desktop', { computer, desktop });
  if (topic === 'finder' && finder) events.emit('finder', { computer, ...finder });
  if (topic === 'skills' && skills) events.emit('skills', { computer, skills });
}

async function retrying<T>(attempt: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let failures = 0; ; failures++) {
    try {
      return await attempt();
    } catch (error) {
      if (failures === RETRY_LIMIT || !isRetryable(error)) throw error;
      await pause(backoff(failures, RETRY_PAUSES), signal);
    }
  }
}

/** Only 408 and 500 are retried, and not after a lost connection: rejoining refreshes everything. */
function isRetryable(error: unknown): boolean {
  if (!(error instanceof SmcpError) || error.reason === 'disconnected' || error.reason === 'offline') return false;
  return error.code === ErrorCode.Timeout || error.code === ErrorCode.Internal;
}

function findOffer(computers: OfficeView['computers'], { computer, tool: name }: ToolWanted): ToolFound | undefined {
  for (const [candidate, { tools }] of computers) {
    const tool = findTool(tools, name);
    if (tool && (computer === undefined || computer === candidate)) return { computer: candidate, tool };
  }
  return undefined;
}

function notOffered({ computer, tool }: ToolWanted, reason: string): SmcpError {
  const where = computer === undefined ? 'No computer' : `Computer '${computer}' has not`;
  return new SmcpError(ErrorCode.Timeout, `${where} offered tool '${tool}' ${reason}`);
}
