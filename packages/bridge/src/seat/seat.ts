import { backoff, Emitter, guardLogger, type Logger, pause, settle } from '@a2c-smcp/core';
import type { OfficeAgent } from '../office-agent.ts';

/** Pauses between attempts to take the seat, in milliseconds. */
const RETRY_PAUSES = { first: 400, longest: 10_000 };
/** Milliseconds in which a lost seat is taken again before its loss counts as a problem. */
const TAKEOVER_MS = 3000;

/** A seat that was taken. Its Agent emits `connection` with `closed` when the seat is lost. */
export interface TakenSeat {
  agent: OfficeAgent;
  /** Leaves the office. */
  close(): Promise<void>;
}

/** The place of the Agent in one office, for a bridge. */
export interface Seat {
  /** Undefined while it is not taken. */
  readonly agent: OfficeAgent | undefined;
  /** Why it could not be taken. */
  readonly problem: Error | undefined;
  /**
   * Takes the seat at the first call. Resolves when it is taken, cannot be taken for the moment, or the time is over;
   * attempts continue in the background. Never rejects.
   */
  take(timeout: number): Promise<OfficeAgent | undefined>;
  /** Calls `listener` when `agent` or `problem` has changed. Returns a function that removes it. */
  onChange(listener: () => void): () => void;
  close(): Promise<void>;
}

/** The seat of an Agent that the caller connected and will close. */
export function seatOf(agent: OfficeAgent): Seat {
  return {
    agent,
    problem: undefined,
    take: async () => agent,
    onChange: () => () => {},
    close: async () => {},
  };
}

export interface LazySeatOptions {
  /** One attempt. */
  open: (signal: AbortSignal) => Promise<TakenSeat>;
  logger?: Logger | undefined;
}

/** A seat that is taken when it is first needed, and again whenever it was lost. */
export class LazySeat implements Seat {
  readonly #open: LazySeatOptions['open'];
  readonly #logger: Logger;
  readonly #stop = new AbortController();
  readonly #events = new Emitter<{ change: undefined }>();
  #agent: OfficeAgent | undefined;
  #problem: Error | undefined;
  #holding: Promise<void> | undefined;

  constructor({ open, logger }: LazySeatOptions) {
    this.#open = open;
    this.#logger = guardLogger(logger);
  }

  get agent(): OfficeAgent | undefined {
    return this.#agent;
  }

  get problem(): Error | undefined {
    return this.#problem;
  }

  async take(timeout: number): Promise<OfficeAgent | undefined> {
    this.#holding ??= this.#hold();
    const isSettled = () => this.#agent !== undefined || this.#problem !== undefined || this.#stop.signal.aborted;
    if (!isSettled()) {
      const settled = settle<void>(resolve => this.onChange(() => isSettled() && resolve()), { timeout });
      await settled.catch(() => {});
    }
    return this.#agent;
  }

  onChange(listener: () => void): () => void {
    return this.#events.on('change', listener);
  }

  async close(): Promise<void> {
    this.#stop.abort();
    this.#events.emit('change', undefined);
    await this.#holding;
  }

  /** Takes the seat again and again until the bridge is closed. Never rejects. */
  async #hold(): Promise<void> {
    const { signal } = this.#stop;
    let lostAt = Number.NEGATIVE_INFINITY;
    for (let failures = 0; !signal.aborted; ) {
      try {
        const seat = await this.#open(signal);
        failures = 0;
        this.#set(seat.agent, undefined);
        // At once, so that no request goes to an Agent that is closed.
        await closing(seat.agent, signal, () => this.#set(undefined, undefined));
        lostAt = performance.now();
        // Leaves the office before the process ends.
        await seat.close().catch(error => this.#logger.debug('The seat could not be left', { error }));
      } catch (error) {
        if (signal.aborted) return;
        const isOverdue = performance.now() - lostAt > TAKEOVER_MS;
        if (isOverdue) this.#set(undefined, error instanceof Error ? error : new Error(String(error)));
        await pause(backoff(failures, RETRY_PAUSES), signal).catch(() => {});
        failures += 1;
      }
    }
  }

  #set(agent: OfficeAgent | undefined, problem: Error | undefined): void {
    if (problem && problem.message !== this.#problem?.message) {
      this.#logger.warn('The seat of the Agent could not be taken', { error: problem });
    }
    this.#agent = agent;
    this.#problem = problem;
    this.#events.emit('change', undefined);
  }
}

/** Resolves when the Agent is closed or the signal fires, after `onClosed` was called. */
async function closing(agent: OfficeAgent, signal: AbortSignal, onClosed: () => void): Promise<void> {
  const start = (resolve: () => void) =>
    agent.on('connection', ({ type }) => {
      if (type !== 'closed') return;
      onClosed();
      resolve();
    });
  await settle<void>(start, { signal }).catch(onClosed);
}
