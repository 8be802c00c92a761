import { Debouncer, fieldsOf, Limiter, type Logger, sizeOf, within } from '@a2c-smcp/core';
import { RESOURCE_TIMEOUT_MS, type Resource } from '@a2c-smcp/protocol';
import type { RawResult } from '../mcp/session/schemas.ts';
import type { ResourceSession } from '../mcp/session/session.ts';
import type { Warnings } from '../warnings.ts';
import { hostsOf } from './hosts.ts';
import { type View, viewOf, views } from './view.ts';

/** How much of its time limit a read waits for pending subscriptions, so that its result can be cached. */
const SUBSCRIBE_TIMEOUT_MS = 2000;
const CONCURRENT_DOCUMENTS = 8;
/** Characters of all cached reads; others are read again. */
const MAX_CACHED_LENGTH = 32 * 1024 * 1024;
/** Between two listings that the server asks for. */
const RELIST_PAUSE_MS = 50;

const UNLISTED = 'An MCP server is left out: it could not list its resources';

export interface ServerResourcesOptions {
  server: string;
  session: ResourceSession;
  /** True if its windows and documents are shown on Desktop and Finder. */
  isShown: boolean;
  /** Some resources of a view may have changed, came or went; any, if none are named. */
  onChanged: (view: View, uris?: Iterable<string>) => void;
  /** The resources were listed and compared with the former list. */
  onCompared: () => void;
  warnings: Warnings;
  logger: Logger;
}

export interface ReadPolicy {
  /** True if an earlier read may be used that no announced update has invalidated. @default false */
  cached?: boolean;
  /** Milliseconds for a read that is not cached. @default that of the session */
  timeout?: number | undefined;
}

/** The URIs of one view, and the hosts in them. */
interface ViewUris {
  uris: ReadonlySet<string>;
  hosts: ReadonlySet<string>;
  /** Documents whose pages are not counted yet. */
  uncounted: number;
}

/** A list, divided by view. */
interface ListedViews {
  resources: readonly Resource[];
  views: Record<View, readonly Resource[]>;
  /** The number of announced changes when it was requested; none for a server that does not announce them. */
  listChanges: number | undefined;
}

const NO_URIS: ViewUris = { uris: new Set(), hosts: new Set(), uncounted: 0 };

/**
 * The resources of one MCP server during one session. If they are shown, subscribes to each window and document once
 * and caches reads until the server announces a change.
 */
export class ServerResources {
  readonly server: string;
  readonly session: ResourceSession;
  readonly isShown: boolean;
  /** Bounds concurrent reads of documents: there may be thousands. */
  readonly limiter = new Limiter(CONCURRENT_DOCUMENTS);
  readonly #options: ServerResourcesOptions;
  readonly #relist = new Debouncer(() => this.#compare(), { pause: RELIST_PAUSE_MS });
  readonly #reads = new Map<string, Promise<RawResult>>();
  /** Characters of each cached read. */
  readonly #sizes = new Map<string, number>();
  #cachedLength = 0;
  readonly #outdated = new Set<string>();
  readonly #firstComparison: Promise<void>;
  #uris: Record<View, ViewUris> = { desktop: NO_URIS, finder: NO_URIS, skills: NO_URIS };
  /** How often the server announced that its list has changed. */
  #listChanges = 0;
  #listed: ListedViews | undefined;
  /** The list whose windows and documents are subscribed to. */
  #subscribedList: readonly Resource[] | undefined;
  #subscribing: Promise<void> = Promise.resolve();
  #watched: ReadonlySet<string> = new Set();
  #closed = false;

  constructor(options: ServerResourcesOptions) {
    this.server = options.server;
    this.session = options.session;
    this.isShown = options.isShown;
    this.#options = options;
    this.#firstComparison = this.#compare();
  }

  /** True if the server announces updates of single resources, so that reads can be cached. */
  get announcesUpdates(): boolean {
    return this.session.capabilities.resources?.subscribe === true;
  }

