export interface BackoffOptions {
  /** The longest pause before the second attempt, in milliseconds. */
  first: number;
  /** No pause is longer, in milliseconds. */
  longest: number;
}

/**
 * How long to wait before an attempt, counted from 0. It doubles with every attempt and is cut by a random part of up
 * to one half, so that the peers of a restarted Server do not come back all at once.
 */
export function backoff(
  attempt: number,
  { first, longest }: BackoffOptions,
  random: () => number = Math.random,
): number {
  const pause = Math.min(longest, first * 2 ** attempt);
  return pause * (1 - random() / 2);
}
