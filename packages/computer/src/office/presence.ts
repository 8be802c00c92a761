import { type ConnectionState, Peer, type PeerOptions, type Renewable, randomId } from '@a2c-smcp/peer';
import type { SessionInfo } from '@a2c-smcp/protocol';
import { secretsIn, urlSecrets } from '../config/credentials.ts';
import type { Dialect } from '../dialect.ts';
import type { Runtime } from '../runtime.ts';
import { AgentSession } from './agent-session.ts';
import { Announcements } from './announcements.ts';
import { serveRequests } from './handlers.ts';
import type { Membership } from './membership.ts';

/** How long a Server may take to list the office. Calls may wait for it after a reconnect. */
const LIST_TIMEOUT_MS = 2000;

/** How a Computer enters an office. */
export interface JoinOptions
  extends Pick<
    PeerOptions,
    | 'office'
    | 'auth'
    | 'headers'
    | 'ca'
    | 'replace'
    | 'waitForServer'
    | 'transports'
    | 'path'
    | 'protocolVersion'
    | 'timeout'
    | 'signal'
    | 'trace'
  > {}

export interface PresenceOptions {
  /** The Computer's name in the office. */
  name: string;
  runtime: Runtime;
  onConnection: (state: ConnectionState) => void;
}

/** A Computer's presence in one office: answers requests and announces changes. */
export class Presence {
  readonly #peer: Peer;
  readonly #announcements: Announcements;
  readonly #session: AgentSession;

  private constructor(peer: Peer, announcements: Announcements, session: AgentSession) {
    this.#peer = peer;
    this.#announcements = announcements;
    this.#session = session;
  }

  static async join(
    url: string | readonly string[],
    options: JoinOptions,
    { name, runtime, onConnection }: PresenceOptions,
  ): Promise<Presence> {
    const { logger, secrets } = runtime;
    secrets.add([url].flat().flatMap(urlSecrets));
    const credentials = withSecrets(options, values => secrets.add(values));
    const membership: Membership = {};
    const list = async () => (membership.peer ? listMembers(membership.peer) : []);
    const announcements = new Announcements(runtime, membership);
    const onDialect = (dialect: Dialect) => announcements.speak(dialect);
    const session = new AgentSession({
      list,
      logger,
      version: () => membership.peer?.protocolVersion,
      onDialect,
      onAbandoned: scope => runtime.release(scope),
    });
    try {
      const prepare: PeerOptions['prepare'] = channel => serveRequests(channel, runtime, { membership, session });
      membership.peer = await Peer.join(url, { ...options, ...credentials, role: 'computer', name, logger, prepare });
    } catch (error) {
      announcements.close();
      throw error;
    }
    const { peer } = membership;
    const presence = new Presence(peer, announcements, session);
    peer.on('connection', state => {
      if (state.type === 'lost') session.lost();
      if (state.type === 'joined') void session.joined();
      if (state.type === 'closed') presence.#release();
      onConnection(state);
      if (state.type === 'joined') announcements.check();
    });
    announcements.check();
    void session.joined();
    return presence;
  }

  get office(): string {
    return this.#peer.office;
  }

  /** The configuration may have changed. */
  changed(): void {
    this.#announcements.check();
  }

  async leave(): Promise<void> {
    this.#release();
    await this.#peer.leave();
  }

  #release(): void {
    this.#announcements.close();
    this.#session.end();
  }
}

/** All members of the office. */
async function listMembers(peer: Peer): Promise<SessionInfo[]> {
  // The protocol has no name for a Computer here; Servers compare the field with the name of the sender.
  const request = { agent: peer.name, office_id: peer.office, req_id: randomId() };
  const { sessions } = await peer.call('server:list_room', request, { timeout: LIST_TIMEOUT_MS });
  return sessions;
}

/** The credentials of a join, each reported as a secret before it is sent: a Server may repeat it in an error. */
function withSecrets({ auth, headers }: JoinOptions, add: (secrets: string[]) => void): Partial<JoinOptions> {
  const report = <T extends object>(values: T): T => {
    add(Object.values(values).flatMap(value => (typeof value === 'string' ? secretsIn(value) : [])));
    return values;
  };
  const wrap = <T extends object>(source: Renewable<T>) =>
    typeof source === 'function' ? async () => report(await source()) : report(source);
  return { ...(auth && { auth: wrap(auth) }), ...(headers && { headers: wrap(headers) }) };
}
