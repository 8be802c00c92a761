import type { Logger } from '@a2c-smcp/core';
import { AGENT_ABSENCE_MS, EnterOfficeNotification, type SessionInfo } from '@a2c-smcp/protocol';
import { type Dialect, dialectOf } from '../dialect.ts';
import { CallScope } from '../tools/call-scope.ts';

export interface AgentSessionOptions {
  /** Requests the members of the office. */
  list: () => Promise<readonly SessionInfo[]>;
  logger: Logger;
  /** The version that this Computer speaks, for Servers that do not send that of an Agent. */
  version?: () => string | undefined;
  /** Called when the dialect of an Agent that is there is known. */
  onDialect?: (dialect: Dialect) => void;
  /** Called when the Agent of a scope is gone, and may be called again. Everything that is kept for it can be deleted. */
  onAbandoned?: (scope: CallScope) => void;
}

/**
 * Follows which Agent is in the office, so that calls of one never meet the results of another. Servers of ours name
 * the session of an Agent; without a name every Agent that enters counts as another one.
 */
export class AgentSession {
  /** Calls of the present Agent. Pending after a lost connection, until the office was listed again. */
  scope: CallScope | Promise<CallScope>;
  /** The form of answers that the present Agent expects. Pending while the office is being listed for it. */
  dialect: Dialect | Promise<Dialect>;
  readonly #list: () => Promise<readonly SessionInfo[]>;
  readonly #logger: Logger;
  readonly #options: AgentSessionOptions;
  #scope = new CallScope();
  /** The session that the scope belongs to, as far as it is known. */
  #id: string | undefined;
  /** Counts notifications: a list that was requested before one is older. */
  #moves = 0;
  /** Set from the loss of the connection until the office was listed again. */
  #gap: Gap | undefined;
  #losses = 0;
  #absence: NodeJS.Timeout | undefined;
  /** The last dialect that was found out. */
  #spoken: Dialect = 'plain';
  #introduced: () => void = () => {};
  /** False after a list that failed: a Server that does not answer it would delay each Agent's first requests. */
  #canList = true;

  constructor(options: AgentSessionOptions) {
    this.#list = options.list;
    this.#logger = options.logger;
    this.#options = options;
    this.scope = this.#scope;
    this.dialect = new Promise<void>(resolve => {
      this.#introduced = resolve;
    }).then(() => this.dialect);
  }

  /** A notification that a member has entered the office. */
  entered(payload: unknown): void {
    const notice = readNotice(payload);
    if (!notice) return;
    this.#moves += 1;
    if (notice.id === undefined || notice.id !== this.#id) this.#replace(notice.id);
    this.#present();
    if (notice.version !== undefined) this.#speak(dialectOf(notice.version));
    else if (this.#canList) void this.#learn(this.#members());
    else this.#speak(dialectOf(this.#options.version?.()));
  }

  /** A notification that a member has left the office. */
  left(payload: unknown): void {
    const notice = readNotice(payload);
    if (!notice) return;
    this.#moves += 1;
    if (this.#isOther(notice.id)) this.#replace(notice.id);
    this.#id = notice.id;
    this.#away();
  }

  /** The connection was lost: notifications may be missed. */
  lost(): void {
    this.#losses += 1;
    this.#gap ??= openGap();
    this.scope = this.#gap.closed;
  }

  /** The Computer has joined, for the first time or again. */
  async joined(): Promise<void> {
    const moves = this.#moves;
    const losses = this.#losses;
    const listing = this.#members();
    void this.#learn(listing);
    const members = await listing;
    // Joining once more lists again.
    if (this.#losses !== losses) return;
    const isCurrent = this.#moves === moves;
    if (isCurrent && members) this.#meet(members.find(({ role }) => role === 'agent'));
    if (isCurrent && !members && this.#gap) this.#replace(undefined);
    this.#settle();
  }

  /** The Computer has left the office: its calls are abandoned. */
  end(): void {
    this.#present();
    this.#abandon(this.#scope);
    this.#settle();
  }

  #members(): Promise<readonly SessionInfo[] | undefined> {
    return this.#list().then(
      members => {
        this.#canList = true;
        return members;
      },
      error => {
        this.#canList = false;
        this.#logger.debug('The members of the office could not be listed', { error });
        return undefined;
      },
    );
  }

  /** Finds out the dialect of the Agent from a list of the office, unless a notification is newer. */
  async #learn(listing: Promise<readonly SessionInfo[] | undefined>): Promise<void> {
    const learnt = listing.then(members => dialectIn(members, this.#options.version?.()));
    const answer = learnt.then(dialect => dialect ?? this.#spoken);
    this.dialect = answer;
    this.#introduced();
    const dialect = await learnt;
    if (this.dialect !== answer) return;
    if (dialect) this.#speak(dialect);
    else this.dialect = this.#spoken;
  }

  #speak(dialect: Dialect): void {
    this.#spoken = dialect;
    this.dialect = dialect;
    this.#introduced();
    this.#options.onDialect?.(dialect);
  }

  #meet(agent: SessionInfo | undefined): void {
    if (!agent) {
      if (this.#gap && this.#id === undefined) this.#replace(undefined);
      this.#away();
      return;
    }
    if (this.#isOther(agent.session_id)) this.#replace(agent.session_id);
    this.#id = agent.session_id;
    this.#present();
  }

  /** True if a session is not the one of the scope. One that was never named is, unless there was a gap. */
  #isOther(id: string | undefined): boolean {
    if (this.#id === undefined) return this.#gap !== undefined;
    return id !== this.#id;
  }

  #replace(id: string | undefined): void {
    this.#abandon(this.#scope);
    this.#scope = new CallScope();
    this.#id = id;
    if (!this.#gap) this.scope = this.#scope;
  }

  #present(): void {
    clearTimeout(this.#absence);
    this.#absence = undefined;
  }

  #away(): void {
    this.#present();
    const scope = this.#scope;
    this.#absence = setTimeout(() => this.#abandon(scope), AGENT_ABSENCE_MS);
    this.#absence.unref();
  }

  /** Aborts the calls of a scope: its Agent does not wait for them any more. */
  #abandon(scope: CallScope): void {
    scope.abandon();
    this.#options.onAbandoned?.(scope);
  }

  #settle(): void {
    this.#gap?.close(this.#scope);
    this.#gap = undefined;
    this.scope = this.#scope;
  }
}

interface Gap {
  closed: Promise<CallScope>;
  close: (scope: CallScope) => void;
}

function openGap(): Gap {
  let close: Gap['close'] = () => {};
  const closed = new Promise<CallScope>(resolve => {
    close = resolve;
  });
  return { closed, close };
}

/** The session of the Agent that a notification is about; undefined when it is about a Computer. */
function readNotice(payload: unknown): { id: string | undefined; version?: string | undefined } | undefined {
  const parsed = EnterOfficeNotification.safeParse(payload);
  // An unreadable notification may be about an Agent.
  if (!parsed.success) return { id: undefined };
  const { computer, session_id: id, a2c_version } = parsed.data;
  return typeof computer === 'string' ? undefined : { id, version: a2c_version ?? undefined };
}

/**
 * The dialect of the Agent among the members, undefined if there is none. A Server that does not send versions serves one
 * version only, which is then the Computer's own.
 */
function dialectIn(members: readonly SessionInfo[] | undefined, own: string | undefined): Dialect | undefined {
  if (!members) return dialectOf(own);
  const agent = members.find(({ role }) => role === 'agent');
  if (!agent) return undefined;
  return dialectOf(members.some(({ a2c_version }) => a2c_version) ? agent.a2c_version : own);
}
