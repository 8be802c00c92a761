/** Lines that are not messages within a second: fewer are stray output, more are a flood. */
const MAX_LINES = 10_000;
const WINDOW_MS = 1000;

export const STRAY_FLOOD = 'It wrote more than 10,000 lines that are no MCP messages within a second';

/** Counts the lines that are not messages, of which only the first in a second is worth a report. */
export class StrayLines {
  #windowEnd = 0;
  #inWindow = 0;
  #unreported = 0;
  #isReported = false;

  get isFlood(): boolean {
    return this.#inWindow > MAX_LINES;
  }

  /** Takes one more line. Returns what to report, if anything; blank lines count only towards a flood. */
  add(line: string): string | undefined {
    const now = Date.now();
    if (now >= this.#windowEnd) {
      this.#windowEnd = now + WINDOW_MS;
      this.#inWindow = 0;
      this.#isReported = false;
    }
    this.#inWindow += 1;
    if (line.trim() === '') return undefined;
    if (this.#isReported) {
      this.#unreported += 1;
      return undefined;
    }
    const others = this.#unreported === 0 ? '' : `, nor were ${this.#unreported} before it`;
    this.#isReported = true;
    this.#unreported = 0;
    return `A line on standard output was no MCP message${others}`;
  }
}