  /** Resolves when the first listing is known or takes too long. */
  settled(): Promise<void> {
    return within(this.#firstComparison, { timeout: RESOURCE_TIMEOUT_MS }).catch(() => {});
  }

  /** The URIs of a view as last compared, and the hosts in them. */
  urisOf(view: View): ViewUris {
    return this.#uris[view];
  }

  /**
   * The resources of a view; none when they cannot be listed. Sends no request while no change was announced, and
   * returns the same array until then.
   */
  async list(view: View): Promise<readonly Resource[]> {
    if (this.#listed?.listChanges === this.#listChanges) return this.#listed.views[view];
    const listChanges = this.session.capabilities.resources?.listChanged ? this.#listChanges : undefined;
    const resources = await within(this.#list(), { timeout: RESOURCE_TIMEOUT_MS }).catch(error => {
      // The former list is shown until the new one is there.
      if (!this.#listed) this.#warnUnlisted(error);
      return this.#listed?.resources;
    });
    if (!resources) return [];
    this.#subscribe(resources);
    if (this.#listed?.resources !== resources) this.#listed = { resources, views: byView(resources), listChanges };
    return this.#listed.views[view];
  }

  /** Documents that were updated since they were listed: their list entries are stale. */
  get outdated(): ReadonlySet<string> {
    return this.#outdated;
  }

  /** The answer to `resources/read`. */
  read(uri: string, { cached = false, timeout }: ReadPolicy = {}): Promise<RawResult> {
    if (!cached) return this.session.readResource(uri, { timeout, isFresh: true });
    return this.#reads.get(uri) ?? this.#readAndCache(uri);
  }

  /** Invalidates the cached reads that the update of a URI concerns, or all of them without a URI. */
  updated(uri: string | undefined): void {
    if (uri === undefined) {
      this.#dropReads();
      this.notifyAll();
      return;
    }
    if (this.#uris.finder.uris.has(uri)) this.#outdated.add(uri);
    for (const cached of this.#reads.keys()) if (covers(cached, uri)) this.#drop(cached);
    const view = viewOf(uri);
    if (view) this.#changed(view, [uri]);
  }

  /** Reports each view that has something of this server as changed. */
  notifyAll(): void {
    for (const view of views) if (this.#uris[view].uris.size > 0) this.#changed(view, this.#uris[view].uris);
  }

  /** The server announced that its list has changed. */
  listChanged(): void {
    this.#listChanges += 1;
    this.#dropReads();
    this.#outdated.clear();
    void this.#firstComparison.then(() => this.#relist.request());
  }

  /** The session is over: pending requests have no effect any more. */
  close(): void {
    this.#closed = true;
    this.#dropReads();
  }

  #readAndCache(uri: string): Promise<RawResult> {
    const started = Date.now();
    const drop = () => this.#reads.get(uri) === reading && this.#drop(uri);
    const subscribed = this.#watched.has(uri) ? Promise.resolve() : this.#subscribing;
    const reading = subscribed.then(() => {
      // Without a subscription no update would invalidate it.
      if (!this.#watched.has(uri)) drop();
      return this.session.readResource(uri, { timeout: RESOURCE_TIMEOUT_MS - (Date.now() - started) });
    });
    this.#reads.set(uri, reading);
    reading.then(result => {
      if (this.#reads.get(uri) !== reading) return;
      const size = sizeOf(result);
      this.#sizes.set(uri, size);
      this.#cachedLength += size;
      if (this.#cachedLength > MAX_CACHED_LENGTH) drop();
    }, drop);
    return reading;
  }

  #dropReads(): void {
    this.#reads.clear();
    this.#sizes.clear();
    this.#cachedLength = 0;
  }

  #drop(uri: string): void {
    this.#reads.delete(uri);
    this.#cachedLength -= this.#sizes.get(uri) ?? 0;
    this.#sizes.delete(uri);
  }

  /** No request waits for it, so that a slow server may take its time. */
  async #compare(): Promise<void> {
    const resources = await this.#list();
    if (!resources || this.#closed) return;
    this.#subscribe(resources);
    const before = this.#uris;
    const uris = (view: View) => urisIn(resources, view);
    this.#uris = { desktop: uris('desktop'), finder: uris('finder'), skills: uris('skills') };
    for (const view of views) {
      if (!isSame(before[view], this.#uris[view])) this.#changed(view, differenceOf(before[view], this.#uris[view]));
      else if (this.#listChanges > 0) {
        this.#options.logger.debug('A changed list of resources leaves a view as it is', {
          mcp_server: this.server,
          view,
        });
      }
    }
    this.#options.onCompared();
  }

  /** Desktop and Finder leave out servers that do not announce updates; skills need none. */
  #changed(view: View, uris: Iterable<string> | undefined): void {
    if (this.isShown || view === 'skills') this.#options.onChanged(view, uris);
  }

  /** Undefined when the server cannot list them. */
  async #list(): Promise<readonly Resource[] | undefined> {
    try {
      const resources = await this.session.resources();
      this.#options.warnings.settle(UNLISTED, { mcp_server: this.server });
      return resources;
    } catch (error) {
      this.#warnUnlisted(error);
      return undefined;
    }
  }

  #warnUnlisted(error: unknown): void {
    if (!this.#closed) this.#options.warnings.warn(UNLISTED, { mcp_server: this.server }, { error });
  }

  #subscribe(resources: readonly Resource[]): void {
    if (!this.announcesUpdates || resources === this.#subscribedList) return;
    this.#subscribedList = resources;
    const uris = resources.map(({ uri }) => uri).filter(isWatched);
    const subscribed = this.session.watchResources(uris).then(watched => {
      if (this.#subscribedList === resources) this.#watched = watched;
    });
    this.#subscribing = within(subscribed, { timeout: SUBSCRIBE_TIMEOUT_MS }).catch(() => {});
  }
}

function byView(resources: readonly Resource[]): Record<View, readonly Resource[]> {
  const divided: Record<View, Resource[]> = { desktop: [], finder: [], skills: [] };
  for (const resource of resources) {
    const view = viewOf(resource.uri);
    if (view) divided[view].push(resource);
  }
  return divided;
}

function urisIn(resources: readonly Resource[], view: View): ViewUris {
  const shown = resources.filter(({ uri }) => viewOf(uri) === view);
  const uris = new Set(shown.map(({ uri }) => uri));
  const uncounted = view === 'finder' ? shown.filter(({ _meta }) => fieldsOf(_meta).page_count === 0).length : 0;
  return { uris, hosts: hostsOf(uris), uncounted };
}

/** Of a skill only its entry is watched: it may have thousands of files. */
function isWatched(uri: string): boolean {
  const view = viewOf(uri);
  return view === 'skills' ? uri.endsWith('/SKILL.md') : view !== undefined;
}

function isSame(a: ViewUris, b: ViewUris): boolean {
  return a.uncounted === b.uncounted && a.uris.size === b.uris.size && [...a.uris].every(uri => b.uris.has(uri));
}

/** The URIs that came or went. Undefined if others have changed: their pages are counted now. */
function differenceOf(before: ViewUris, now: ViewUris): string[] | undefined {
  if (before.uncounted > 0) return undefined;
  const [gone, come] = [[...before.uris], [...now.uris]];
  return [...gone.filter(uri => !now.uris.has(uri)), ...come.filter(uri => !before.uris.has(uri))];
}

/** True if an update of `updated` concerns `cached`: the same address with or without a query, or a part of it. */
function covers(cached: string, updated: string): boolean {
  if (updated.startsWith(cached)) return /^[/?#]?$/.test(updated.charAt(cached.length));
  return cached.startsWith(updated) && /[?#]/.test(cached.charAt(updated.length));
}
