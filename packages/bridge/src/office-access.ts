import { ErrorCode, SmcpError } from '@a2c-smcp/agent';
import { countdown, settle } from '@a2c-smcp/core';
import type { OfficeAgent } from './office-agent.ts';
import { type BridgeFilter, showsComputer } from './options.ts';
import type { Seat } from './seat/seat.ts';

/** Milliseconds that a request waits for the seat, and then for a connection that is being restored. */
const REJOIN_TIMEOUT_MS = 10_000;

/** The Agent and the Computers that requests of clients may use. */
export class OfficeAccess {
  readonly seat: Seat;
  readonly filter: BridgeFilter;

  constructor(seat: Seat, filter: BridgeFilter) {
    this.seat = seat;
    this.filter = filter;
  }

  /** The Agent in its office, or an `SmcpError` that says why there is none. */
  async agent(): Promise<OfficeAgent> {
    const left = countdown(REJOIN_TIMEOUT_MS);
    for (;;) {
      const agent = await this.seat.take(left());
      if (!agent) throw unavailable(this.seat.problem);
      if (agent.joined) return agent;
      await settled(agent, left());
    }
  }

  /**
   * Sends a request to the office. It is repeated when the seat was lost before the request left this machine, which the
   * reason `offline` says.
   */
  async request<T>(send: (agent: OfficeAgent) => Promise<T>): Promise<T> {
    const { agent: seated } = this.seat;
    const agent = seated?.joined ? seated : await this.agent();
    try {
      return await send(agent);
    } catch (error) {
      const isRepeatable = error instanceof SmcpError && error.reason === 'offline' && this.seat.agent !== agent;
      if (!isRepeatable) throw error;
      return send(await this.agent());
    }
  }

  /** The names of the Computers that clients may see, sorted. */
  computers(agent: OfficeAgent | undefined = this.seat.agent): string[] {
    return [...(agent?.computers.keys() ?? [])].filter(name => showsComputer(this.filter, name)).toSorted();
  }

  /** The named Computer, or the only one. */
  computer(agent: OfficeAgent, wanted: string | undefined): string {
    const computers = this.computers(agent);
    const [only] = computers;
    if (wanted === undefined && only !== undefined && computers.length === 1) return only;
    if (wanted !== undefined && computers.includes(wanted)) return wanted;
    const present = computers.length === 0 ? 'there is none at the moment' : `there are ${computers.join(', ')}`;
    const message =
      wanted === undefined ? `Name the computer: ${present}` : `No computer '${wanted}' in this office: ${present}`;
    throw new SmcpError(wanted === undefined ? ErrorCode.BadRequest : ErrorCode.NotFound, message);
  }
}

/** Resolves when a lost connection is back, or the Agent is closed. */
function settled(agent: OfficeAgent, timeout: number): Promise<void> {
  return settle<void>(
    resolve => agent.on('connection', ({ type }) => (type === 'joined' || type === 'closed') && resolve()),
    { timeout, timeoutError: () => unavailable(undefined) },
  );
}

function unavailable(problem: Error | undefined): SmcpError {
  const cause = problem?.message ?? 'the connection to the Server is lost';
  const code = problem instanceof SmcpError ? problem.code : ErrorCode.Timeout;
  return new SmcpError(code, `The office cannot be used at the moment: ${cause}. Attempts to join it continue.`);
}
