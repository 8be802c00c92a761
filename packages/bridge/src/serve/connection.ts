import type { Server } from '@modelcontextprotocol/server';
import type { Office } from '../office.ts';

/** Subscriptions of one client. */
const MAX_SUBSCRIPTIONS = 1000;

/**
 * The notifications of one client. A client of 2025 gets updates of the URIs it subscribed to; to one of 2026 all are
 * sent, because the SDK filters them by what the client listens to.
 */
export class ConnectionChanges {
  readonly #server: Server;
  readonly #office: Office;
  readonly #subscriptions = new Set<string>();
  readonly #stops: (() => void)[];
  #release: (() => void) | undefined;

  constructor(server: Server, office: Office, onError: (error: unknown) => void) {
    this.#server = server;
    this.#office = office;
    const send = (sending: () => Promise<void>) => {
      // Before the handshake the client accepts no notifications.
      if (server.getNegotiatedProtocolVersion() !== undefined) sending().catch(onError);
    };
    this.#stops = [
      office.events.on('tools', () => send(() => server.sendToolListChanged())),
      office.events.on('prompts', () => send(() => server.sendPromptListChanged())),
      office.events.on('resources', () => send(() => server.sendResourceListChanged())),
      office.events.on('updated', ({ uri }) => {
        for (const wanted of this.#concerned(uri)) send(() => server.sendResourceUpdated({ uri: wanted }));
      }),
    ];
  }

  /** The client uses resources: their changes are watched until it disconnects. */
  watch(): void {
    this.#release ??= this.#office.watch();
  }

  /** Returns whether there was room. */
  subscribe(uri: string): boolean {
    if (this.#subscriptions.size >= MAX_SUBSCRIPTIONS && !this.#subscriptions.has(uri)) return false;
    this.#subscriptions.add(uri);
    this.watch();
    return true;
  }

  unsubscribe(uri: string): void {
    this.#subscriptions.delete(uri);
  }

  close(): void {
    for (const stop of this.#stops) stop();
    this.#release?.();
  }

  /** A change of a document changes its pages and elements, too. */
  #concerned(uri: string): string[] {
    // Revisions are dates.
    if ((this.#server.getNegotiatedProtocolVersion() ?? '') >= '2026') return [uri];
    return [...this.#subscriptions].filter(subscribed => {
      const [address = ''] = subscribed.split('?', 1);
      return address === uri || address.startsWith(`${uri}/`);
    });
  }
}
