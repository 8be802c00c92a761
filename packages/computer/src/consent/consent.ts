import type { Logger } from '@a2c-smcp/core';
import type { AnswerTo, CallOrigin, ConfirmationQuestion, Remember } from '../questions/question.ts';
import type { Questions } from '../questions/questions.ts';
import type { PinnedTool, Pins, ToolDefinition } from './pins.ts';
import type { Decision, Policy, ToolUse } from './policy.ts';

/** A tool as consent sees it: an entry of the present list of tools, the same object for all of its calls. */
export interface OfferedTool {
  server: string;
  /** The name the MCP server knows the tool by. */
  tool: string;
  meta?: { auto_apply?: boolean | null | undefined; tags?: string[] | null | undefined } | undefined;
  annotations?: Record<string, unknown>;
  definition: ToolDefinition;
}

/** A call that wants to run. */
export interface WantedCall extends CallOrigin {
  params: Record<string, unknown>;
  /** Milliseconds since 1970 at which its time is over. */
  deadline: number;
  /** Stands for the session of the Agent: a yes for this session counts while it is the same object. */
  session?: object | undefined;
  /** Called when a person is asked. */
  onAsked?: (() => void) | undefined;
}

/** The decision about a call, and its source. */
export type Verdict =
  | { runs: true; by: string /** Set if a person changed them. */; params?: Record<string, unknown> | undefined }
  | { runs: false; by: string; why: string };

export interface ConsentOptions {
  questions: Questions;
  /** Undefined for servers whose tools are not pinned. */
  pinsFor: (server: string) => Pins | undefined;
  /** The hashed origin of a server's configuration. */
  originOf: (server: string) => string;
  /** Stores that a tool runs unasked from now on. Without it, `always` counts for the session. */
  remember?: ((confirmation: ConfirmationQuestion) => Promise<void>) | undefined;
  logger: Logger;
}

/** The predicted decision about a call, and its reason. */
export interface CallForecast {
  decision: Decision['decision'];
  why: string;
  /** The lines of the tool's definition that differ from the pinned ones. */
  change?: string[];
}

/** The yes of a person to one definition of a tool. */
interface Grant {
  key: string;
  /** Milliseconds since 1970. */
  until: number;
  session: object | undefined;
}

const MAX_GRANTS = 1000;

/** Decides whether a tool call may run: by the rules of the owner, by earlier answers, or by asking. Fails closed. */
export class Consent {
  /** Tools whose calls need no look at all: no rule, `auto_apply`, and the definition is the pinned one. */
  cleared = new WeakSet<OfferedTool>();
  readonly #options: ConsentOptions;
  #policy: Policy | undefined;
  #grants: Grant[] = [];

  constructor(options: ConsentOptions) {
    this.#options = options;
  }

  /** Replaces the rules of the owner. */
  set policy(policy: Policy) {
    this.#policy?.[Symbol.dispose]();
    this.#policy = policy;
    this.reconsider();
  }

  /** Looks at every tool anew: rules, pins or settings have changed. */
  reconsider(): void {
    this.cleared = new WeakSet();
  }

  /** The rule that decides on a call, if any. */
  decide(tool: OfferedTool, call: Pick<WantedCall, 'tool' | 'params' | 'agent' | 'office'>): Decision | undefined {
    return this.#policy?.decide(useOf(tool, call));
  }

  /** Predicts the decision about a call. */
  forecast(tool: OfferedTool, call: Pick<WantedCall, 'tool' | 'params' | 'agent' | 'office'>): CallForecast {
    const decision = this.decide(tool, call);
    if (decision?.decision === 'deny') return { decision: 'deny', why: reasonOf(decision) };
    const change = this.changesOf(tool);
    if (change)
      return { decision: 'ask', why: 'the definition of the tool has changed since it was last used', change };
    if (decision) return { decision: decision.decision, why: reasonOf(decision) };
    if (tool.meta?.auto_apply === true) return { decision: 'allow', why: "'auto_apply' is set for the tool" };
    return { decision: 'ask', why: 'no rule of the policy matches, and auto_apply is not set for the tool' };
  }

  /** The lines of a definition that differ from the pinned one; undefined if none do. */
  changesOf(tool: OfferedTool): string[] | undefined {
    return this.#options.pinsFor(tool.server)?.changesOf(this.#pinned(tool), tool.definition);
  }

