/** Announces that a view has changed; what cannot be told now is told as soon as it can be. */
export class ViewAnnouncer {
  readonly #announce: () => boolean;
  #untold = false;

  /** @param announce tells the office; false when it could not */
  constructor(announce: () => boolean) {
    this.#announce = announce;
  }

  /** The view has changed. */
  changed(): void {
    this.#untold = true;
    this.check();
  }

  /** The office may be there again. */
  check(): void {
    if (this.#untold && this.#announce()) this.#untold = false;
  }
}
