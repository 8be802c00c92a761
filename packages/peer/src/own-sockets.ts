import type { Address } from './address.ts';
import type { PeerSocket } from './peer-socket.ts';

type Engine = PeerSocket['io']['engine'];

/** The part of Node's `http.Agent` that is used here. */
interface HttpAgent {
  destroy(): void;
}

/** The part of Node that a browser has not. */
interface Node {
  process?: { getBuiltinModule?: (name: string) => { Agent: new (options: object) => HttpAgent } | undefined };
}

/** Milliseconds that the last messages of a connection have to leave. */
const RELEASE_AFTER_MS = 2000;

/** Has the next connection use TCP connections of its own, so that they can be closed together with it. */
export function ownSockets({ io }: PeerSocket, { origin }: Address): void {
  const module = /^(https|wss):/.test(origin) ? 'https' : 'http';
  const { Agent } = (globalThis as Node).process?.getBuiltinModule?.(module) ?? {};
  if (Agent) Object.assign(io.opts, { agent: new Agent({ keepAlive: true }) });
}

/**
 * Closes what a connection has left open. Engine.IO does not end a request for messages when it closes, so that a
 * Server that does not answer would keep it, and this process, for ever.
 */
export function releaseSockets(engine: Engine | undefined): void {
  const { agent } = (engine as unknown as { opts?: { agent?: Partial<HttpAgent> } } | undefined)?.opts ?? {};
  if (typeof agent?.destroy !== 'function') return;
  const timer = setTimeout(() => agent.destroy?.(), RELEASE_AFTER_MS) as { unref?: () => void };
  timer.unref?.();
}
