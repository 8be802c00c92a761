/**
 * Entries in the order in which they were added. A `Map` alone keeps the order too, but walks over the place of every
 * deleted entry on the way to its first one.
 */
export class Fifo<K, V> {
  readonly #entries = new Map<K, V>();
  #keys: K[] = [];
  /** Where the oldest key is; those before it are gone. */
  #first = 0;

  get size(): number {
    return this.#entries.size;
  }

  get(key: K): V | undefined {
    return this.#entries.get(key);
  }

  has(key: K): boolean {
    return this.#entries.has(key);
  }

  /** Adds a key that is not there yet. */
  add(key: K, value: V): void {
    this.#keys.push(key);
    this.#entries.set(key, value);
  }

  /** Removes the oldest entry if it `isDue`, and returns it. */
  shiftIf(isDue: (value: V) => boolean): [K, V] | undefined {
    const key = this.#keys[this.#first] as K;
    const value = this.#entries.get(key) as V;
    if (this.size === 0 || !isDue(value)) return undefined;
    this.#first += 1;
    if (2 * this.#first > this.#keys.length) {
      this.#keys = this.#keys.slice(this.#first);
      this.#first = 0;
    }
    this.#entries.delete(key);
    return [key, value];
  }
}
