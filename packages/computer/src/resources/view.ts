import { Debouncer } from '@a2c-smcp/core';
import { documentUri } from '@a2c-smcp/protocol';

/** Milliseconds from a change to its event, and from there to the next one. */
const NOTIFY_TIMING = { delay: 5, pause: 200 };
/** URIs and their characters that one event names: a Server charges for each member of the office that gets them. */
const MAX_NAMED = 100;
const MAX_NAMES_LENGTH = 4096;

/** A Desktop shows windows, a Finder shows documents; they are resources, and so are the skills of MCP servers. */
export type View = 'desktop' | 'finder' | 'skills';

export const views = ['desktop', 'finder', 'skills'] as const satisfies readonly View[];

/** True if the name of an event is that of a view. */
export function isView(event: string): event is View {
  return views.some(view => view === event);
}

/** The view that a resource belongs to by its scheme, valid or not; none for resources of other schemes. */
export function viewOf(uri: string): View | undefined {
  if (/^window:\/\//i.test(uri)) return 'desktop';
  if (/^dpe:\/\//i.test(uri)) return 'finder';
  return /^skill:\/\//i.test(uri) ? 'skills' : undefined;
}

/**
 * Compares MCP servers by name for display: the one used last comes first, those never used follow by name.
 *
 * @param history names of the servers whose tools were called, oldest first
 */
export function byLastUse(history: readonly string[]): (a: string, b: string) => number {
  const lastUse = new Map(history.map((server, index) => [server, index]));
  return (a, b) => (lastUse.get(b) ?? -1) - (lastUse.get(a) ?? -1) || compare(a, b);
}

/** Orders by code unit: every implementation must sort alike, whatever its locale. */
export function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** A view may have changed. */
export interface ViewChange {
  /** The windows or documents that changed, came or went. Absent if any may have changed, or too many did. */
  uris?: readonly string[];
}

/** The changes of one view, coalesced. */
export class ViewChanges {
  readonly #debouncer: Debouncer;
  /** Undefined if any may have changed. */
  #uris: Set<string> | undefined = new Set();
  #length = 0;

  constructor(emit: (change: ViewChange) => void) {
    this.#debouncer = new Debouncer(() => emit(this.#take()), NOTIFY_TIMING);
  }

  /** Notes a change, of any resource if none is named. */
  add(uris?: Iterable<string>): void {
    if (uris === undefined) this.#uris = undefined;
    for (const uri of uris ?? []) {
      if (this.#uris === undefined) break;
      const name = subjectOf(uri);
      if (this.#uris.has(name)) continue;
      this.#uris.add(name);
      this.#length += name.length;
      if (this.#uris.size > MAX_NAMED || this.#length > MAX_NAMES_LENGTH) this.#uris = undefined;
    }
    this.#debouncer.request();
  }

  cancel(): void {
    this.#debouncer.cancel();
    this.#take();
  }

  #take(): ViewChange {
    const uris = this.#uris;
    this.#uris = new Set();
    this.#length = 0;
    return uris === undefined ? {} : { uris: [...uris] };
  }
}

/** A change of a page or an element is one of its document. */
function subjectOf(uri: string): string {
  if (viewOf(uri) !== 'finder') return uri;
  try {
    return documentUri(uri);
  } catch {
    return uri;
  }
}
