/** How much of its allowance a connection has left. */
export interface Allowance {
  tokens: number;
  /** When `tokens` was right, in milliseconds. */
  at: number;
}

/** Takes one event out of an allowance of `rate` events per second. False when there is none left. */
export function takeToken(allowance: Allowance, rate: number, now: number): boolean {
  const tokens = Math.min(rate, allowance.tokens + ((now - allowance.at) * rate) / 1000);
  allowance.at = now;
  allowance.tokens = tokens < 1 ? tokens : tokens - 1;
  return tokens >= 1;
}
