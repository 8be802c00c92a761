import { type ConnectionState, DEFAULT_MESSAGE_LIMIT, Peer, type PeerOptions } from '@a2c-smcp/peer';
import type { Logger } from '@a2c-smcp/protocol';
import { Announcer } from './announcer.ts';
import { type Offers, serveOffers } from './desk.ts';

/** How a Computer enters an office. */
export interface JoinOptions
  extends Pick<
    PeerOptions,
    'office' | 'auth' | 'headers' | 'transports' | 'path' | 'protocolVersion' | 'timeout' | 'signal'
  > {}

export interface PresenceOptions {
  /** The Computer's name in the office. */
  name: string;
  offers: Offers;
  onConnection: (state: ConnectionState) => void;
  logger: Logger;
}

/** A Computer's presence in one office: answers requests, and says what has changed. */
export class Presence {
  readonly #peer: Peer;
  readonly #announcers: { tools: Announcer; config: Announcer };

  private constructor(peer: Peer, announcers: { tools: Announcer; config: Announcer }) {
    this.#peer = peer;
    this.#announcers = announcers;
  }

  static async join(
    url: string,
    options: JoinOptions,
    { name, offers, onConnection, logger }: PresenceOptions,
  ): Promise<Presence> {
    let peer: Peer | undefined;
    const emit = (event: 'server:update_tool_list' | 'server:update_config') => () =>
      peer?.emit(event, { computer: name }) ?? false;
    const announcers = {
      tools: new Announcer(() => offers.tools(), emit('server:update_tool_list')),
      config: new Announcer(() => offers.config(), emit('server:update_config')),
    };
    const limit = () => peer?.messageLimit ?? DEFAULT_MESSAGE_LIMIT;
    for (const announcer of Object.values(announcers)) announcer.begin();
    peer = await Peer.join(url, {
      ...options,
      role: 'computer',
      name,
      logger,
      prepare: socket => serveOffers(socket, offers, { limit, logger }),
    });
    const presence = new Presence(peer, announcers);
    peer.on('connection', state => {
      onConnection(state);
      // Whoever comes back unnoticed must still tell what changed meanwhile.
      if (state.type === 'joined') presence.changed();
    });
    presence.changed();
    return presence;
  }

  get office(): string {
    return this.#peer.office;
  }

  get joined(): boolean {
    return this.#peer.joined;
  }

  /** The tools or the configuration may have changed. */
  changed(): void {
    this.#announcers.tools.check();
    this.#announcers.config.check();
  }

  async leave(): Promise<void> {
    for (const announcer of Object.values(this.#announcers)) announcer.end();
    await this.#peer.leave();
  }
}
