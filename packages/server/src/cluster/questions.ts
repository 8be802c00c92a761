import { PendingCalls, readJson } from '@a2c-smcp/core';
import { unavailable } from './errors.ts';

/** Milliseconds in which another node answers. */
const ANSWER_TIMEOUT_MS = 2000;

interface Question {
  resolve: (answer: unknown) => void;
  reject: (error: unknown) => void;
}

/** Questions to other nodes that are not answered yet. */
export class Questions {
  readonly #pending = new PendingCalls<Question>({ onTimeout: ({ reject }) => reject(unavailable()) });

  /** @param send sends the question under an id */
  ask(send: (id: number) => void): Promise<unknown> {
    return new Promise((resolve, reject) => send(this.#pending.add({ resolve, reject }, ANSWER_TIMEOUT_MS)));
  }

  told(id: number, body: Buffer): void {
    const question = this.#pending.take(id);
    const answer = readJson(String(body));
    if (answer === undefined) question?.reject(unavailable());
    else question?.resolve(answer);
  }
}
