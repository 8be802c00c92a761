import type { Logger } from '@a2c-smcp/core';
import { AGENT_ABSENCE_MS, EnterOfficeNotification, type SessionInfo } from '@a2c-smcp/protocol';
import { CallScope } from '../tools/call-scope.ts';

/**
 * Follows which Agent is in the office, so that calls of one never meet the results of another. Servers of ours name
 * the session of an Agent; without a name every Agent that enters counts as another one.
 */
export class AgentSession {
  /** Calls of the present Agent. Pending after a lost connection, until the office was listed again. */
  scope: CallScope | Promise<CallScope>;
  readonly #list: () => Promise<readonly SessionInfo[]>;
  readonly #logger: Logger;
  #scope = new CallScope();
  /** The session that the scope belongs to, as far as it is known. */
  #id: string | undefined;
  /** Counts notifications: a list that was requested before one is older. */
  #moves = 0;
  /** Set from the loss of the connection until the office was listed again. */
  #gap: Gap | undefined;
  #losses = 0;
  #absence: NodeJS.Timeout | undefined;

  /** @param list requests the members of the office */
  constructor(list: () => Promise<readonly SessionInfo[]>, logger: Logger) {
    this.#list = list;
    this.#logger = logger;
    this.scope = this.#scope;
  }

  /** A notification that a member has entered the office. */
  entered(payload: unknown): void {
    const notice = readNotice(payload);
    if (!notice) return;
    this.#moves += 1;
    if (notice.id === undefined || notice.id !== this.#id) this.#replace(notice.id);
    this.#present();
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
    const members = await this.#list().catch(error =>
      this.#logger.debug('The members of the office could not be listed', { error }),
    );
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
    this.#scope.abandon();
    this.#settle();
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

  /** Whether a session is not the one of the scope. One that was never named is, unless there was a gap. */
  #isOther(id: string | undefined): boolean {
    if (this.#id === undefined) return this.#gap !== undefined;
    return id !== this.#id;
  }

  #replace(id: string | undefined): void {
    this.#scope.abandon();
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
    this.#absence = setTimeout(() => scope.abandon(), AGENT_ABSENCE_MS);
    this.#absence.unref();
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
function readNotice(payload: unknown): { id: string | undefined } | undefined {
  const parsed = EnterOfficeNotification.safeParse(payload);
  // An unreadable notification may be about an Agent.
  if (!parsed.success) return { id: undefined };
  const { computer, session_id: id } = parsed.data;
  return typeof computer === 'string' ? undefined : { id };
}
