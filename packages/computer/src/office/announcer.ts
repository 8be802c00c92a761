/** How long changes are gathered before they are announced, in milliseconds. */
const GATHER = 50;

/** Announces that something an Agent can see has changed: only if it has, and a storm of changes as one. */
export class Announcer {
  readonly #view: () => unknown;
  readonly #announce: () => boolean;
  #announced: string | undefined;
  #timer: NodeJS.Timeout | undefined;

  /**
   * @param view what an Agent would see now
   * @param announce tells the office; false when it could not, and then the change stays to be announced
   */
  constructor(view: () => unknown, announce: () => boolean) {
    this.#view = view;
    this.#announce = announce;
  }

  /** Takes the present view for known: whoever enters an office is looked at anyway. */
  begin(): void {
    this.#announced = JSON.stringify(this.#view());
  }

  /** The view may have changed. */
  check(): void {
    if (this.#announced === undefined) return;
    this.#timer ??= setTimeout(() => this.#compare(), GATHER);
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#announced = undefined;
  }

  #compare(): void {
    this.#timer = undefined;
    const view = JSON.stringify(this.#view());
    if (view !== this.#announced && this.#announce()) this.#announced = view;
  }
}