  /** Rejects with the reason of the signal when that fires while a person is asked. */
  async obtain(tool: OfferedTool, call: WantedCall, signal: AbortSignal): Promise<Verdict> {
    const decision = this.decide(tool, call);
    if (decision?.decision === 'deny') {
      const why = `is denied by the owner of this computer: ${decision.reason ?? decision.why}`;
      return { runs: false, by: `rule ${decision.rule}`, why };
    }
    const pins = this.#options.pinsFor(tool.server);
    // Another process may have accepted the change.
    if (this.changesOf(tool)) await pins?.refresh();
    const change = this.changesOf(tool);
    const unasked = change ? undefined : this.#unasked(tool, call, decision);
    if (unasked !== undefined) {
      pins?.accept(this.#pinned(tool), tool.definition);
      const isPlain = this.#policy?.isEmpty !== false && tool.meta?.auto_apply === true;
      if (isPlain) this.cleared.add(tool);
      return { runs: true, by: unasked };
    }
    return this.#ask(tool, call, { decision, change, signal });
  }

  /** The source that lets a call run without a question; undefined when a person must be asked. */
  #unasked(tool: OfferedTool, call: WantedCall, decision: Decision | undefined): string | undefined {
    if (decision?.decision === 'allow') return `rule ${decision.rule}`;
    if (!decision && tool.meta?.auto_apply === true) return 'auto_apply';
    const key = grantKey(tool, call);
    const isGranted = ({ key: granted, until, session }: Grant) =>
      granted === key && until > Date.now() && (session === undefined || session === call.session);
    return this.#grants.some(isGranted) ? 'an earlier answer' : undefined;
  }

  async #ask(
    tool: OfferedTool,
    call: WantedCall,
    { decision, change, signal }: { decision: Decision | undefined; change: string[] | undefined; signal: AbortSignal },
  ): Promise<Verdict> {
    const { questions, pinsFor } = this.#options;
    const { reqId, tool: name, agent, office, params, deadline } = call;
    const question: Omit<ConfirmationQuestion, 'id' | 'askedAt'> = {
      kind: 'confirmation',
      server: tool.server,
      tool: name,
      originalTool: tool.tool,
      annotations: tool.annotations,
      reason: decision?.reason,
      ...{ reqId, agent, office, params, deadline, change },
    };
    if (questions.canAsk('confirmation')) call.onAsked?.();
    const settlement = await questions.ask<'confirmation'>(question, signal);
    if (settlement.answer === undefined) {
      const advice = `nobody on this computer can be asked; its owner can set 'auto_apply' for it`;
      const why = settlement.why === 'absent' ? `needs confirmation, and ${advice}` : 'was not confirmed';
      return { runs: false, by: 'nobody', why };
    }
    const { answer, by } = settlement;
    if (answer.action === 'refuse') {
      const reason = answer.reason === undefined ? 'was not confirmed' : `was refused by the owner: ${answer.reason}`;
      return { runs: false, by, why: reason };
    }
    pinsFor(tool.server)?.accept(this.#pinned(tool), tool.definition);
    const minutes = decision?.minutes === undefined ? undefined : { minutes: decision.minutes };
    await this.#remember(tool, call, answer.remember ?? minutes, question);
    return { runs: true, by, params: isEdited(answer, params) ? answer.params : undefined };
  }

  async #remember(
    tool: OfferedTool,
    call: WantedCall,
    remember: Remember | undefined,
    question: Omit<ConfirmationQuestion, 'id' | 'askedAt'>,
  ): Promise<void> {
    if (remember === undefined) return;
    const key = grantKey(tool, call);
    const isTimed = typeof remember === 'object';
    const until = isTimed ? Date.now() + remember.minutes * 60_000 : Number.POSITIVE_INFINITY;
    const fresh = this.#grants.filter(grant => grant.until > Date.now() && grant.key !== key);
    this.#grants = [...fresh.slice(1 - MAX_GRANTS), { key, until, session: isTimed ? undefined : call.session }];
    if (remember !== 'always') return;
    try {
      await this.#options.remember?.({ id: '', askedAt: '', ...question });
    } catch (error) {
      this.#options.logger.warn('"Always" could not be stored, and counts for this session', {
        tool: tool.tool,
        error,
      });
    }
  }

  #pinned({ server, tool }: OfferedTool): PinnedTool {
    return { origin: this.#options.originOf(server), server, tool };
  }
}

/** The reason that the owner wrote, and the rule. */
function reasonOf({ reason, why }: Decision): string {
  return reason === undefined ? why : `${reason} (${why})`;
}

function useOf(
  { server, tool: originalTool, meta, annotations = {} }: OfferedTool,
  { tool, params, agent, office }: Pick<WantedCall, 'tool' | 'params' | 'agent' | 'office'>,
): ToolUse {
  return { server, tool, originalTool, tags: meta?.tags ?? [], annotations, params, agent, office };
}

/** A yes counts for one tool and the Agent it was given to. */
function grantKey({ server, tool }: OfferedTool, { agent, office }: WantedCall): string {
  return JSON.stringify([server, tool, agent ?? null, office ?? null]);
}

function isEdited({ params }: Extract<AnswerTo<'confirmation'>, { action: 'run' }>, before: object): boolean {
  return params !== undefined && JSON.stringify(params) !== JSON.stringify(before);
}
