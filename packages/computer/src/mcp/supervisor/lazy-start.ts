import { Debouncer, within } from '@a2c-smcp/core';
import type { McpSession, ResourceSession } from '../session/session.ts';
import { parseDuration } from '../transport/duration.ts';
import { watchIdle } from './idle-watch.ts';
import type { McpServerOptions } from './mcp-server-options.ts';
import { type CataloguedServer, collectCatalog, type ServerCatalog } from './server-catalog.ts';

/** Starts of a sleeping server that may fail in a row before its cached tools are taken from the list. */
const MAX_FAILED_STARTS = 3;
const DEFAULT_IDLE_MS = 10 * 60_000;
/** Between two writes of lists that keep changing, in milliseconds. */
const CACHE_PAUSE_MS = 1000;
/** How long the end of a session waits for its lists. */
const CACHE_TIMEOUT_MS = 1000;

/** A session with everything that its server publishes. */
interface LiveServer {
  session: McpSession;
  publisher: ResourceSession;
  onIdle: () => void;
}

type LazyServer = CataloguedServer & { name: string; isLocal: boolean };
type LazyStartOptions = Pick<McpServerOptions, 'catalogs' | 'questions' | 'isWatched' | 'events'>;

/** The lazy side of one MCP server: its lists for the time without a session, and when that time begins. */
export class LazyStart {
  /** Its last listing. */
  catalog: ServerCatalog | undefined;
  readonly #server: LazyServer;
  readonly #options: LazyStartOptions;
  #failedStarts = 0;
  /** The present caching of lists. */
  #caching: Promise<void> = Promise.resolve();

  constructor(server: LazyServer, options: LazyStartOptions) {
    this.#server = server;
    this.#options = options;
  }

  get isOn(): boolean {
    return this.#server.config.start === 'lazy' && !this.#server.isLocal;
  }

  /** True if it can be listed and woken without a session, and no Agent watches its windows or documents. */
  get maySleep(): boolean {
    return this.isOn && this.catalog !== undefined && !this.#options.isWatched(this.#server.name);
  }

  /** Reads the lists that an earlier Computer cached. */
  async load(): Promise<ServerCatalog | undefined> {
    this.catalog = await this.#options.catalogs.read(this.#server);
    return this.catalog;
  }

  /** Counts a start that has failed. Returns whether the next one may succeed. */
  mayRetry(): boolean {
    this.#failedStarts += 1;
    return this.#failedStarts < MAX_FAILED_STARTS;
  }

  /** Caches what a session lists, from now on, and calls `onIdle` when it is not used. Returns what ends both. */
  follow({ session, publisher, onIdle }: LiveServer): () => Promise<void> {
    this.#failedStarts = 0;
    if (!this.isOn) return async () => {};
    const { name, config } = this.#server;
    const { questions, events } = this.#options;
    const cache = () => {
      this.#caching = this.#cache(session, publisher);
      return this.#caching;
    };
    const lists = new Debouncer(cache, { pause: CACHE_PAUSE_MS });
    lists.request();
    const isOurs = ({ server }: { server: string }) => server === name && lists.request();
    const ends = [
      () => lists.cancel(),
      events.on('tools-changed', isOurs),
      events.on('prompts-changed', isOurs),
      events.on('resources-changed', isOurs),
      watchIdle({
        idle: parseDuration(config.idle ?? '') ?? DEFAULT_IDLE_MS,
        uses: () => session.activity.uses,
        isInUse: () =>
          session.activity.calls > 0 || !this.maySleep || questions.open.some(({ server }) => server === name),
        onIdle,
      }),
    ];
    return async () => {
      for (const end of ends) end();
      await within(this.#caching, { timeout: CACHE_TIMEOUT_MS }).catch(() => {});
    };
  }

  async #cache(session: McpSession, publisher: ResourceSession): Promise<void> {
    const catalog = await collectCatalog(session, publisher, this.catalog);
    if (JSON.stringify(catalog) === JSON.stringify(this.catalog)) return;
    this.catalog = catalog;
    await this.#options.catalogs.write(this.#server, catalog);
  }
}
