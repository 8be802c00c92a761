type Value = string | Set<string> | Map<string, string>;

/** Keys as Redis has them: texts that may expire, sets, and hashes. An empty set or hash does not exist. */
export class Store {
  readonly #values = new Map<string, Value>();
  /** In milliseconds of `performance.now()`. */
  readonly #ends = new Map<string, number>();

  text(key: string): string | undefined {
    if (this.lifetime(key) <= 0) this.delete(key);
    const value = this.#values.get(key);
    return typeof value === 'string' ? value : undefined;
  }

  /** @param milliseconds after which it expires @default never */
  setText(key: string, value: string, milliseconds = Number.POSITIVE_INFINITY): void {
    this.#values.set(key, value);
    this.#ends.set(key, performance.now() + milliseconds);
  }

  /** Milliseconds until a text expires. */
  lifetime(key: string): number {
    return (this.#ends.get(key) ?? Number.POSITIVE_INFINITY) - performance.now();
  }

  set(key: string): ReadonlySet<string> {
    const value = this.#values.get(key);
    return value instanceof Set ? value : new Set();
  }

  /** False when the set had it already. */
  add(key: string, member: string): boolean {
    const set = this.set(key) as Set<string>;
    this.#values.set(key, set);
    return set.size < set.add(member).size;
  }

  /** False when the set did not have it. */
  remove(key: string, member: string): boolean {
    const set = this.set(key) as Set<string>;
    const isRemoved = set.delete(member);
    if (set.size === 0) this.delete(key);
    return isRemoved;
  }

  hash(key: string): ReadonlyMap<string, string> {
    const value = this.#values.get(key);
    return value instanceof Map ? value : new Map();
  }

  setField(key: string, field: string, value: string): void {
    const hash = this.hash(key) as Map<string, string>;
    this.#values.set(key, hash.set(field, value));
  }

  deleteField(key: string, field: string): void {
    const hash = this.hash(key) as Map<string, string>;
    hash.delete(field);
    if (hash.size === 0) this.delete(key);
  }

  /** False when there is no such key. */
  delete(key: string): boolean {
    this.#ends.delete(key);
    return this.#values.delete(key);
  }
}
