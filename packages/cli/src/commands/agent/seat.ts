import { backoff, pause } from '@a2c-smcp/core';
import { SmcpError } from '@a2c-smcp/protocol';
import type { World } from '../../command.ts';
import { showProgress } from '../../output/progress.ts';
import { oneLine } from '../../output/table.ts';

/** Milliseconds between attempts to take the seat: it is free for a moment between two short commands. */
const PAUSES_MS = { first: 200, longest: 1000 };

/** Retries to connect while another Agent has the seat, for at most `limit` milliseconds, and shows that it does. */
export async function untilSeatIsFree<T>(
  connect: () => Promise<T>,
  limit: number,
  { office, signal, terminal, note, style }: World & { office: string },
): Promise<T> {
  const end = performance.now() + limit;
  const text = `Waiting for the seat: another Agent is in office '${oneLine(office)}'`;
  let progress: Disposable | undefined;
  try {
    for (let attempt = 0; ; attempt++) {
      try {
        return await connect();
      } catch (error) {
        const isTaken = error instanceof SmcpError && error.reason === 'agent_present';
        const left = end - performance.now();
        if (!isTaken || left <= 0) throw error;
        if (!progress && !terminal) note(style.dim(text));
        progress ??= showProgress(terminal, text);
        await pause(Math.min(left, backoff(attempt, PAUSES_MS)), signal);
      }
    }
  } finally {
    progress?.[Symbol.dispose]();
  }
}
