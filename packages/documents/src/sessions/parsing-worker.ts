import { Worker } from 'node:worker_threads';
import { versionKey } from '../file.ts';
import type { Recogniser } from '../ocr/recogniser.ts';
import { serveRecogniser } from '../ocr/recogniser-port.ts';
import type { ParseOptions, Question, WorkerOptions, WorkerReply } from './sessions.ts';

/** The compiled worker beside this file. */
export const workerFile = new URL('./worker.js', import.meta.url);

/** Versions of files a worker is likely to have open. */
const RECENT_DOCUMENTS = 4;
/** Progress extends the time limit of a task up to this multiple of it. */
const PROGRESS_FACTOR = 8;
/** Milliseconds after which an idle worker ends. */
const IDLE_MS = 30_000;
/** Milliseconds to start; the time limits of tasks run from then on. */
const START_TIMEOUT_MS = 30_000;

/** A question from its request to its answer, over as many workers as it takes. */
export class Task {
  readonly question: Question;
  /** The version of its file. */
  readonly document: string;
  /** Milliseconds without progress after which the task fails. */
  readonly timeout: number;
  readonly onProgress: ParseOptions['onProgress'];
  readonly answered: Promise<unknown>;
  /** When it was requested, on the clock of `performance.now()`. */
  readonly requestedAt = performance.now();
  /** When it was last given to a worker. */
  startedAt = 0;
  /** Set after its worker broke or others needed it: the task then gets a worker of its own. */
  isSuspect = false;
  /** Set after its worker broke, perhaps because of an earlier task. */
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

  /** True if all other tasks go first. */
  get isBackground(): boolean {
    const { question } = this;
    return question.ask === 'texts' || (question.ask === 'synopsis' && question.isBackground);
  }
}

/** Why a worker ended before it answered. */
export type WorkerEnd = 'timeout' | 'memory' | 'crash' | 'preempted' | 'cancelled' | 'closed';

export interface ParsingWorkerOptions {
  /** Bytes of JavaScript heap; the worker ends when it needs more. */
  heapBytes: number;
  /** Reads the words in pictures. @default they are not read */
  recogniser?: Recogniser | undefined;
  /** Called when a task was answered. */
  onFree: () => void;
  /** Called once, with the task that was in flight. `isCause` is set if that task is certainly the reason. */
  onEnd: (reason: WorkerEnd, unanswered: Task | undefined, isCause: boolean) => void;
}

/** One worker thread and the task in flight in it. */
export class ParsingWorker {
  readonly #thread: Worker;
  readonly #options: ParsingWorkerOptions;
  /** Resolves when the thread is gone. */
  readonly exited: Promise<void>;
  #task: Task | undefined;
  /** Ends the task in flight, or the thread when it has been idle for long. */
  #timer: NodeJS.Timeout | undefined;
  #recent: string[] = [];
  #hasAnswered = false;
  #isReady = false;
  #isEnded = false;

  constructor(options: ParsingWorkerOptions) {
    this.#options = options;
    const port = options.recogniser && serveRecogniser(options.recogniser);
    this.#thread = new Worker(workerFile, {
      workerData: (port ? { recogniser: port } : {}) satisfies WorkerOptions,
      transferList: port ? [port] : [],
      resourceLimits: { maxOldGenerationSizeMb: Math.ceil(options.heapBytes / 1024 / 1024) },
      stdout: true,
      stderr: true,
    });
    // Unread output would pile up.
    this.#thread.stdout.resume();
    this.#thread.stderr.resume();
    this.#thread.on('message', (reply: WorkerReply) => this.#receive(reply));
    this.#thread.on('messageerror', () => this.#break('crash'));
    this.#thread.on('error', error => {
      this.#break('code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'memory' : 'crash');
    });
    this.exited = new Promise(resolve => {
      this.#thread.on('exit', () => {
        this.#break('crash');
        resolve();
      });
    });
  }

  get task(): Task | undefined {
    return this.#task;
  }

  /** Milliseconds that the task in flight has taken. */
  get runningMs(): number {
    return this.#task === undefined ? 0 : performance.now() - this.#task.startedAt;
  }

  /** True if it is likely to have documents open. */
  get hasDocuments(): boolean {
    return this.#recent.length > 0;
  }

  hasOpen(document: string): boolean {
    return this.#recent.includes(document);
  }

  run(task: Task): void {
    this.#task = task;
    if (!task.isBackground) {
      this.#recent = [task.document, ...this.#recent.filter(key => key !== task.document)].slice(0, RECENT_DOCUMENTS);
    }
    this.#thread.ref();
    this.#limit(this.#isReady ? task.timeout : START_TIMEOUT_MS);
    this.#thread.postMessage(task.question);
  }

  /** Terminates the thread. Returns before it is gone; a thread in a loop takes a moment. */
  end(reason: WorkerEnd, isCause = false): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    clearTimeout(this.#timer);
    const unanswered = this.#task;
    this.#task = undefined;
    void this.#thread.terminate();
    this.#options.onEnd(reason, unanswered, isCause);
  }

  /** An earlier task may have left a worker broken that has answered before. */
  #break(reason: 'memory' | 'crash'): void {
    this.end(reason, !this.#hasAnswered);
  }

  #limit(timeout: number): void {
    clearTimeout(this.#timer);
    if (this.#task !== undefined) this.#task.startedAt = performance.now();
    this.#timer = setTimeout(() => this.end('timeout', true), timeout);
  }

  #receive(reply: WorkerReply): void {
    const task = this.#task;
    if (reply === 'ready') {
      this.#isReady = true;
      if (task !== undefined) this.#limit(task.timeout);
    } else if (task === undefined) return;
    else if ('progress' in reply) {
      if (this.runningMs < PROGRESS_FACTOR * task.timeout) this.#timer?.refresh();
      task.onProgress?.(reply.progress);
    } else {
      this.#task = undefined;
      this.#hasAnswered = true;
      this.#rest();
      if ('failure' in reply) task.reject(new Error(reply.failure));
      else task.resolve(reply.answer);
      this.#options.onFree();
    }
  }

  /** An idle worker does not keep the process alive, and after a while it gives its memory back. */
  #rest(): void {
    clearTimeout(this.#timer);
    this.#thread.unref();
    this.#timer = setTimeout(() => this.end('closed'), IDLE_MS).unref();
  }
}
