import { AsyncLocalStorage } from 'node:async_hooks';
import { type Logger, within } from '@a2c-smcp/core';
import type {
  Client,
  ClientCapabilities,
  ElicitRequestFormParams,
  ElicitRequestURLParams,
} from '@modelcontextprotocol/client';
import { readForm } from '../../questions/form.ts';
import type { CallOrigin } from '../../questions/question.ts';
import type { Questions } from '../../questions/questions.ts';

/** A call that may lead to a question. */
export interface AskingCall {
  signal: AbortSignal;
  origin?: CallOrigin | undefined;
}

export interface ElicitationOptions {
  /** The name of the MCP server. */
  server: string;
  questions: Questions;
  logger: Logger;
}

/** MCP's three answers. `decline` is the no of a person; absence, time and the end of a call are `cancel`. */
type Outcome =
  | { action: 'accept'; content?: Record<string, string | number | boolean | string[]> }
  | { action: 'decline' | 'cancel' };

/** Characters of what an MCP server writes for a person. */
const MAX_MESSAGE_LENGTH = 4000;
const MAX_URL_LENGTH = 8000;

/** The capability, for as long as there is a face that answers. */
export function elicitationCapability(questions: Questions): ClientCapabilities {
  const modes = (['form', 'url'] as const).filter(mode => questions.canAsk(mode));
  return modes.length > 0 ? { elicitation: Object.fromEntries(modes.map(mode => [mode, {}])) } : {};
}

/** Asks the questions of one MCP server, and withdraws them when its calls end. */
export class Elicitation {
  readonly #options: ElicitationOptions;
  readonly #calls = new Set<AskingCall>();
  /** The call that the SDK was in when a server of 2026 asked. One of 2025 does not tell which call it asks for. */
  readonly #current = new AsyncLocalStorage<AskingCall>();
  #idle = new AbortController();

  constructor(client: Client, options: ElicitationOptions) {
    this.#options = options;
    client.setRequestHandler('elicitation/create', ({ params }, { mcpReq }) => this.#answer(params, mcpReq.signal));
  }

  /** Runs a call during which the server may ask. When no call is left, its open questions are withdrawn. */
  async during<T>(call: AskingCall, isModern: boolean, run: () => Promise<T>): Promise<T> {
    this.#calls.add(call);
    try {
      return await (isModern ? this.#current.run(call, run) : run());
    } finally {
      this.#calls.delete(call);
      if (this.#calls.size === 0) {
        this.#idle.abort();
        this.#idle = new AbortController();
      }
    }
  }

  async #answer(params: ElicitRequestFormParams | ElicitRequestURLParams, asked: AbortSignal): Promise<Outcome> {
    const { server, logger } = this.#options;
    const [only, ...others] = this.#calls;
    const call = this.#current.getStore() ?? (others.length === 0 ? only : undefined);
    const signal = AbortSignal.any([asked, ...(call ? [call.signal] : []), ...(only ? [this.#idle.signal] : [])]);
    try {
      return await within(this.#ask(params, call?.origin, signal), { signal });
    } catch (error) {
      if (!signal.aborted) logger.warn('A question of an MCP server failed', { mcp_server: server, error });
      return { action: 'cancel' };
    }
  }

  async #ask(
    params: ElicitRequestFormParams | ElicitRequestURLParams,
    origin: CallOrigin | undefined,
    signal: AbortSignal,
  ): Promise<Outcome> {
    const { server, questions, logger } = this.#options;
    const message = params.message.slice(0, MAX_MESSAGE_LENGTH);
    if (params.mode === 'url') {
      if (!isWebAddress(params.url)) {
        logger.warn('An MCP server asked to open what is no web address', { mcp_server: server });
        return { action: 'cancel' };
      }
      const settlement = await questions.ask<'url'>(
        { kind: 'url', server, message, url: params.url, ...origin },
        signal,
      );
      return settlement.answer ?? { action: 'cancel' };
    }
    const fields = readForm(params.requestedSchema);
    if (!fields) {
      logger.warn('An MCP server asked with a form that MCP does not allow', { mcp_server: server });
      return { action: 'cancel' };
    }
    const settlement = await questions.ask<'form'>({ kind: 'form', server, message, fields, ...origin }, signal);
    // The form has checked each value against its field.
    return (settlement.answer as Outcome | undefined) ?? { action: 'cancel' };
  }
}

/** Other schemes start programs. */
function isWebAddress(url: string): boolean {
  return url.length <= MAX_URL_LENGTH && URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
}
