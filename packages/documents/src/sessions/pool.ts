import { existsSync } from 'node:fs';
import type { DocumentHeader } from '../formats/reader.ts';
import { Failures } from './failures.ts';
import { MemoryWatch } from './memory-watch.ts';
import type { Question } from './messages.ts';
import { ParsingWorker, type WorkerEnd, workerFile } from './parsing-worker.ts';
import type { FileVersion, PagePayload, ParseOptions, Sessions } from './sessions.ts';
import { Task } from './task.ts';

/** Workers for tasks that nothing is known against. One more is for suspects. */
const WORKERS = 2;
/** Headers in flight in the one worker that reads them. */
const SHARED_TASKS = 32;
/** Milliseconds for a header, which takes a bounded time. */
const HEADER_TIMEOUT_MS = 3000;
/** Milliseconds after which headers that share a worker are read one by one, to find the one that is stuck. */
const STUCK_MS = 1000;
/** Milliseconds that a task waits for a busy worker before another one is started. */
const GROW_MS = 30;
/** Milliseconds after which a task is slow: it makes room when others wait, and ends soon after it is cancelled. */
const SLOW_MS = 250;
/** Workers end when all are idle and the process has grown by this share of what it may. */
const LARGE_SHARE = 0.25;

export interface PoolOptions {
  /** Milliseconds that reading may take without progress. With progress, it may take eight times as long. */
  timeout: number;
  /** Bytes that the process may grow by while it parses. Two thirds of it may be JavaScript objects of one worker. */
  memoryBytes: number;
}

/** The answer to each kind of question. */
interface Answers {
  header: DocumentHeader | undefined;
  opened: DocumentHeader;
  page: PagePayload;
  pageOfScope: number | undefined;
}

/**
 * Parses in worker threads, which are started when they are needed. A document has one task in flight at a time. A task
 * that is slow while others wait is moved to the worker for suspects, so a worker is soon free for the others; one that
 * takes too long, takes too much memory or breaks its worker fails, and no other task does.
 */
