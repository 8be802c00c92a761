import { backoff, type Emitter, type Logger, pause } from '@a2c-smcp/core';
import { ErrorCode, SmcpError } from '@a2c-smcp/protocol';
import type { AgentEvents, ComputerView, Topic } from './events.ts';
import { RefreshQueue } from './refresh-queue.ts';

/** Milliseconds between two rounds of refreshes of one Computer. */
const INTERVAL = 100;
/** Pauses before a failed refresh is tried again, in milliseconds. */
const RETRY = { first: 500, longest: 5000 };
const RETRIES = 3;

/** Fetches a topic of a Computer; what it returns becomes part of its view. */
export type Fetch = (computer: string, topic: Topic, signal: AbortSignal) => Promise<Partial<ComputerView>>;

export interface OfficeViewOptions {
  fetch: Fetch;
  events: Emitter<AgentEvents>;
  /** What to fetch; other topics are only announced. */
  topics: ReadonlySet<Topic>;
  logger: Logger;
}

/** The live picture of an office: which Computers are there and what they offer. */
export class OfficeView {
  readonly computers = new Map<string, ComputerView>();
  readonly #queues = new Map<string, RefreshQueue<Topic>>();
  /** Who has come or gone, for each list that is on its way. */
  readonly #witnesses = new Set<Set<string>>();
  readonly #options: OfficeViewOptions;

  #isCurrent = false;

  constructor(options: OfficeViewOptions) {
    this.#options = options;
  }

  /** Whether the picture follows the office. It does not while the connection is gone and until the office was listed. */
  get isCurrent(): boolean {
    return this.#isCurrent;
  }

  /** Notifications do not arrive any more: nobody knows what happens. */
  lose(): void {
    this.#isCurrent = false;
  }

  /** There is no list to be had, but notifications arrive: they tell what happens from here on. */
  doWithoutList(): void {
    this.#isCurrent = true;
  }

  /**
   * Brings the picture in line with the members of the office; resolves when all that was known is fresh. Whoever
   * comes or goes while the list is on its way has moved since: the notification is newer than the list.
   */
  async sync(list: () => Promise<readonly string[]>): Promise<void> {
    const moved = new Set<string>();
    this.#witnesses.add(moved);
    const present = await list().finally(() => this.#witnesses.delete(moved));
    this.#isCurrent = true;
    for (const computer of this.computers.keys()) {
      if (!present.includes(computer) && !moved.has(computer)) this.leave(computer);
    }
    const staying = present.filter(computer => !moved.has(computer));
    await Promise.all(
      staying.map(computer => (this.computers.has(computer) ? this.#renew(computer) : this.enter(computer))),
    );
  }

  /** A Computer is there; its tools are fetched, also when it was there before: it may be another one by now. */
  async enter(computer: string): Promise<void> {
    const { events, topics } = this.#options;
    this.#witness(computer);
    if (!this.computers.has(computer)) {
      this.computers.set(computer, { tools: [] });
      events.emit('enter', { computer });
    }
    if (topics.has('tools')) await this.#queue(computer).request(['tools']);
  }

  leave(computer: string): void {
    this.#witness(computer);
    this.#queues.get(computer)?.close();
    this.#queues.delete(computer);
    if (this.computers.delete(computer)) this.#options.events.emit('leave', { computer });
  }

  /** Something of a Computer changed; without a name, of every Computer. */
  changed(computer: string | undefined, changes: readonly Topic[]): void {
    const { events, topics } = this.#options;
    if (computer !== undefined && !this.computers.has(computer)) void this.enter(computer);
    for (const name of computer === undefined ? this.computers.keys() : [computer]) {
      for (const topic of changes) events.emit('changed', { computer: name, topic });
      void this.#queue(name).request(changes.filter(topic => topics.has(topic)));
    }
  }

  close(): void {
    for (const queue of this.#queues.values()) queue.close();
  }

  #witness(computer: string): void {
    for (const moved of this.#witnesses) moved.add(computer);
  }

  #renew(computer: string): Promise<void> {
    const known: Topic[] = [
      'tools',
      ...(['config', 'desktop', 'finder'] as const).filter(topic => this.computers.get(computer)?.[topic]),
    ];
    return this.#queue(computer).request(known.filter(topic => this.#options.topics.has(topic)));
  }

  #queue(computer: string): RefreshQueue<Topic> {
    const queue =
      this.#queues.get(computer) ??
      new RefreshQueue<Topic>((topic, signal) => this.#refresh(computer, topic, signal), { interval: INTERVAL });
    this.#queues.set(computer, queue);
    return queue;
  }

  async #refresh(computer: string, topic: Topic, signal: AbortSignal): Promise<void> {
    const { fetch, events, logger } = this.#options;
    try {
      const news = await retrying(() => fetch(computer, topic, signal), signal);
      const view = this.computers.get(computer);
      if (signal.aborted || !view) return;
      Object.assign(view, news);
      announce(events, computer, topic, view);
    } catch (error) {
      if (signal.aborted) return;
      // The office knows no such Computer: its leaving went by unheard.
      if (error instanceof SmcpError && error.code === ErrorCode.NotFound) return this.leave(computer);
      logger.warn('A Computer could not be refreshed', { computer, topic, error });
    }
  }
}

function announce(events: Emitter<AgentEvents>, computer: string, topic: Topic, view: ComputerView): void {
  const { tools, config, desktop, finder } = view;
  if (topic === 'tools') events.emit('tools', { computer, tools });
  if (topic === 'config' && config) events.emit('config', { computer, config });
  if (topic === 'desktop' && desktop) events.emit('desktop', { computer, desktop });
  if (topic === 'finder' && finder) events.emit('finder', { computer, ...finder });
}

/** Repeats after 408 and 500 only, and not when the connection is gone: being back refreshes everything anyway. */
async function retrying<T>(attempt: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let failures = 0; ; failures++) {
    try {
      return await attempt();
    } catch (error) {
      if (failures === RETRIES || !mayPass(error)) throw error;
      await pause(backoff(failures, RETRY), signal);
    }
  }
}

function mayPass(error: unknown): boolean {
  if (!(error instanceof SmcpError)) return false;
  const isOffline = error.details?.reason === 'disconnected' || error.details?.reason === 'offline';
  return !isOffline && (error.code === ErrorCode.Timeout || error.code === ErrorCode.Internal);
}
