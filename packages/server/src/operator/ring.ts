/** The last items of a sequence, each with a number. */
export class Ring<T> {
  readonly #items: T[] = [];
  readonly #capacity: number;
  #end = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** How many items were ever added: the position behind the newest one. */
  get end(): number {
    return this.#end;
  }

  push(item: T): void {
    this.#items[this.#end % this.#capacity] = item;
    this.#end += 1;
  }

  /** The items from a position on, at most `limit` of them, oldest first, and how many others there were. */
  since(position: number, limit = this.#capacity): { items: T[]; skipped: number } {
    const wanted = Math.max(0, this.#end - Math.max(0, position));
    const count = Math.min(wanted, this.#items.length, limit);
    const items: T[] = [];
    for (let at = this.#end - count; at < this.#end; at++) items.push(this.#items[at % this.#capacity] as T);
    return { items, skipped: wanted - count };
  }
}
