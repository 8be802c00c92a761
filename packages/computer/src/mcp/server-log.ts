import type { LoggingLevel } from '@modelcontextprotocol/client';

export type { LoggingLevel };

/** A line of an MCP server's standard error, or a log message that it sent. */
export interface ServerLogLine {
  source: 'stderr' | 'message';
  /** MCP's word. A line of standard error is at `debug`. */
  level: LoggingLevel;
  /** The part of the server that a message is from, in its own words. */
  logger?: string;
  /** Secrets are masked. A message may have several lines. */
  text: string;
}

/** Characters of a line or a message. */
export const MAX_LINE_LENGTH = 8192;
/** Lines of each source that are kept. */
const MAX_LINES = 200;
/** Lines that are passed on within a second. Further ones are counted, and only the last are kept. */
const MAX_PASSED_LINES = 1000;
const WINDOW_MS = 1000;

/** The last lines of one MCP server, in bounded memory and at a bounded rate. */
export class ServerLog {
  readonly #onLine: (line: ServerLogLine) => void;
  /** Of each source the newest lines, and up to as many older ones: a flood must not move all lines for each new one. */
  readonly #kept: Record<ServerLogLine['source'], { at: number; line: ServerLogLine }[]> = { stderr: [], message: [] };
  #count = 0;
  #windowEnd = 0;
  /** Lines of the present window. */
  #inWindow = 0;

  /** @param onLine called with each line, or with how many of a flood were left out */
  constructor(onLine: (line: ServerLogLine) => void) {
    this.#onLine = onLine;
  }

  /** Takes a line that is masked and cut. */
  add(line: ServerLogLine): void {
    const kept = this.#kept[line.source];
    kept.push({ at: this.#count++, line });
    if (kept.length >= 2 * MAX_LINES) kept.splice(0, MAX_LINES);
    this.#pass(line);
  }

  /** The newest lines of each source, oldest first. */
  get lines(): readonly ServerLogLine[] {
    const { stderr, message } = this.#kept;
    const newest = [...stderr.slice(-MAX_LINES), ...message.slice(-MAX_LINES)];
    return newest.toSorted((a, b) => a.at - b.at).map(({ line }) => line);
  }

  #pass(line: ServerLogLine): void {
    const now = Date.now();
    if (now >= this.#windowEnd) {
      const leftOut = this.#inWindow - MAX_PASSED_LINES;
      this.#windowEnd = now + WINDOW_MS;
      this.#inWindow = 0;
      if (leftOut > 0) this.#onLine({ source: line.source, level: 'debug', text: `(${leftOut} lines left out)` });
    }
    this.#inWindow += 1;
    if (this.#inWindow <= MAX_PASSED_LINES) this.#onLine(line);
  }
}
