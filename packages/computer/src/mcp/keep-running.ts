import { setTimeout as delay } from 'node:timers/promises';
import { Backoff } from './backoff.ts';

export interface KeepRunningOptions {
  signal: AbortSignal;
  /** Hears why `serve` failed, and says whether another attempt makes sense. */
  onFailure: (error: unknown) => boolean;
  /** Called before every attempt but the first. */
  onRestart: () => void;
}

/** Calls `serve` again whenever it ends or fails, with growing pauses, until the signal fires or it makes no sense. */
export async function keepRunning(
  serve: () => Promise<void>,
  { signal, onFailure, onRestart }: KeepRunningOptions,
): Promise<void> {
  const backoff = new Backoff();
  for (;;) {
    const started = Date.now();
    try {
      await serve();
    } catch (error) {
      if (signal.aborted || !onFailure(error)) return;
    }
    await delay(backoff.next(Date.now() - started), undefined, { signal }).catch(() => {});
    if (signal.aborted) return;
    onRestart();
  }
}
