import { claimPath } from '../socket/claim.ts';
import { RemoteAgent } from './remote-agent.ts';
import type { TakenSeat } from './seat.ts';
import { SeatHost } from './seat-host.ts';

/**
 * Takes a seat together with all bridges that use the same path: the first holds it and the others use it through the first.
 *
 * @param open joins the office
 */
export async function openSharedSeat(
  path: string,
  open: (signal: AbortSignal) => Promise<TakenSeat>,
  signal: AbortSignal,
): Promise<TakenSeat> {
  const claim = await claimPath(path, signal);
  if ('socket' in claim) {
    const agent = await RemoteAgent.open(claim.socket, signal);
    return { agent, close: () => agent.close() };
  }
  const host = new SeatHost(claim.server);
  try {
    const seat = await open(signal);
    host.open(seat.agent);
    const close = async () => {
      // First leaves the office, so that the next bridge finds the seat free.
      await seat.close();
      await host.close();
    };
    return { agent: seat.agent, close };
  } catch (error) {
    host.refuse(error);
    await host.close();
    throw error;
  }
}
