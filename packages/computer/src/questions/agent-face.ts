import { onAbort } from '@a2c-smcp/core';
import type { QuestionSettings } from '@a2c-smcp/protocol';
import type { FormQuestion, Question } from './question.ts';
import type { Face } from './questions.ts';

/** Sends a question to the Agent. False if it cannot be sent. */
export type SendQuestion = (question: FormQuestion) => boolean;

/**
 * The Agent as a face, if the owner lets it be one: it sees the forms of its own calls, of the servers that the owner
 * chose, unless a field looks like a secret. Nothing else ever reaches it, confirmations least of all.
 */
export class AgentFace implements Face {
  readonly name = 'agent';
  readonly kinds = ['form'] as const;
  settings: QuestionSettings = {};
  /** Calls whose Agents answer forms, by `callKey`. */
  readonly #calls = new Map<string, SendQuestion>();
  /** The Agents that open questions were sent to, by their ids. */
  readonly #sent = new Map<string, string>();

  /** An Agent has declared that it answers the forms of a call. Returns a function to call when the call has ended. */
  attend(agent: string, reqId: string, send: SendQuestion): () => void {
    const key = callKey(agent, reqId);
    this.#calls.set(key, send);
    return () => this.#calls.delete(key);
  }

  /** True if a question was sent to an Agent and is open. */
  isAsked(agent: string, questionId: string): boolean {
    return this.#sent.get(questionId) === agent;
  }

  async ask(question: Question, signal: AbortSignal): Promise<undefined> {
    if (question.kind !== 'form' || !this.#isHarmless(question)) return;
    const { id, agent, reqId } = question;
    if (agent === undefined || reqId === undefined) return;
    const send = this.#calls.get(callKey(agent, reqId));
    if (!send?.(question)) return;
    this.#sent.set(id, agent);
    await new Promise<void>(resolve => onAbort(signal, resolve));
    this.#sent.delete(id);
  }

  #isHarmless({ server, fields }: FormQuestion): boolean {
    const { forward, servers } = this.settings;
    return (
      forward === 'agent' &&
      (servers === undefined || servers.includes(server)) &&
      !fields.some(({ looksSecret }) => looksSecret)
    );
  }
}

function callKey(agent: string, reqId: string): string {
  return JSON.stringify([agent, reqId]);
}
