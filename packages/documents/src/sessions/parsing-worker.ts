import { Worker } from 'node:worker_threads';
import type { WorkerReply, WorkerRequest } from './messages.ts';
import type { Task } from './task.ts';

/** The compiled worker beside this file. */
export const workerFile = new URL('./worker.js', import.meta.url);

/** Versions of files a worker is likely to have open. */
const RECENT_DOCUMENTS = 4;
/** Progress extends the time limit of a task up to this multiple of it. */
const PROGRESS_FACTOR = 8;
const IDLE_MS = 30_000;
/** Milliseconds to start; the time limits of tasks run from then on. */
const START_MS = 30_000;

/** Why a worker ended before it answered. */
export type WorkerEnd = 'timeout' | 'memory' | 'crash' | 'preempted' | 'cancelled' | 'closed';

export interface ParsingWorkerOptions {
  /** Bytes of JavaScript heap; the worker ends when it needs more. */
  heapBytes: number;
  /** Called when a task was answered. */
  onFree: () => void;
  /** Called once, with the tasks that were in flight. `cause` is the one that is to blame if that is certain. */
  onEnd: (reason: WorkerEnd, unanswered: Task[], cause?: Task) => void;
}

/** One worker thread and the tasks in flight in it. */
export class ParsingWorker {
  readonly #thread: Worker;
  readonly #options: ParsingWorkerOptions;
  readonly #tasks = new Map<number, { task: Task; timer: NodeJS.Timeout }>();
  #recent: string[] = [];
  #idle: NodeJS.Timeout | undefined;
  #lastId = 0;
  #answered = 0;
  #answeredAt = 0;
  #isReady = false;
  #ended = false;
  /** Resolves when the thread is gone. */
  readonly exited: Promise<void>;

  constructor(options: ParsingWorkerOptions) {
    this.#options = options;
    this.#thread = new Worker(workerFile, {
      resourceLimits: { maxOldGenerationSizeMb: Math.ceil(options.heapBytes / 1024 / 1024) },
      stdout: true,
      stderr: true,
    });
    // Unread output would pile up.
    this.#thread.stdout.resume();
    this.#thread.stderr.resume();
    this.#thread.on('message', (reply: WorkerReply) => this.#receive(reply));
    this.#thread.on('messageerror', () => this.end('crash'));
    this.#thread.on('error', error => {
      this.end('code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'memory' : 'crash');
    });
    this.exited = new Promise(resolve => {
      this.#thread.on('exit', () => {
        this.end('crash');
        resolve();
      });
    });
  }

  get tasks(): Task[] {
    return Array.from(this.#tasks.values(), ({ task }) => task);
  }

  get isIdle(): boolean {
    return this.#tasks.size === 0;
  }

  /** Whether it has answered nothing yet. */
  get isFresh(): boolean {
    return this.#answered === 0;
  }

  /** Milliseconds since it answered, or since the oldest of its tasks was started if that is later. */
  get runningMs(): number {
    return performance.now() - Math.max(this.#answeredAt, Math.min(...this.tasks.map(({ startedAt }) => startedAt)));
  }

  hasOpen(document: string): boolean {
    return this.#recent.includes(document);
  }

  run(task: Task): void {
    this.#lastId += 1;
    this.#tasks.set(this.#lastId, { task, timer: this.#limit(task, this.#isReady ? task.timeout : START_MS) });
    this.#recent = [task.document, ...this.#recent.filter(key => key !== task.document)].slice(0, RECENT_DOCUMENTS);
    clearTimeout(this.#idle);
    this.#thread.ref();
    const request: WorkerRequest = { id: this.#lastId, question: task.question };
    this.#thread.postMessage(request);
  }

  /** Terminates the thread. Returns before it is gone; a thread in a loop takes a moment. */
  end(reason: WorkerEnd, cause?: Task): void {
    if (this.#ended) return;
    this.#ended = true;
    const unanswered = this.tasks;
    for (const { timer } of this.#tasks.values()) clearTimeout(timer);
    clearTimeout(this.#idle);
    this.#tasks.clear();
    void this.#thread.terminate();
    this.#options.onEnd(reason, unanswered, cause);
  }

  #limit(task: Task, timeout: number): NodeJS.Timeout {
    task.startedAt = performance.now();
    return setTimeout(() => this.end('timeout', task), timeout);
  }

  #receive(reply: WorkerReply): void {
    if (reply === 'ready') {
      this.#isReady = true;
      for (const running of this.#tasks.values()) {
        clearTimeout(running.timer);
        running.timer = this.#limit(running.task, running.task.timeout);
      }
      return;
    }
    const found = this.#tasks.get(reply.id);
    if (found === undefined) return;
    const { task, timer } = found;
    if ('progress' in reply) {
      const isExtended = performance.now() - task.startedAt < PROGRESS_FACTOR * task.timeout;
      if (isExtended) timer.refresh();
      task.onProgress?.(reply.progress);
      return;
    }
    clearTimeout(timer);
    this.#tasks.delete(reply.id);
    this.#answered += 1;
    this.#answeredAt = performance.now();
    if (this.isIdle) this.#rest();
    if ('failure' in reply) task.reject(new Error(reply.failure));
    else task.resolve(reply.answer);
    this.#options.onFree();
  }

  /** An idle worker does not keep the process alive, and after a while it gives its memory back. */
  #rest(): void {
    this.#thread.unref();
    this.#idle = setTimeout(() => this.end('closed'), IDLE_MS).unref();
  }
}
