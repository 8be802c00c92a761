import { createHash } from 'node:crypto';
import { Debouncer, type Logger } from '@a2c-smcp/core';
import type { OfficeAccess } from '../office-access.ts';
import type { OfficeAgent } from '../office-agent.ts';
import { showsComputer } from '../options.ts';
import { desktopUri, officeUri } from './office-uri.ts';
import { windowsOf } from './windows.ts';

const VIEWS = ['desktop', 'finder'] as const;
type View = (typeof VIEWS)[number];

/** Hashes by URI of the bridge. */
type Snapshot = ReadonlyMap<string, string>;

/** Milliseconds from one fetch of a view to its next. */
const PAUSE_MS = 250;
const FETCH_TIMEOUT_MS = 15_000;
/** Documents of a Computer that are compared. Changes of further ones are announced as changes of the list. */
const MAX_DOCUMENTS = 1000;
const FINDER_PAGE_SIZE = 100;

/** Gets what has changed. */
export interface WatchListener {
  /** A window or document has another content, is new or is gone. */
  updated(uri: string): void;
  /** There are other windows or documents. */
  listChanged(): void;
}

/**
 * Finds out which windows and documents have changed: a Computer only says that its Desktop or its Finder did. Fetches
 * nothing while no client wants to know.
 */
export class ResourceWatch {
  readonly #access: OfficeAccess;
  readonly #listener: WatchListener;
  readonly #logger: Logger;
  readonly #snapshots = new Map<string, Snapshot>();
  readonly #queues = new Map<string, Debouncer>();
  #holders = 0;
  #stop = new AbortController();

  constructor(access: OfficeAccess, listener: WatchListener, logger: Logger) {
    this.#access = access;
    this.#listener = listener;
    this.#logger = logger;
  }

  /** Listens to an Agent. Returns a function that ends it. */
  follow(agent: OfficeAgent): () => void {
    const stops = [
      agent.on('changed', ({ computer, topic, uris = [] }) => {
        const view = VIEWS.find(known => known === topic);
        if (!view) return;
        this.#invalidate(computer, view, uris);
        this.#request(computer, view);
      }),
      agent.on('enter', ({ computer }) => {
        for (const view of VIEWS) this.#assumeEmpty(keyOf(computer, view));
        this.#requestAll([computer]);
      }),
      agent.on('leave', ({ computer }) => this.#forget(computer)),
      // Changes during an interruption were missed.
      agent.on('connection', ({ type }) => type === 'joined' && this.#requestAll(this.#access.computers(agent))),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }

  /** Watches until the returned function is called for the last holder. */
  hold(): () => void {
    this.#holders += 1;
    if (this.#holders === 1) this.#requestAll(this.#access.computers());
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#holders -= 1;
      if (this.#holders === 0) this.#reset();
    };
  }

  close(): void {
    this.#holders = 0;
    this.#reset();
  }

  #requestAll(computers: readonly string[]): void {
    for (const computer of computers) for (const view of VIEWS) this.#request(computer, view);
  }

  #request(computer: string, view: View): void {
    if (this.#holders === 0 || !showsComputer(this.#access.filter, computer)) return;
    const key = keyOf(computer, view);
    const queue = this.#queues.get(key) ?? new Debouncer(() => this.#compare(computer, view), { pause: PAUSE_MS });
    this.#queues.set(key, queue);
    queue.request();
  }

  /** Never rejects. */
  async #compare(computer: string, view: View): Promise<void> {
    const { agent } = this.#access.seat;
    const { signal } = this.#stop;
    if (!agent || signal.aborted) return;
    try {
      const fetched = await (view === 'desktop'
        ? fetchDesktop(agent, computer, signal)
        : fetchFinder(agent, computer, signal));
      if (signal.aborted || !agent.computers.has(computer)) return;
      const before = this.#snapshots.get(keyOf(computer, view));
      this.#snapshots.set(keyOf(computer, view), fetched);
      this.#announce(before, fetched);
    } catch (error) {
      if (signal.aborted) return;
      this.#logger.debug('A Computer could not be watched', { computer, view, error });
      this.#assumeEmpty(keyOf(computer, view));
    }
  }

  /** These count as changed, also if their summaries are the same. */
  #invalidate(computer: string, view: View, uris: readonly string[]): void {
    const known = this.#snapshots.get(keyOf(computer, view));
    const named = uris.map(uri => officeUri(computer, uri)).filter(uri => known?.has(uri));
    if (known && named.length > 0) {
      this.#snapshots.set(
        keyOf(computer, view),
        new Map([...known, ...named.map((uri): [string, string] => [uri, ''])]),
      );
    }
  }

  /** Everything that is fetched next counts as changed: its last state is not known. */
  #assumeEmpty(key: string): void {
    if (this.#holders > 0 && !this.#snapshots.has(key)) this.#snapshots.set(key, new Map());
  }

  /** Without a snapshot of before, this is the state that the first client is about to see. */
  #announce(before: Snapshot | undefined, now: Snapshot): void {
    if (!before) return;
    const uris = new Set([...before.keys(), ...now.keys()]);
    for (const uri of uris) if (before.get(uri) !== now.get(uri)) this.#listener.updated(uri);
    const isSameList = before.size === now.size && [...now.keys()].every(uri => before.has(uri));
    if (!isSameList) this.#listener.listChanged();
  }

  #forget(computer: string): void {
    for (const view of VIEWS) {
      const key = keyOf(computer, view);
      for (const uri of this.#snapshots.get(key)?.keys() ?? []) this.#listener.updated(uri);
      this.#snapshots.delete(key);
      this.#queues.get(key)?.cancel();
      this.#queues.delete(key);
    }
  }

  #reset(): void {
    this.#stop.abort();
    this.#stop = new AbortController();
    for (const queue of this.#queues.values()) queue.cancel();
    this.#queues.clear();
    this.#snapshots.clear();
  }
}

async function fetchDesktop(agent: OfficeAgent, computer: string, signal: AbortSignal): Promise<Snapshot> {
  const windows = await windowsOf(agent, computer, { signal, timeout: FETCH_TIMEOUT_MS });
  const all = windows.map(({ uri, text }) => `${uri}\n\n${text}`).join('\n\n');
  return new Map([
    [desktopUri(computer), hash(all)],
    ...windows.map(({ uri, text }): [string, string] => [officeUri(computer, uri), hash(text)]),
  ]);
}

async function fetchFinder(agent: OfficeAgent, computer: string, signal: AbortSignal): Promise<Snapshot> {
  const snapshot = new Map<string, string>();
  for (let offset = 0, total = 1; offset < Math.min(total, MAX_DOCUMENTS); ) {
    const finder = { offset, limit: FINDER_PAGE_SIZE, signal, timeout: FETCH_TIMEOUT_MS };
    const { documents, totalCount } = await agent.getFinder(computer, finder);
    for (const document of documents) snapshot.set(officeUri(computer, document.uri), hash(JSON.stringify(document)));
    if (documents.length === 0) break;
    offset += documents.length;
    total = totalCount;
  }
  return snapshot;
}

function keyOf(computer: string, view: View): string {
  return `${view} ${computer}`;
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}
