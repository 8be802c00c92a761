import { backoff, Limiter, type Logger, pause, SerialQueue } from '@a2c-smcp/core';
import type { Client, McpSubscription } from '@modelcontextprotocol/client';

/** Keeps an MCP server's word of changed resources coming, in the way its era offers. */
export interface ResourceWatch {
  /**
   * Replaces the set of URIs whose updates are wanted. Each is subscribed once, however often it is named. Resolves
   * with those that the server agreed to, which may be fewer.
   */
  watch(uris: readonly string[]): Promise<ReadonlySet<string>>;
  close(): Promise<void>;
}

export interface ResourceWatchOptions {
  logger: Logger;
  /** Called when there was a time in which changes could go unnoticed. */
  onGap: () => void;
}

/** The watch for the era that `client` has agreed on. List changes are watched from the start in both. */
export async function startResourceWatch(client: Client, options: ResourceWatchOptions): Promise<ResourceWatch> {
  if (client.getProtocolEra() !== 'modern') return new LegacyWatch(client, options.logger);
  const watch = new ModernWatch(client, options);
  await watch.watch([]);
  return watch;
}

const CONCURRENT_SUBSCRIPTIONS = 32;

/** Until 2025: one `resources/subscribe` per URI, and list changes come unasked. */
class LegacyWatch implements ResourceWatch {
  readonly #client: Client;
  readonly #logger: Logger;
  /** Thousands of requests at once would delay reads and lists. */
  readonly #limiter = new Limiter(CONCURRENT_SUBSCRIPTIONS);
  /** By URI, whether the server agreed. One that it refused is not asked for again. */
  readonly #subscriptions = new Map<string, Promise<boolean>>();
  #isClosed = false;

  constructor(client: Client, logger: Logger) {
    this.#client = client;
    this.#logger = logger;
  }

  async watch(uris: readonly string[]): Promise<ReadonlySet<string>> {
    if (this.#client.getServerCapabilities()?.resources?.subscribe !== true) return new Set();
    const wanted = new Set(uris);
    const removed = [...this.#subscriptions.keys()].filter(uri => !wanted.has(uri));
    for (const uri of removed) this.#subscriptions.delete(uri);
    const agreed = [...wanted].map(uri => this.#subscribe(uri));
    await Promise.all(removed.map(uri => this.#try(uri, () => this.#client.unsubscribeResource({ uri }))));
    const answers = await Promise.all(agreed);
    return new Set([...wanted].filter((_, index) => answers[index]));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
  }

  #subscribe(uri: string): Promise<boolean> {
    const known = this.#subscriptions.get(uri);
    if (known) return known;
    const subscription = this.#try(uri, () => this.#client.subscribeResource({ uri }));
    this.#subscriptions.set(uri, subscription);
    return subscription;
  }

  /** A resource that cannot be watched is merely not watched; the others still are. */
  async #try(uri: string, act: () => Promise<unknown>): Promise<boolean> {
    try {
      return await this.#limiter.run(async () => !this.#isClosed && (await act()) !== undefined);
    } catch (error) {
      if (!this.#isClosed) this.#logger.warn('A resource could not be watched', { uri, error });
      return false;
    }
  }
}

/** Milliseconds before a stream that ended is opened again. */
const REOPEN_BACKOFF = { first: 100, longest: 30_000 };
/** A stream that stayed open this long was sound: the next pause is the first again. */
const STABLE_STREAM_MS = 10_000;

/** From 2026: one `subscriptions/listen` stream carries everything; changing the set means a new stream. */
class ModernWatch implements ResourceWatch {
  readonly #client: Client;
  readonly #options: ResourceWatchOptions;
  readonly #closed = new AbortController();
  #uris: readonly string[] = [];
  #subscription: McpSubscription | undefined;
  readonly #changes = new SerialQueue();

  constructor(client: Client, options: ResourceWatchOptions) {
    this.#client = client;
    this.#options = options;
  }

  async watch(uris: readonly string[]): Promise<ReadonlySet<string>> {
    const wanted = [...new Set(uris)].toSorted();
    await this.#changes.run(() => this.#change(wanted));
    return new Set(this.#subscription?.honoredFilter.resourceSubscriptions ?? []);
  }

  async close(): Promise<void> {
    this.#closed.abort();
    await this.#subscription?.close().catch(() => {});
  }

  async #change(uris: readonly string[]): Promise<void> {
    const same = this.#subscription !== undefined && uris.join('\n') === this.#uris.join('\n');
    if (same || this.#closed.signal.aborted) return;
    this.#uris = uris;
    const former = this.#subscription;
    // The new stream first: a change between the two would be lost otherwise.
    await this.#open(0);
    await former?.close().catch(() => {});
  }

  async #open(attempt: number): Promise<void> {
    const { tools, prompts, resources } = this.#client.getServerCapabilities() ?? {};
    const filter = {
      ...(tools?.listChanged ? { toolsListChanged: true } : {}),
      ...(prompts?.listChanged ? { promptsListChanged: true } : {}),
      ...(resources?.listChanged ? { resourcesListChanged: true } : {}),
      ...(this.#uris.length > 0 ? { resourceSubscriptions: [...this.#uris] } : {}),
    };
    if (Object.keys(filter).length === 0) return;
    try {
      const subscription = await this.#client.listen(filter);
      this.#subscription = subscription;
      const opened = Date.now();
      void subscription.closed.then(async how => {
        const isSound = Date.now() - opened >= STABLE_STREAM_MS;
        if (how !== 'local') await this.#reopen(subscription, isSound ? 0 : attempt);
      });
    } catch (error) {
      this.#options.logger.warn('Changes of an MCP server could not be watched', { error });
      void this.#reopen(this.#subscription, attempt);
    }
  }

  async #reopen(ended: McpSubscription | undefined, attempt: number): Promise<void> {
    await pause(backoff(attempt, REOPEN_BACKOFF), this.#closed.signal).catch(() => {});
    if (this.#closed.signal.aborted || this.#subscription !== ended) return;
    this.#subscription = undefined;
    await this.#changes.run(async () => {
      await this.#open(attempt + 1);
      if (this.#subscription) this.#options.onGap();
    });
  }
}
