import type { Computer, ServerLogLine } from '@a2c-smcp/computer';
import type { LogEntry, LogPage } from './types.ts';

/** Of one MCP server. Older lines are dropped. */
const MAX_LINES = 100_000;
const MAX_CHARACTERS = 32 * 1024 * 1024;
/** Lines of one answer. */
const MAX_PAGE = 20_000;

/** The log of one MCP server since the console was opened. */
class Log {
  /** The number of its first line. */
  #first = 0;
  #lines: LogEntry[] = [];
  #characters = 0;

  get next(): number {
    return this.#first + this.#lines.length;
  }

  add(line: ServerLogLine): void {
    this.#lines.push({ ...line, at: Date.now() });
    this.#characters += line.text.length;
    // Many at a time, since each removal moves all that remain.
    if (this.#lines.length > 1.1 * MAX_LINES) this.#drop(this.#lines.length - MAX_LINES);
    while (this.#characters > MAX_CHARACTERS) this.#drop(Math.ceil(this.#lines.length / 10));
  }

  page(after: number): LogPage {
    const newest = Math.max(this.#first, this.next - MAX_PAGE);
    const first = after <= this.#first ? newest : Math.max(after, newest);
    return { first, next: this.next, lines: this.#lines.slice(first - this.#first) };
  }

  #drop(count: number): void {
    const dropped = this.#lines.splice(0, count);
    this.#first += dropped.length;
    this.#characters -= dropped.reduce((sum, { text }) => sum + text.length, 0);
  }
}

/** The logs of all MCP servers: many more lines than a Computer itself keeps, each with its time. */
export class LogBook {
  readonly #logs = new Map<string, Log>();
  readonly #computer: Computer;

  /** @param onLine gets the server of each new line, and the number of the line after it */
  constructor(computer: Computer, onLine: (server: string, next: number) => void, signal: AbortSignal) {
    this.#computer = computer;
    for (const { name } of computer.status()) for (const line of computer.logs(name)) this.#of(name).add(line);
    computer.on(
      'log',
      ({ server, ...line }) => {
        const log = this.#of(server);
        log.add(line);
        onLine(server, log.next);
      },
      { signal },
    );
  }

  /** The lines from a number on. Throws when there is no such server. */
  page(server: string, after: number): LogPage {
    // Throws for an unknown one.
    this.#computer.logs(server);
    return this.#of(server).page(after);
  }

  #of(server: string): Log {
    const log = this.#logs.get(server) ?? new Log();
    this.#logs.set(server, log);
    return log;
  }
}
