import type { Logger } from '@a2c-smcp/core';
import type { Peer } from '@a2c-smcp/peer';
import { type AnswerQuestionReq, ToolQuestion } from '@a2c-smcp/protocol';

/** A form that an MCP server wants filled in while one of its tools runs. */
export interface CallQuestion {
  /** The name of the MCP server on its Computer. */
  server: string;
  message: string;
  /** The wanted values: MCP's flat JSON Schema of a form. */
  schema: Record<string, unknown>;
}

/** `decline` is a no; `cancel` means that there was no decision. */
export type CallAnswer = { action: 'accept'; content: Record<string, unknown> } | { action: 'decline' | 'cancel' };

/** Answers a question. The signal fires when the call has ended. */
export type OnQuestion = (question: CallQuestion, options: { signal: AbortSignal }) => CallAnswer | Promise<CallAnswer>;

interface AskingCall {
  computer: string;
  onQuestion: OnQuestion;
  ended: AbortController;
  /** Ids of its questions: a question that arrives twice is asked once. */
  asked: Set<string>;
}

/** Milliseconds until an answer must have reached the Computer. */
const ANSWER_TIMEOUT_MS = 10_000;
/** Questions of one call, after which none is shown: a Computer asks a few at a time. */
const MAX_QUESTIONS = 100;

/** The questions of the calls that are answered for. */
export class CallQuestions {
  readonly #calls = new Map<string, AskingCall>();
  readonly #peer: Peer;
  readonly #requestId: () => string;
  readonly #logger: Logger;

  constructor(peer: Peer, requestId: () => string, logger: Logger) {
    this.#peer = peer;
    this.#requestId = requestId;
    this.#logger = logger;
    peer.channel.on('notify:ask_question', payload => void this.#ask(payload));
  }

  /** Answers the questions of a call. Returns a function to call when it has ended. */
  attend(reqId: string, computer: string, onQuestion: OnQuestion): () => void {
    const call = { computer, onQuestion, ended: new AbortController(), asked: new Set<string>() };
    this.#calls.set(reqId, call);
    return () => {
      this.#calls.delete(reqId);
      call.ended.abort();
    };
  }

  /** Questions of other calls and of other Computers are ignored. Never rejects. */
  async #ask(payload: unknown): Promise<void> {
    const parsed = ToolQuestion.safeParse(payload);
    if (!parsed.success) return;
    const { computer, req_id, question_id, mcp_server: server, message, schema } = parsed.data;
    const call = this.#calls.get(req_id);
    if (call?.computer !== computer || call.asked.has(question_id) || call.asked.size >= MAX_QUESTIONS) return;
    call.asked.add(question_id);
    const { signal } = call.ended;
    try {
      const answer = await call.onQuestion({ server, message, schema }, { signal });
      if (!signal.aborted) await this.#answer(computer, question_id, answer);
    } catch (error) {
      if (signal.aborted) return;
      this.#logger.error('A question could not be answered', { req_id, error });
      await this.#answer(computer, question_id, { action: 'cancel' }).catch(() => {});
    }
  }

  /** Sent past the queue of requests: the calls that fill it may be waiting for this answer. */
  async #answer(computer: string, question_id: string, answer: CallAnswer): Promise<void> {
    const head = { agent: this.#peer.name, req_id: this.#requestId(), computer, question_id };
    const request: AnswerQuestionReq = { ...head, ...answer };
    await this.#peer.call('client:answer_question', request, { timeout: ANSWER_TIMEOUT_MS });
  }
}
