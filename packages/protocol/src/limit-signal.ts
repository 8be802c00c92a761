/** A signal that fires when `signal` does, and at the latest after `timeout` milliseconds. */
export function limitSignal(signal: AbortSignal, timeout: number): AbortSignal {
  const limit = AbortSignal.timeout(timeout);
  // Combined signals hold their sources weakly: in Node 20 a limit to which nobody listens is collected and never fires.
  limit.addEventListener('abort', () => {});
  return AbortSignal.any([signal, limit]);
}
