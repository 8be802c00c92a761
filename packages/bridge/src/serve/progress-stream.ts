import type { CallProgress } from '@a2c-smcp/agent';

/** The parameters of `notifications/progress`. */
export type ProgressParams = { progressToken: string | number; progress: number; total?: number; message?: string };

/** Without a report for this time a heartbeat is sent: clients reset their time limit at each. */
const HEARTBEAT_MS = 5000;
/** By how much `progress` grows where nothing is known about it: MCP wants every notification to be above the last. */
const STEP = 1e-6;

/** The progress of one call towards a client: the reports of the tool, and heartbeats where there are none. */
export class ProgressStream implements Disposable {
  readonly #token: string | number;
  readonly #send: (params: ProgressParams) => void;
  readonly #start = performance.now();
  readonly #timer: ReturnType<typeof setInterval>;
  #last: CallProgress = { progress: 0 };

  /** @param send must not throw */
  constructor(token: string | number, send: (params: ProgressParams) => void) {
    this.#token = token;
    this.#send = send;
    this.#timer = setInterval(() => this.#heartbeat(), HEARTBEAT_MS);
  }

  readonly report = (report: CallProgress): void => {
    this.#timer.refresh();
    this.#notify(report);
  };

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }

  /** Repeats the last report, or says how long the call runs. */
  #heartbeat(): void {
    const seconds = Math.round((performance.now() - this.#start) / 1000);
    this.#notify({ message: `Running for ${seconds} s`, ...this.#last });
  }

  #notify(report: CallProgress): void {
    const progress = Math.max(report.progress, this.#last.progress + STEP);
    this.#send({ ...report, progress, progressToken: this.#token });
    const { message: _, ...numbers } = report;
    this.#last = { ...numbers, progress };
  }
}
