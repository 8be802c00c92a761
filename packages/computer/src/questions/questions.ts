import { randomUUID } from 'node:crypto';
import { Emitter, type ListenOptions, type Logger, settle } from '@a2c-smcp/core';
import { checkAnswer } from './check-answer.ts';
import type { Answer, AnswerTo, Question, QuestionKind, Settlement } from './question.ts';

/** A place where questions are answered: a terminal, a page, a program. */
export interface Face {
  /** Names it in records, as in `terminal`. */
  name: string;
  /** @default all kinds */
  kinds?: readonly QuestionKind[] | undefined;
  /**
   * Called with each open question. Resolves with the answer, or with undefined to leave it to the other faces. The signal
   * fires when the question is settled or withdrawn. Without this function the face calls `answer`.
   */
  ask?(question: Question, signal: AbortSignal): Promise<Answer | undefined>;
}

export interface QuestionEvents {
  asked: Question;
  /** Answered, with the face it came from; without one it was withdrawn or not answered. */
  settled: { question: Question; answer?: Answer; by?: string };
}

type Draft<Kind extends QuestionKind> = Omit<Extract<Question, { kind: Kind }>, 'id' | 'askedAt'>;

interface OpenQuestion {
  question: Question;
  /** Faces that may still answer. */
  faces: Set<Face>;
  withdrawn: AbortController;
  settle: (settlement: Settlement) => void;
}

/** An MCP server that asks without end must not fill the memory, nor the screen. */
const MAX_OPEN = 1000;
const MAX_OPEN_PER_SERVER = 20;

/**
 * The open questions of a Computer. Each is shown to all faces; the first answer wins and the others are withdrawn. A
 * question without an answer ends as such: silence never is one.
 */
export class Questions {
  readonly #open = new Map<string, OpenQuestion>();
  readonly #faces = new Set<Face>();
  readonly #events: Emitter<QuestionEvents>;
  readonly #logger: Logger;

  constructor(logger: Logger) {
    this.#logger = logger;
    this.#events = new Emitter({ logger });
  }

  /** Oldest first. */
  get open(): readonly Question[] {
    return [...this.#open.values()].map(({ question }) => question);
  }

  on<K extends keyof QuestionEvents>(
    event: K,
    listener: (payload: QuestionEvents[K]) => void,
    options?: ListenOptions,
  ): () => void {
    return this.#events.on(event, listener, options);
  }

  /** True if a face is there for questions of a kind. */
  canAsk(kind: QuestionKind): boolean {
    return [...this.#faces].some(face => answers(face, kind));
  }

  /** Adds a face, which gets the open questions too. Returns a function that removes it. */
  attend(face: Face): () => void {
    this.#faces.add(face);
    for (const open of this.#open.values()) this.#show(open, face);
    return () => {
      this.#faces.delete(face);
      for (const open of [...this.#open.values()]) this.#giveUp(open, face);
    };
  }

  /**
   * Answers an open question. False when it is settled already: another face was faster, or it was withdrawn. Throws a
   * `TypeError` for an answer that does not fit the question.
   *
   * @param by the face, for records
   */
  answer(id: string, answer: Answer, by = 'program'): boolean {
    const open = this.#open.get(id);
    if (!open) return false;
    this.#settle(open, checkAnswer(open.question, answer), by);
    return true;
  }

  /** Asks all faces. Rejects with the reason of the signal when that fires first. */
  async ask<Kind extends QuestionKind>(draft: Draft<Kind>, signal: AbortSignal): Promise<Settlement<Kind>> {
    signal.throwIfAborted();
    const { kind, server } = draft;
    if (!(this.canAsk(kind) || isLasting(kind)) || !this.#hasRoom(server)) return { why: 'absent' };
    const question = { ...draft, id: randomUUID(), askedAt: new Date().toISOString() } as unknown as Question;
    // An answer is checked against its question, so that it is one of this kind.
    return settle<Settlement<Kind>>(
      resolve => {
        const settled = resolve as (settlement: Settlement) => void;
        const open = { question, faces: new Set<Face>(), withdrawn: new AbortController(), settle: settled };
        this.#open.set(question.id, open);
        this.#events.emit('asked', question);
        for (const face of this.#faces) this.#show(open, face);
        return () => this.#close(open);
      },
      { signal },
    );
  }

  #hasRoom(server: string | undefined): boolean {
    const asked = this.open.filter(question => question.server === server && question.kind !== 'confirmation');
    const hasRoom = this.#open.size < MAX_OPEN && asked.length < MAX_OPEN_PER_SERVER;
    if (!hasRoom) this.#logger.warn('Too many questions are open; another one is not asked', { mcp_server: server });
    return hasRoom;
  }

  #show(open: OpenQuestion, face: Face): void {
    const { question, faces, withdrawn } = open;
    if (!answers(face, question.kind) || withdrawn.signal.aborted) return;
    faces.add(face);
    if (!face.ask) return;
    const asking = async () => face.ask?.(question, withdrawn.signal);
    asking()
      .then(answer => {
        if (answer === undefined) this.#giveUp(open, face);
        else this.#settle(open, checkAnswer(question, answer), face.name);
      })
      .catch(error => {
        if (!withdrawn.signal.aborted) this.#logger.warn('A question could not be asked', { face: face.name, error });
        this.#giveUp(open, face);
      });
  }

  #giveUp({ question, faces, settle }: OpenQuestion, face: Face): void {
    if (faces.delete(face) && faces.size === 0 && !isLasting(question.kind)) settle({ why: 'unanswered' });
  }

  #settle(open: OpenQuestion, answer: Answer, by: string): void {
    const { question, withdrawn } = open;
    if (withdrawn.signal.aborted) return;
    this.#open.delete(question.id);
    open.settle({ answer: answer as AnswerTo<QuestionKind>, by });
    this.#events.emit('settled', { question, answer, by });
  }

  /** The question is over, however that came about. */
  #close({ question, withdrawn }: OpenQuestion): void {
    if (this.#open.delete(question.id)) this.#events.emit('settled', { question });
    withdrawn.abort();
  }
}

/** True if a question of a kind waits for faces that are yet to come. */
function isLasting(kind: QuestionKind): boolean {
  return kind === 'sign-in';
}

function answers({ kinds }: Face, kind: QuestionKind): boolean {
  return kinds === undefined || kinds.includes(kind);
}
