import { onAbort, type StopSignal } from './emitter.ts';

export interface SettleOptions {
  /** Milliseconds after which the promise rejects. @default never */
  timeout?: number | undefined;
  /** The error of the timeout. */
  timeoutError?: () => unknown;
  /** Rejects the promise with its reason. */
  signal?: StopSignal | undefined;
}

/**
 * A promise that `start` settles, unless the time is over or the signal fires first. What `start` returns is called when
 * the promise is settled, however that came about.
 */
export function settle<T>(
  start: (resolve: (value: T) => void, reject: (error: unknown) => void) => (() => void) | undefined,
  { timeout, timeoutError = () => new Error(`It took longer than ${timeout} ms`), signal }: SettleOptions = {},
): Promise<T> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    let isSettled = false;
    let release: (() => void) | undefined;
    const finish = <A>(act: (value: A) => void, value: A) => {
      if (isSettled) return;
      isSettled = true;
      clearTimeout(timer);
      stop?.();
      release?.();
      act(value);
    };
    const timer = timeout === undefined ? undefined : setTimeout(() => finish(reject, timeoutError()), timeout);
    const stop = signal && onAbort(signal, () => finish(reject, signal.reason));
    try {
      release = start(
        value => finish(resolve, value),
        error => finish(reject, error),
      );
    } catch (error) {
      finish(reject, error);
    }
    // `start` may have settled it at once.
    if (isSettled) release?.();
  });
}

/** The outcome of `work`, unless the time is over or the signal fires first. The work itself goes on. */
export function within<T>(work: Promise<T>, options: SettleOptions): Promise<T> {
  // Handled also when the signal has fired before.
  work.catch(() => {});
  return settle((resolve, reject) => {
    work.then(resolve, reject);
    return undefined;
  }, options);
}

/** Resolves after that many milliseconds, or rejects with the reason of the signal. */
export function pause(milliseconds: number, signal?: StopSignal): Promise<void> {
  return settle(
    resolve => {
      const timer = setTimeout(resolve, milliseconds);
      return () => clearTimeout(timer);
    },
    { signal },
  );
}

/** A signal that fires when `signal` does, and at the latest after `timeout` milliseconds. */
export function limitSignal(signal: AbortSignal, timeout: number): AbortSignal {
  const limit = AbortSignal.timeout(timeout);
  // Combined signals hold their sources weakly: Node 20 collects a limit without a listener, and it never fires.
  limit.addEventListener('abort', () => {});
  return AbortSignal.any([signal, limit]);
}

/** Starts a clock. The returned function gives the whole milliseconds of `timeout` that are left, at least one. */
export function countdown(timeout: number): () => number {
  const end = performance.now() + timeout;
  return () => Math.max(1, Math.ceil(end - performance.now()));
}