export class WorkerPool implements Sessions {
  readonly #options: PoolOptions;
  readonly #workers = new Set<ParsingWorker>();
  /** Also those that were terminated and are not gone yet. */
  readonly #threads = new Set<ParsingWorker>();
  readonly #waiting = new Set<Task>();
  readonly #failures = new Failures();
  readonly #memory: MemoryWatch;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(options: PoolOptions) {
    if (!existsSync(workerFile)) throw new TypeError(`'${workerFile.pathname}' is missing; keep it beside the library`);
    this.#options = options;
    this.#memory = new MemoryWatch(options.memoryBytes, () => this.#relieveMemory());
  }

  async header(file: FileVersion): Promise<DocumentHeader> {
    return (await this.#ask<'header'>({ ask: 'header', file })) ?? this.#ask<'opened'>({ ask: 'opened', file });
  }

  page(file: FileVersion, index: number, options?: ParseOptions): Promise<PagePayload> {
    return this.#ask<'page'>({ ask: 'page', file, index }, options);
  }

  pageOfScope(file: FileVersion, scope: string): Promise<number | undefined> {
    return this.#ask<'pageOfScope'>({ ask: 'pageOfScope', file, scope });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#memory.stop();
    for (const task of this.#waiting) task.reject(closedError());
    this.#waiting.clear();
    const threads = [...this.#threads];
    for (const worker of threads) worker.end('closed');
    await Promise.all(threads.map(({ exited }) => exited));
  }

  async #ask<K extends keyof Answers>(
    question: Extract<Question, { ask: K }>,
    { signal, onProgress }: ParseOptions = {},
  ): Promise<Answers[K]> {
    signal?.throwIfAborted();
    if (this.#isClosed) throw closedError();
    const timeout = question.ask === 'header' ? HEADER_TIMEOUT_MS : this.#options.timeout;
    const task = new Task(question, timeout, onProgress);
    const cancel = () => this.#cancel(task, signal?.reason);
    signal?.addEventListener('abort', cancel, { once: true });
    if (!this.#refuse(task)) {
      this.#waiting.add(task);
      this.#dispatch();
    }
    try {
      // A worker answers each question with what belongs to it.
      return (await task.answered) as Answers[K];
    } finally {
      signal?.removeEventListener('abort', cancel);
    }
  }

  /** Gives the waiting tasks to workers, as far as there are any for them. */
  #dispatch(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    let isFull = this.#isFull();
    for (const task of this.#waiting) {
      // Thousands may wait, so that only those are looked at for which there may be a worker.
      const worker = isFull && !task.isSuspect && !task.isShared ? undefined : this.#workerFor(task);
      if (worker === undefined) continue;
      worker.run(task);
      this.#waiting.delete(task);
      isFull = this.#isFull();
    }
    this.#makeRoom();
    const busy = this.#busy();
    const isUrgent = this.#waiting.size > 0 || busy.some(({ tasks }) => tasks.length > 1);
    if (isUrgent) this.#timer ??= setTimeout(() => this.#dispatch(), GROW_MS);
    if (busy.length > 0) this.#memory.start();
    else if (this.#memory.stop() > this.#options.memoryBytes * LARGE_SHARE) this.#endIdle();
  }

  /** Gives memory back, at the price of starting a worker for the next task. */
  #endIdle(): void {
    for (const worker of this.#workers) if (worker.isIdle) worker.end('closed');
  }

  #isFull(): boolean {
    return this.#busy().filter(worker => !runsSuspect(worker)).length >= WORKERS;
  }

  #busy(): ParsingWorker[] {
    return [...this.#workers].filter(({ isIdle }) => !isIdle);
  }

  #workerFor(task: Task): ParsingWorker | undefined {
    const busy = this.#busy();
    if (busy.some(({ tasks }) => tasks.some(({ document }) => document === task.document))) return undefined;
    const shared = busy.find(({ tasks, runningMs }) => runningMs < SLOW_MS && tasks.every(({ isShared }) => isShared));
    if (task.isShared && shared !== undefined) return shared.tasks.length < SHARED_TASKS ? shared : undefined;
    const suspects = busy.filter(runsSuspect).length;
    if (task.isSuspect ? suspects > 0 : busy.length - suspects >= WORKERS) return undefined;
    const idle = [...this.#workers].filter(({ isIdle }) => isIdle);
    const found = idle.find(worker => worker.hasOpen(task.document)) ?? idle[0];
    if (found !== undefined) return found;
    const hasWaited = performance.now() - task.askedAt >= GROW_MS;
    return busy.length === 0 || hasWaited || task.isSuspect ? this.#start() : undefined;
  }

  #start(): ParsingWorker {
    const worker: ParsingWorker = new ParsingWorker({
      heapBytes: (this.#options.memoryBytes * 2) / 3,
      onFree: () => {
        if (this.#waiting.size > 0 || worker.isIdle) this.#dispatch();
      },
      onEnd: (reason, unanswered, cause) => {
        this.#workers.delete(worker);
        const isAlone = unanswered.length === 1;
        for (const task of unanswered) this.#settle(task, reason, isAlone && (cause === task || worker.isFresh));
        if (!this.#isClosed) this.#dispatch();
      },
    });
    this.#workers.add(worker);
    this.#threads.add(worker);
    void worker.exited.then(() => this.#threads.delete(worker));
    return worker;
  }

  /**
   * Fails a task whose worker ended if it was certainly the cause, and lets it run again on its own otherwise: others
   * shared the worker, or earlier documents may have left it broken.
   */
  #settle(task: Task, reason: WorkerEnd, isCertain: boolean): void {
    if (reason === 'closed' || reason === 'cancelled') {
      task.reject(closedError());
      return;
    }
    if (reason === 'preempted' || (!isCertain && !task.hasFailed)) {
      task.isSuspect = true;
      task.hasFailed ||= reason !== 'preempted';
      this.#waiting.add(task);
      return;
    }
    this.#failures.add(task.question, this.#explain(task, reason));
    for (const failed of [task, ...this.#waiting]) this.#refuse(failed);
  }

  /** Rejects a task if it is known to fail. */
  #refuse(task: Task): boolean {
    const failure = this.#failures.find(task.question);
    if (failure === undefined) return false;
    this.#waiting.delete(task);
    task.reject(new Error(failure));
    return true;
  }

  /** Moves slow tasks out of the way of those that wait; of several the one that loses least. */
  #makeRoom(): void {
    const normal = this.#busy().filter(worker => !runsSuspect(worker));
    for (const worker of normal) if (worker.tasks.length > 1 && worker.runningMs >= STUCK_MS) worker.end('preempted');
    const isNeeded = [...this.#waiting].some(task => !task.isSuspect && performance.now() - task.askedAt >= GROW_MS);
    if (!isNeeded || normal.length < WORKERS) return;
    const slow = normal.filter(({ isIdle, runningMs }) => !isIdle && runningMs >= SLOW_MS);
    slow.toSorted((a, b) => a.runningMs - b.runningMs)[0]?.end('preempted');
  }

  /** Ends the worker that takes the memory if it is known, and otherwise all of them, to find it among the suspects. */
  #relieveMemory(): void {
    const busy = this.#busy();
    const suspect = busy.find(runsSuspect) ?? (busy.length === 1 ? busy[0] : undefined);
    if (suspect !== undefined) suspect.end('memory', suspect.tasks[0]);
    else for (const worker of busy) worker.end('preempted');
    this.#endIdle();
  }

  #cancel(task: Task, reason: unknown): void {
    task.reject(reason);
    if (this.#waiting.delete(task)) return;
    const timer = setTimeout(() => {
      const worker = [...this.#workers].find(({ tasks }) => tasks.includes(task));
      if (worker?.tasks.length === 1) worker.end('cancelled');
    }, SLOW_MS);
    timer.unref();
  }

  #explain({ timeout }: Task, reason: WorkerEnd): string {
    if (reason === 'timeout') return `Reading it took longer than ${timeout / 1000} seconds and was given up`;
    if (reason === 'memory') return 'Reading it takes too much memory and was given up';
    return 'The file is damaged or uses something that is not understood';
  }
}

function runsSuspect({ tasks }: ParsingWorker): boolean {
  return tasks.some(({ isSuspect }) => isSuspect);
}

function closedError(): Error {
  return new Error('The library was closed');
}
