/** Masks the secrets that the parts of a command know. */
export class Redaction {
  readonly #redactors: ((text: string) => string)[] = [];

  /** Takes in a part that knows secrets, for as long as the process lives. */
  add(redact: (text: string) => string): void {
    this.#redactors.push(redact);
  }

  redact(text: string): string {
    return this.#redactors.reduce((shown, redact) => redact(shown), text);
  }
}
