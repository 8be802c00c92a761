const MAX_LINES = 200;
const MAX_LINE_LENGTH = 8192;

/** The last lines of a stream, in bounded memory however much is written to it. */
export class StderrRing {
  readonly #lines: string[] = [];
  readonly #onLine: (line: string) => void;
  #rest = '';

  /** @param onLine hears every line once it is complete, cut to the length that is kept */
  constructor(onLine: (line: string) => void = () => {}) {
    this.#onLine = onLine;
  }

  write(text: string): void {
    const lines = (this.#rest + text).split(/\r?\n/);
    this.#rest = (lines.pop() ?? '').slice(0, MAX_LINE_LENGTH);
    for (const line of lines) this.#add(line);
  }

  /** Takes what was written after the last line break as a line. */
  end(): void {
    if (this.#rest !== '') this.#add(this.#rest);
    this.#rest = '';
  }

  /** The newest `count` lines, oldest first. */
  last(count = MAX_LINES): string[] {
    return this.#lines.slice(-count);
  }

  #add(text: string): void {
    const line = text.slice(0, MAX_LINE_LENGTH);
    this.#lines.push(line);
    if (this.#lines.length > MAX_LINES) this.#lines.shift();
    this.#onLine(line);
  }
}
