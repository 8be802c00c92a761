import { withLineFeeds } from '../../secrets/forms.ts';
import type { Secrets } from '../../secrets/secrets.ts';
import { MAX_LINE_LENGTH } from '../server-log.ts';

/** Longest text that is held until its line, or a secret of several lines, is complete. */
const MAX_HELD_LENGTH = 64 * 1024;

/** How long the lines at the start of a secret of several lines are held for the others, in milliseconds. */
const HOLD_MS = 250;

export interface StderrLinesOptions {
  secrets: Pick<Secrets, 'redact' | 'redactStart' | 'unfinished'>;
  /** Called with complete lines, cut to the length that is kept. */
  onLine: (line: string) => void;
}

/**
 * Cuts standard error into lines, in bounded memory however long they are. Secrets are masked before the text is cut into
 * lines, and before lines are cut, so that no part of one remains.
 */
export class StderrLines {
  readonly #options: StderrLinesOptions;
  /** Not shown yet: complete lines that may start a secret, and the beginning of a line. */
  #held = '';
  /** The rest of the present line is dropped: it was too long to hold. */
  #isSkipping = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: StderrLinesOptions) {
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
    this.#options.onLine(text.slice(0, MAX_LINE_LENGTH));
  }
}
