export interface Pace {
  /** Calls that are under way at any time. */
  inFlight: number;
  /** Calls are begun for this long. */
  milliseconds: number;
}

export interface LoadResult {
  calls: number;
  milliseconds: number;
  latencies: number[];
}

/** Begins a call whenever one has ended, until the time is up and all are answered. */
export function closedLoop({ inFlight, milliseconds }: Pace, call: (done: () => void) => void): Promise<LoadResult> {
  const started = performance.now();
  const latencies: number[] = [];
  let open = 0;
  return new Promise(resolve => {
    const begin = () => {
      open += 1;
      const sent = performance.now();
      call(() => {
        const now = performance.now();
        latencies.push(now - sent);
        open -= 1;
        if (now - started < milliseconds) begin();
        else if (open === 0) resolve({ calls: latencies.length, milliseconds: now - started, latencies });
      });
    };
    for (let n = 0; n < inFlight; n++) begin();
  });
}
