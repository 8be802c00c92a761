import type { ClientKind, PeerSettings } from '../processes/agent.ts';
import { Participant, type ParticipantOptions } from './participant.ts';
import { startServer } from './servers.ts';

/** One or several servers that take calls from Agents to Computers. */
export interface Relay {
  servers: readonly Participant[];
  /** Which of them each side connects to. */
  urls: { agent: string; computer: string };
  clients: ClientKind;
}

/** Two processes, of which one plays all Agents and the other all Computers. */
export interface Clients {
  agent: Participant;
  computer: Participant;
}

export function relayOn(server: Participant, clients: ClientKind = 'thin'): Relay {
  const url = String(server.greeting);
  return { servers: [server], urls: { agent: url, computer: url }, clients };
}

export async function startOurs(clients?: ClientKind): Promise<Relay> {
  return relayOn(await startServer('ours'), clients);
}

/**
 * Connects the same clients to all relays, so that these alone differ.
 *
 * @param pairs of an Agent and a Computer on each
 */
export async function connect(relays: readonly Relay[], pairs = 1, options: ParticipantOptions = {}): Promise<Clients> {
  const offices = Array.from({ length: pairs }, (_, n) => `office-${n}`);
  const settings = (side: 'agent' | 'computer'): PeerSettings => ({
    connections: relays.map(({ clients, urls }) => ({ kind: clients, url: urls[side], offices })),
  });
  const computer = await Participant.start('computer', settings('computer'), options);
  return { computer, agent: await Participant.start('agent', settings('agent'), options) };
}
