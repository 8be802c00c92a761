/** Shorter texts occur in messages by chance. */
const MIN_SECRET_LENGTH = 5;

interface Credentials {
  auth: Record<string, unknown>;
  headers: Record<string, string>;
}

/** Masks secrets of a command in texts that are printed. */
export class Redaction {
  readonly #redactors: ((text: string) => string)[] = [];

  /** Adds a function that masks secrets. */
  add(redact: (text: string) => string): void {
    this.#redactors.push(redact);
  }

  /** Masks the credentials for a Server, which may repeat them in an error. */
  hide({ auth, headers }: Credentials): void {
    const values = [...Object.values(auth), ...Object.values(headers)].filter(value => typeof value === 'string');
    const secrets = values.flatMap(value => [value, ...value.split(' ').slice(1)]);
    const worthHiding = secrets.filter(({ length }) => length >= MIN_SECRET_LENGTH);
    this.add(text => worthHiding.reduce((shown, secret) => shown.replaceAll(secret, '***'), text));
  }

  redact(text: string): string {
    return this.#redactors.reduce((shown, redact) => redact(shown), text);
  }
}
