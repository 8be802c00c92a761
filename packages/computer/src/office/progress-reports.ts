import { Debouncer } from '@a2c-smcp/core';
import type { Progress, ProgressListener } from '../mcp/session/progress.ts';
import type { Membership } from './membership.ts';

/** From one round of reports to the next. */
const PAUSE_MS = 200;
/** Reports of one round, so that they never use up what the Server lets a Computer send. */
const MAX_REPORTS = 20;

/** Reports the progress of tool calls to the Agent: only the latest state of each call, and not too often. */
export class ProgressReports {
  readonly #membership: Membership;
  /** The state of each call that is not reported yet, by request id. */
  readonly #latest = new Map<string, Progress>();
  readonly #round = new Debouncer(() => this.#send(), { pause: PAUSE_MS });

  constructor(membership: Membership) {
    this.#membership = membership;
  }

  listener(reqId: string): ProgressListener {
    return progress => {
      this.#latest.set(reqId, progress);
      this.#round.request();
    };
  }

  /** The call has ended: nothing more is reported. */
  end(reqId: string): void {
    this.#latest.delete(reqId);
  }

  #send(): void {
    const { peer } = this.#membership;
    for (const [reqId, progress] of [...this.#latest].slice(0, MAX_REPORTS)) {
      this.#latest.delete(reqId);
      peer?.emit('server:update_progress', { computer: peer.name, req_id: reqId, ...progress });
    }
    if (this.#latest.size > 0) this.#round.request();
  }
}
