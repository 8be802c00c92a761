/** Shorter texts turn up by chance. */
const MIN_SECRET_LENGTH = 5;

/** What a client shows a Server to be admitted. */
interface Credentials {
  auth: Record<string, unknown>;
  headers: Record<string, string>;
}

/** Masks the secrets that the parts of a command know. */
export class Redaction {
  readonly #redactors: ((text: string) => string)[] = [];

  /** Takes in a part that knows secrets, for as long as the process lives. */
  add(redact: (text: string) => string): void {
    this.#redactors.push(redact);
  }

  /** Keeps the credentials for a Server secret, which may repeat them in an error. */
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
