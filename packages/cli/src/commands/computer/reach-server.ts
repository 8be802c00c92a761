import { once } from 'node:events';
import { connect } from 'node:net';
import { backoff, fieldsOf, limitSignal, pause } from '@a2c-smcp/core';
import { ErrorCode, SmcpError } from '@a2c-smcp/protocol';
import { UsageError } from '../../command.ts';
import { shownUrl } from '../../output/url.ts';

/** Milliseconds between attempts to reach a Server. */
const PAUSES_MS = { first: 1000, longest: 10_000 };
/** Milliseconds that a look at an address may take. */
const PROBE_TIMEOUT_MS = 2000;

/**
 * Looks whether anything listens at the address of a Server, which is faster than MCP servers start. Throws an error like
 * that of a join if not. Certificates and answers are left to the join, and so is an address that is slow.
 */
export async function probeServer(url: string, signal: AbortSignal): Promise<void> {
  if (!URL.canParse(url)) throw new UsageError(`--url: '${url}' is no URL: write it like http://127.0.0.1:7000`);
  const { hostname, port, protocol } = new URL(url);
  const socket = connect({
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port) || (/^(https|wss):$/.test(protocol) ? 443 : 80),
  });
  try {
    await once(socket, 'connect', { signal: limitSignal(signal, PROBE_TIMEOUT_MS) });
  } catch (cause) {
    signal.throwIfAborted();
    const { code, name } = fieldsOf(cause);
    if (name === 'AbortError') return;
    const text = `No Server answers at '${shownUrl(url)}' (${code ?? 'no connection'})`;
    throw new SmcpError(ErrorCode.Timeout, text, { details: { reason: 'unreachable' }, cause });
  } finally {
    socket.destroy();
  }
}

/** True if a Server that starts later, or a proxy whose Server does, may accept the same join. */
export function mayPass(error: unknown): boolean {
  return error instanceof SmcpError && (error.reason === 'unreachable' || error.code === ErrorCode.Internal);
}

/** Calls `join` until it succeeds, backing off, as long as it fails for want of a Server. `onWait` gets each such failure. */
export async function untilReached(
  join: () => Promise<void>,
  { signal, onWait }: { signal: AbortSignal; onWait: (error: Error) => void },
): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await join();
    } catch (error) {
      if (signal.aborted || !mayPass(error)) throw error;
      onWait(error as Error);
    }
    await pause(backoff(attempt, PAUSES_MS), signal);
  }
}
