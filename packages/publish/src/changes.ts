import { Debouncer, Emitter } from '@a2c-smcp/core';

/** A change of resources. */
export interface ResourceChange {
  /** True if resources came or went, or are described differently. */
  listChanged: boolean;
  /** URIs of resources whose contents changed. */
  updated: readonly string[];
}

/** Milliseconds between two announcements. The first of a burst is sent at once, the last is never lost. */
const ANNOUNCE_PAUSE_MS = 100;

/** Coalesces changes. */
export class Changes {
  readonly #events = new Emitter<{ change: ResourceChange }>();
  readonly #debouncer = new Debouncer(() => this.flush(), { pause: ANNOUNCE_PAUSE_MS });
  readonly #updated = new Set<string>();
  #listChanged = false;

  /** Calls `listener` for changes, at most ten times a second. Returns a function that stops it. */
  onChange(listener: (change: ResourceChange) => void): () => void {
    return this.#events.on('change', listener);
  }

  add({ listChanged, updated }: ResourceChange): void {
    this.#listChanged ||= listChanged;
    for (const uri of updated) this.#updated.add(uri);
    this.#debouncer.request();
  }

  /** Announces what is pending now. */
  flush(): void {
    if (!this.#listChanged && this.#updated.size === 0) return;
    const change = { listChanged: this.#listChanged, updated: [...this.#updated] };
    this.#listChanged = false;
    this.#updated.clear();
    this.#events.emit('change', change);
  }
}
