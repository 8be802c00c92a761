/** How exact a deadline is, in milliseconds. It never fires early. */
const RESOLUTION = 50;

/** Ends any number of waits with one timer. Adding and removing one takes the same time however many there are. */
export class Deadlines<T> {
  readonly #slots = new Map<number, Set<T>>();
  readonly #expire: (item: T) => void;
  #timer: ReturnType<typeof setInterval> | undefined;
  #lastSlot = 0;

  constructor(expire: (item: T) => void) {
    this.#expire = expire;
  }

  /** Has `item` expire after `milliseconds`. Returns the key that `remove` needs. */
  add(item: T, milliseconds: number): number {
    this.#start();
    const slot = slotOf(performance.now() + milliseconds) + 1;
    const items = this.#slots.get(slot);
    if (items) items.add(item);
    else this.#slots.set(slot, new Set([item]));
    return slot;
  }

  remove(item: T, slot: number): void {
    const items = this.#slots.get(slot);
    if (items?.delete(item) && items.size === 0) this.#slots.delete(slot);
  }

  /** Forgets everything that waits. */
  close(): void {
    this.#slots.clear();
    this.#stop();
  }

  #start(): void {
    if (this.#timer) return;
    this.#lastSlot = slotOf(performance.now());
    this.#timer = setInterval(() => this.#sweep(), RESOLUTION);
    (this.#timer as { unref?: () => void }).unref?.();
  }

  #stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #sweep(): void {
    const now = slotOf(performance.now());
    while (this.#lastSlot < now) {
      this.#lastSlot += 1;
      const items = this.#slots.get(this.#lastSlot) ?? [];
      this.#slots.delete(this.#lastSlot);
      for (const item of items) this.#expire(item);
    }
    if (this.#slots.size === 0) this.#stop();
  }
}

function slotOf(time: number): number {
  return Math.floor(time / RESOLUTION);
}
