import type { Logger } from '@a2c-smcp/core';
import { type ConnectionState, DEFAULT_MESSAGE_LIMIT, Peer, type PeerOptions, randomId } from '@a2c-smcp/peer';
import type { SessionInfo, SignalEventName } from '@a2c-smcp/protocol';
import type { View } from '../views/view.ts';
import { AgentSession } from './agent-session.ts';
import { Announcer } from './announcer.ts';
import { type Offers, serveOffers } from './desk.ts';
import { ViewAnnouncer } from './view-announcer.ts';

/** Milliseconds that a Server has to list the office. Calls may wait for it after a reconnect. */
const LIST_TIMEOUT_MS = 2000;

/** How a Computer enters an office. */
export interface JoinOptions
  extends Pick<
    PeerOptions,
    'office' | 'auth' | 'headers' | 'transports' | 'path' | 'protocolVersion' | 'timeout' | 'signal' | 'trace'
  > {}

export interface PresenceOptions {
  /** The Computer's name in the office. */
  name: string;
  offers: Offers;
  /** Calls the listener at changes of a view, and returns how to stop it. */
  followViews: (listener: (view: View) => void) => () => void;
  onConnection: (state: ConnectionState) => void;
  logger: Logger;
}

interface Announcers {
  tools: Announcer;
  config: Announcer;
  desktop: ViewAnnouncer;
  finder: ViewAnnouncer;
}

/** A Computer's presence in one office: answers requests, and says what has changed. */
export class Presence {
  readonly #peer: Peer;
  readonly #announcers: Announcers;
  readonly #session: AgentSession;
  readonly #unfollowViews: () => void;

  private constructor(peer: Peer, announcers: Announcers, session: AgentSession, unfollowViews: () => void) {
    this.#peer = peer;
    this.#announcers = announcers;
    this.#session = session;
    this.#unfollowViews = unfollowViews;
  }

  static async join(
    url: string,
    options: JoinOptions,
    { name, offers, followViews, onConnection, logger }: PresenceOptions,
  ): Promise<Presence> {
    let peer: Peer | undefined;
    const emit = (event: Exclude<SignalEventName, 'server:tool_call_cancel'>) => () =>
      peer?.emit(event, { computer: name }) ?? false;
    const announcers = {
      tools: new Announcer(() => offers.tools(), emit('server:update_tool_list')),
      config: new Announcer(() => offers.config(), emit('server:update_config')),
      desktop: new ViewAnnouncer(emit('server:update_desktop')),
      finder: new ViewAnnouncer(emit('server:update_finder')),
    };
    const limit = () => peer?.messageLimit ?? DEFAULT_MESSAGE_LIMIT;
    const session = new AgentSession(() => (peer ? listMembers(peer) : Promise.resolve([])), logger);
    announcers.tools.begin();
    announcers.config.begin();
    const unfollowViews = followViews(view => announcers[view].changed());
    try {
      peer = await Peer.join(url, {
        ...options,
        role: 'computer',
        name,
        logger,
        prepare: socket => serveOffers(socket, offers, { limit, session, logger }),
      });
    } catch (error) {
      unfollowViews();
      throw error;
    }
    const presence = new Presence(peer, announcers, session, unfollowViews);
    peer.on('connection', state => {
      if (state.type === 'lost') session.lost();
      if (state.type === 'joined') void session.joined();
      if (state.type === 'closed') presence.#release();
      onConnection(state);
      // Whoever comes back unnoticed must still tell what changed meanwhile.
      if (state.type === 'joined') presence.changed();
    });
    presence.changed();
    void session.joined();
    return presence;
  }

  get office(): string {
    return this.#peer.office;
  }

  get joined(): boolean {
    return this.#peer.joined;
  }

  /** The tools or the configuration may have changed, or the office can be told again. */
  changed(): void {
    for (const announcer of Object.values(this.#announcers)) announcer.check();
  }

  async leave(): Promise<void> {
    this.#release();
    await this.#peer.leave();
  }

  #release(): void {
    this.#announcers.tools.end();
    this.#announcers.config.end();
    this.#unfollowViews();
    this.#session.end();
  }
}

/** Everybody in the office. */
async function listMembers(peer: Peer): Promise<SessionInfo[]> {
  // The protocol has no name for a Computer here; Servers compare the field with the name of the sender.
  const request = { agent: peer.name, office_id: peer.office, req_id: randomId() };
  const { sessions } = await peer.call('server:list_room', request, { timeout: LIST_TIMEOUT_MS });
  return sessions;
}
