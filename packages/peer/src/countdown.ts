/** Starts the clock: the returned function tells how many whole milliseconds of `timeout` are left, at least one. */
export function countdown(timeout: number): () => number {
  const end = performance.now() + timeout;
  return () => Math.max(1, Math.ceil(end - performance.now()));
}
