import { Debouncer, within } from '@a2c-smcp/core';
import type { McpSession, ResourceSession } from '../session/session.ts';
import { parseDuration } from '../transport/duration.ts';
import { watchIdle } from './idle-watch.ts';
import type { McpServerOptions } from './mcp-server-options.ts';
import { type CataloguedServer, collectCatalog, collectLiveLists, type ServerCatalog } from './server-catalog.ts';

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

type ListedServer = CataloguedServer & { name: string; isLocal: boolean };
type CachedListsOptions = Pick<McpServerOptions, 'catalogs' | 'questions' | 'isWatched' | 'events'>;

/** The lists of one MCP server for the time without a session, and when that time begins for a lazy one. */
export class CachedLists {
  /** Its last listing. */
  catalog: ServerCatalog | undefined;
  readonly #server: ListedServer;
  readonly #options: CachedListsOptions;
  #failedStarts = 0;
  /** The present caching of lists. */
  #caching: Promise<void> = Promise.resolve();

  constructor(server: ListedServer, options: CachedListsOptions) {
    this.#server = server;
    this.#options = options;
  }

  get isLazy(): boolean {
    return this.#server.config.start === 'lazy' && !this.#server.isLocal;
  }

  /** Those of an eager server matter only to the next Computer. */
  get #areCached(): boolean {
    return this.isLazy || (this.#options.catalogs.areKept && !this.#server.isLocal);
  }

  /** True if it can be listed and woken without a session, and no Agent watches its windows or documents. */
  get maySleep(): boolean {
    return this.isLazy && this.catalog !== undefined && !this.#options.isWatched(this.#server.name);
  }

  /** Reads the lists that an earlier Computer cached. */
  async load(): Promise<ServerCatalog | undefined> {
    if (!this.#areCached) return undefined;
    this.catalog = await this.#options.catalogs.read(this.#server);
    return this.catalog;
  }

  /** Counts a start that has failed. Returns whether the cached tools stay listed for the next one. */
  mayRetry(): boolean {
    this.#failedStarts += 1;
    return this.isLazy && this.#failedStarts < MAX_FAILED_STARTS;
  }

  /** Caches what a session lists, from now on, and calls `onIdle` when a lazy one is not used. Returns what ends both. */
  follow({ session, publisher, onIdle }: LiveServer): () => Promise<void> {
    this.#failedStarts = 0;
    if (!this.#areCached) return async () => {};
    const { name, config } = this.#server;
    const { questions, events } = this.#options;
    const cache = () => {
      this.#caching = this.#cache(session, publisher);
      return this.#caching;
    };
    const lists = new Debouncer(cache, { pause: CACHE_PAUSE_MS });
    lists.request();
    const isOurs = ({ server }: { server: string }) => server === name && lists.request();
    const ends = [() => lists.cancel(), events.on('tools-changed', isOurs), events.on('prompts-changed', isOurs)];
    if (this.isLazy) {
      const isAsked = () => questions.open.some(({ server }) => server === name);
      ends.push(
        // An eager server is started whatever resources it has, and some servers change thousands of them all the time.
        events.on('resources-changed', isOurs),
        watchIdle({
          idle: parseDuration(config.idle ?? '') ?? DEFAULT_IDLE_MS,
          uses: () => session.activity.uses,
          isInUse: () => session.activity.calls > 0 || !this.maySleep || isAsked(),
          onIdle,
        }),
      );
    }
    return async () => {
      for (const end of ends) end();
      await within(this.#caching, { timeout: CACHE_TIMEOUT_MS }).catch(() => {});
    };
  }

  async #cache(session: McpSession, publisher: ResourceSession): Promise<void> {
    const catalog = await (this.isLazy ? collectCatalog : collectLiveLists)(session, publisher, this.catalog);
    const isNew = JSON.stringify(catalog) !== JSON.stringify(this.catalog);
    // An eager server has a session from now on.
    this.catalog = this.isLazy ? catalog : undefined;
    if (isNew) await this.#options.catalogs.write(this.#server, catalog);
  }
}
