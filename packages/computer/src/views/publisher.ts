import { Limiter } from '@a2c-smcp/core';
import type { Resource } from '@a2c-smcp/protocol';
import type { RawResult } from '../mcp/mcp-schemas.ts';
import { Refresher } from '../mcp/refresher.ts';
import type { ResourceSource } from '../resources/sources.ts';
import { sizeOf } from '../size-of.ts';
import { hostsOf } from './hosts.ts';
import { type View, viewOf, views } from './view.ts';
import type { Warnings } from './warnings.ts';
import { within } from './within.ts';

/** Milliseconds that a server may take to list or to read something before a view does without it. */
const LIMIT = 5000;
/** How many of them a read waits for subscriptions to be made, so that what it reads can be kept. */
const SUBSCRIBE_LIMIT = 2000;
/** So many documents are read at the same time. */
const CONCURRENT_DOCUMENTS = 8;
/** Characters of all reads that are cached; others are read again. */
const MAX_CACHED_LENGTH = 32 * 1024 * 1024;
/** Between two listings at the server's own request, in milliseconds. */
const RELIST_PAUSE = 50;

const UNLISTED = 'An MCP server is left out: it could not list its resources';

/** What a server publishes for one view. */
export interface Section {
  uris: ReadonlySet<string>;
  hosts: ReadonlySet<string>;
}

const EMPTY: Section = { uris: new Set(), hosts: new Set() };

export interface PublisherOptions {
  /** The set of URIs of a view is not what it was. */
  onChanged: (view: View) => void;
  /** A listing was compared, whatever came of it. */
  onCompared: () => void;
  warnings: Warnings;
}

/**
 * What one MCP server publishes, for as long as one connection lasts. Subscribes to each window and document once, and
 * keeps what it read until the server announces a change.
 */
export class Publisher {
  readonly server: string;
  /** Through which documents are read: there may be thousands of them. */
  readonly limiter = new Limiter(CONCURRENT_DOCUMENTS);
  readonly #source: ResourceSource;
  readonly #options: PublisherOptions;
  readonly #refresher = new Refresher(() => this.#compare(), RELIST_PAUSE);
  readonly #reads = new Map<string, Promise<RawResult>>();
  /** Characters of each read that is cached. */
  readonly #sizes = new Map<string, number>();
  #cachedLength = 0;
  readonly #outdated = new Set<string>();
  /** The first comparison, with nothing. */
  readonly #primed: Promise<void>;
  #sections: Record<View, Section> = { desktop: EMPTY, finder: EMPTY };
  /** The last list, sorted by view. */
  #listed: { resources: readonly Resource[]; views: Record<View, readonly Resource[]> } | undefined;
  /** The list whose windows and documents are subscribed to. */
  #subscribedList: readonly Resource[] | undefined;
  #subscribing: Promise<void> = Promise.resolve();
  #watched: ReadonlySet<string> = new Set();
  #ended = false;

  constructor(source: ResourceSource, options: PublisherOptions) {
    this.server = source.server;
    this.#source = source;
    this.#options = options;
    this.#primed = this.#compare();
  }

