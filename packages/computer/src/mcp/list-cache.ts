/** A list that is asked for once and kept until it is known to have changed. */
export class ListCache<T> {
  #listing: Promise<T> | undefined;

  /** The kept list, or the one that `list` gives. A failed listing is not kept. */
  get(list: () => Promise<T>): Promise<T> {
    if (this.#listing) return this.#listing;
    const listing = list();
    this.#listing = listing;
    listing.catch(() => {
      if (this.#listing === listing) this.#listing = undefined;
    });
    return listing;
  }

  clear(): void {
    this.#listing = undefined;
  }
}
