import { backoff, pause } from '@a2c-smcp/core';

/** Milliseconds before a restart; the pause doubles with every failure in a row. */
const RESTART_BACKOFF = { first: 1000, longest: 30_000 };
/** A server that stayed up this long has recovered: its next failure counts as the first. */
const STABLE_UPTIME_MS = 5 * 60_000;

export interface KeepRunningOptions {
  signal: AbortSignal;
  /** Called with the error of `serve`. Returns whether to try again. */
  onFailure: (error: unknown) => boolean;
  /** Called before every attempt but the first. */
  onRestart: () => void;
}

/** Calls `serve` again whenever it ends or fails, backing off, until the signal fires or `onFailure` returns false. */
export async function keepRunning(
  serve: () => Promise<void>,
  { signal, onFailure, onRestart }: KeepRunningOptions,
): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    const started = Date.now();
    try {
      await serve();
    } catch (error) {
      if (signal.aborted || !onFailure(error)) return;
    }
    if (Date.now() - started >= STABLE_UPTIME_MS) attempt = 0;
    await pause(backoff(attempt, RESTART_BACKOFF), signal).catch(() => {});
    if (signal.aborted) return;
    onRestart();
  }
}
