import { withLineFeeds } from '../../secrets/forms.ts';
import type { Secrets } from '../../secrets/secrets.ts';

const MAX_LINES = 200;
const MAX_LINE_LENGTH = 8192;

/** Longest text that is held until its line, or a secret of several lines, is complete. */
const MAX_HELD_LENGTH = 64 * 1024;

/** How long the lines at the start of a secret of several lines are held for the others, in milliseconds. */
const HOLD_MS = 250;

/** Lines that are passed on within a second. Further ones are counted, and only the last are kept. */
const MAX_PASSED_LINES = 1000;
const WINDOW_MS = 1000;

export interface StderrRingOptions {
  secrets: Pick<Secrets, 'redact' | 'redactStart' | 'unfinished'>;
  /** Called with complete lines, cut to the length that is kept, or with how many of a flood were left out. */
  onLine?: (line: string) => void;
}

/**
 * The last lines of a stream, in bounded memory however much is written to it. Secrets are masked before the text is cut
 * into lines, and before lines are cut, so that no part of one remains.
 */
export class StderrRing {
  readonly #lines: string[] = [];
  readonly #options: StderrRingOptions;
  /** Not shown yet: complete lines that may start a secret, and the beginning of a line. */
  #held = '';
  /** The rest of the present line is dropped: it was too long to hold. */
  #isSkipping = false;
  #timer: NodeJS.Timeout | undefined;
  #windowEnd = 0;
  /** Lines of the present window. */
  #inWindow = 0;

  constructor(options: StderrRingOptions) {
    this.#options = options;
  }

  write(text: string): void {
    this.#held = withLineFeeds(this.#held + this.#unskipped(text));
    const complete = this.#held.slice(0, this.#held.lastIndexOf('\n') + 1);
    const unfinished = complete === '' ? 0 : this.#options.secrets.unfinished(complete);
    // The whole line is held in which a secret may have begun.
    const end = complete.length - unfinished > MAX_HELD_LENGTH ? complete.length : unfinished;
    this.#release(complete.lastIndexOf('\n', end - 1) + 1);
    if (this.#held.length > MAX_HELD_LENGTH) this.#giveUp();
    clearTimeout(this.#timer);
    if (this.#held.includes('\n')) this.#timer = setTimeout(() => this.#releaseLines(), HOLD_MS).unref();
  }

  /** Takes what was written after the last line break as a line. */
  end(): void {
    clearTimeout(this.#timer);
    this.#release(this.#held.length);
    this.#isSkipping = false;
  }

  /** The newest `count` lines, oldest first. */
  last(count = MAX_LINES): string[] {
    return this.#lines.slice(-count);
  }

  /** The text after a line that was cut off. */
  #unskipped(text: string): string {
    if (!this.#isSkipping) return text;
    const end = text.indexOf('\n');
    this.#isSkipping = end === -1;
    return end === -1 ? '' : text.slice(end + 1);
  }

  #releaseLines(): void {
    this.#release(this.#held.lastIndexOf('\n') + 1);
  }

  /** Shows the first `length` characters of what is held. */
  #release(length: number): void {
    if (length === 0) return;
    const text = this.#options.secrets.redact(this.#held.slice(0, length));
    this.#held = this.#held.slice(length);
    for (const line of text.replace(/\n$/, '').split('\n')) this.#add(line);
  }

  /** Shows the beginning of a line without end, and nothing more of it. */
  #giveUp(): void {
    this.#releaseLines();
    this.#add(this.#options.secrets.redactStart(this.#held, MAX_LINE_LENGTH));
    this.#held = '';
    this.#isSkipping = true;
  }

  #add(text: string): void {
    const line = text.slice(0, MAX_LINE_LENGTH);
    this.#lines.push(line);
    if (this.#lines.length > MAX_LINES) this.#lines.shift();
    this.#pass(line);
  }

  #pass(line: string): void {
    const now = Date.now();
    if (now >= this.#windowEnd) {
      const leftOut = this.#inWindow - MAX_PASSED_LINES;
      this.#windowEnd = now + WINDOW_MS;
      this.#inWindow = 0;
      if (leftOut > 0) this.#options.onLine?.(`(${leftOut} lines left out)`);
    }
    this.#inWindow += 1;
    if (this.#inWindow <= MAX_PASSED_LINES) this.#options.onLine?.(line);
  }
}
