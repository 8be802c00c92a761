/** How many Computers are cached. */
const MAX_ENTRIES = 10_000;

/** Caches the nodes of Computers. A stale entry is found out by using it. */
export class Whereabouts {
  readonly #nodes = new Map<string, string>();

  get(office: string, computer: string): string | undefined {
    return this.#nodes.get(keyOf(office, computer));
  }

  set(office: string, computer: string, node: string): void {
    if (this.#nodes.size >= MAX_ENTRIES) this.#nodes.clear();
    this.#nodes.set(keyOf(office, computer), node);
  }

  delete(office: string, computer: string): void {
    this.#nodes.delete(keyOf(office, computer));
  }

  deleteNode(node: string): void {
    for (const [key, its] of this.#nodes) if (its === node) this.#nodes.delete(key);
  }

  clear(): void {
    this.#nodes.clear();
  }
}

function keyOf(office: string, computer: string): string {
  return `${office}\n${computer}`;
}
