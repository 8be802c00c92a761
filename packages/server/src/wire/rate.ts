/** How much of its allowance a connection has left. */
export interface Allowance {
  tokens: number;
  /** When `tokens` was right, in milliseconds. */
  at: number;
  /** Refused events that have not been worked off yet; that happens at the rate of the allowance. */
  excess: number;
}

/** Seconds' worth of refused events after which their sender is flooding, and their number in any case. */
const FLOOD_SECONDS = 10;
const MIN_FLOOD = 1000;

/** Takes one event out of an allowance of `rate` events per second, saved up for one second at most. */
export function spend(allowance: Allowance, rate: number, now: number): 'accepted' | 'refused' | 'flooding' {
  const earned = ((now - allowance.at) * rate) / 1000;
  const tokens = Math.min(rate, allowance.tokens + earned);
  allowance.at = now;
  if (allowance.excess > 0) allowance.excess = Math.max(0, allowance.excess - earned);
  if (tokens >= 1) {
    allowance.tokens = tokens - 1;
    return 'accepted';
  }
  allowance.tokens = tokens;
  allowance.excess += 1;
  return allowance.excess > Math.max(rate * FLOOD_SECONDS, MIN_FLOOD) ? 'flooding' : 'refused';
}

/** Seconds until an event that was refused would be accepted, if all that were refused before it come again first. */
export function delayOf({ excess }: Allowance, rate: number): number {
  return Math.ceil(excess / rate);
}

/** Recipients of a notification that cost its sender as much as one event. */
const RECIPIENTS_PER_EVENT = 50;
/** Bytes to all recipients together that do so. */
const BYTES_PER_EVENT = 64 * 1024;

/** Charges the sender of a notification for each recipient: one event may become a thousand. */
export function chargeBroadcast(allowance: Allowance, recipients: number, bytes: number): void {
  allowance.tokens -= Math.floor(recipients / RECIPIENTS_PER_EVENT + (recipients * bytes) / BYTES_PER_EVENT);
}