  /** Resolves when the first listing is known, or takes too long to be waited for. */
  settled(): Promise<void> {
    return within(this.#primed, LIMIT).catch(() => {});
  }

  /** The windows or documents as they were when last compared. */
  section(view: View): Section {
    return this.#sections[view];
  }

  /**
   * The resources of a view, verbatim; none when they cannot be listed. Costs no request while no change was announced,
   * and is the same array until then.
   */
  async list(view: View): Promise<readonly Resource[]> {
    const resources = await this.#list(LIMIT);
    if (!resources) return [];
    this.#subscribe(resources);
    if (this.#listed?.resources !== resources) this.#listed = { resources, views: byView(resources) };
    return this.#listed.views[view];
  }

  /** Documents that were updated since they were listed, so that what the list says of them is out of date. */
  get outdated(): ReadonlySet<string> {
    return this.#outdated;
  }

  /** The answer to `resources/read`. Costs no request while the server has announced no change of it. */
  read(uri: string): Promise<RawResult> {
    const kept = this.#reads.get(uri);
    if (kept) return kept;
    const started = Date.now();
    const drop = () => this.#reads.get(uri) === reading && this.#drop(uri);
    const subscribed = this.#watched.has(uri) ? Promise.resolve() : this.#subscribing;
    const reading = subscribed.then(() => {
      // What is read while no subscription holds may change unheard.
      if (!this.#watched.has(uri)) drop();
      return this.#source.read(uri, { timeout: LIMIT - (Date.now() - started) });
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

  /** The server announced an update of this URI. */
  updated(uri: string): void {
    if (this.#sections.finder.uris.has(uri)) this.#outdated.add(uri);
    for (const kept of this.#reads.keys()) if (covers(kept, uri)) this.#drop(kept);
  }

  /** The server announced that its list has changed. */
  listChanged(): void {
    this.forget();
    this.#outdated.clear();
    void this.#primed.then(() => this.#refresher.request());
  }

  /** Nothing that was read counts any more. */
  forget(): void {
    this.#reads.clear();
    this.#sizes.clear();
    this.#cachedLength = 0;
  }

  /** The connection is over: whatever is still under way is of no interest. */
  end(): void {
    this.#ended = true;
    this.forget();
  }

  #drop(uri: string): void {
    this.#reads.delete(uri);
    this.#cachedLength -= this.#sizes.get(uri) ?? 0;
    this.#sizes.delete(uri);
  }

  /** Nobody waits for it, so a slow server may take its time. */
  async #compare(): Promise<void> {
    const resources = await this.#list();
    if (!resources || this.#ended) return;
    this.#subscribe(resources);
    const before = this.#sections;
    this.#sections = { desktop: sectionOf(resources, 'desktop'), finder: sectionOf(resources, 'finder') };
    for (const view of views) {
      if (!isSame(before[view].uris, this.#sections[view].uris)) this.#options.onChanged(view);
    }
    this.#options.onCompared();
  }

  async #list(limit?: number): Promise<readonly Resource[] | undefined> {
    const { warnings } = this.#options;
    const cause = { mcp_server: this.server };
    try {
      const listing = this.#source.list();
      const resources = await (limit === undefined ? listing : within(listing, limit));
      warnings.settle(UNLISTED, cause);
      return resources;
    } catch (error) {
      if (!this.#ended) warnings.warn(UNLISTED, cause, { error });
      return undefined;
    }
  }

  #subscribe(resources: readonly Resource[]): void {
    if (!this.#source.announcesUpdates || resources === this.#subscribedList) return;
    this.#subscribedList = resources;
    const uris = resources.map(({ uri }) => uri).filter(uri => viewOf(uri) !== undefined);
    const subscribed = this.#source.watch(uris).then(watched => {
      if (this.#subscribedList === resources) this.#watched = watched;
    });
    this.#subscribing = within(subscribed, SUBSCRIBE_LIMIT).catch(() => {});
  }
}

function byView(resources: readonly Resource[]): Record<View, readonly Resource[]> {
  const views: Record<View, Resource[]> = { desktop: [], finder: [] };
  for (const resource of resources) {
    const view = viewOf(resource.uri);
    if (view) views[view].push(resource);
  }
  return views;
}

function sectionOf(resources: readonly Resource[], view: View): Section {
  const uris = new Set(resources.map(({ uri }) => uri).filter(uri => viewOf(uri) === view));
  return { uris, hosts: hostsOf(uris) };
}

function isSame(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return a.size === b.size && [...a].every(uri => b.has(uri));
}

/** Whether an update of `updated` concerns `kept`: the same address with or without a query, or a part of it. */
function covers(kept: string, updated: string): boolean {
  if (updated.startsWith(kept)) return /^[/?#]?$/.test(updated.charAt(kept.length));
  return kept.startsWith(updated) && /[?#]/.test(kept.charAt(updated.length));
}
