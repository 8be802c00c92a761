export interface IdleWatchOptions {
  /** Milliseconds without use. */
  idle: number;
  /** How often it was used so far. */
  uses: () => number;
  /** True if it is in use now. */
  isInUse: () => boolean;
  onIdle: () => void;
}

/** Milliseconds between two looks, however long it may be idle. */
const MAX_INTERVAL_MS = 30_000;

/** Calls `onIdle`, again and again, from the time that something was not in use for so long. Returns what ends it. */
export function watchIdle({ idle, uses, isInUse, onIdle }: IdleWatchOptions): () => void {
  let seen = uses();
  let lastUse = Date.now();
  const look = () => {
    const count = uses();
    if (count !== seen || isInUse()) {
      seen = count;
      lastUse = Date.now();
    } else if (Date.now() - lastUse >= idle) onIdle();
  };
  const timer = setInterval(look, Math.min(Math.max(10, idle / 4), MAX_INTERVAL_MS)).unref();
  return () => clearInterval(timer);
}
