import type { Question } from './messages.ts';
import { type ParseOptions, versionKey } from './sessions.ts';

/** A question from when it is asked until it is answered, over as many workers as it takes. */
export class Task {
  readonly question: Question;
  /** The version of its file. */
  readonly document: string;
  /** Milliseconds without progress after which it is given up. */
  readonly timeout: number;
  readonly onProgress: ParseOptions['onProgress'];
  readonly answered: Promise<unknown>;
  /** When it was asked, on the clock of `performance.now()`. */
  readonly askedAt = performance.now();
  /** When it was last given to a worker. */
  startedAt = 0;
  /** Set after a worker ended that it shared, or that others needed: it then has a worker to itself, one task at a time. */
  isSuspect = false;
  /** Set after a worker broke that may have been broken before. */
  hasFailed = false;
  resolve: (answer: unknown) => void = () => {};
  reject: (error: unknown) => void = () => {};

  constructor(question: Question, timeout: number, onProgress?: ParseOptions['onProgress']) {
    this.question = question;
    this.timeout = timeout;
    this.document = versionKey(question.file);
    this.onProgress = onProgress;
    this.answered = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
  }

  /** Headers are small enough for several at a time in one worker. */
  get isShared(): boolean {
    return this.question.ask === 'header' && !this.isSuspect;
  }
}
