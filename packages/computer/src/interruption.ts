/**
 * Ends a call early. To make an `AbortSignal` and to listen to it costs as much as the rest of a call, so there is one
 * only where somebody asks for it.
 */
export class Interruption {
  #reason?: symbol;
  #listener?: () => void;
  #controller?: AbortController;

  /** Why it was interrupted; undefined as long as it was not. */
  get reason(): symbol | undefined {
    return this.#reason;
  }

  /** Fires at the interruption. */
  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      if (this.#reason !== undefined) this.#controller.abort(this.#reason);
    }
    return this.#controller.signal;
  }

  throwIfInterrupted(): void {
    if (this.#reason !== undefined) throw this.#reason;
  }

  /** Has one listener called at the interruption, the latest; without one, nobody. */
  listen(listener?: () => void): void {
    this.#listener = listener;
  }

  /** Only the first has an effect. */
  interrupt(reason: symbol): void {
    if (this.#reason !== undefined) return;
    this.#reason = reason;
    this.#listener?.();
    this.#controller?.abort(reason);
  }
}
