import { existsSync } from 'node:fs';
import type { Picture } from '@a2c-smcp/publish';
import { type FileVersion, versionKey } from '../file.ts';
import type { Recogniser } from '../ocr/recogniser.ts';
import { ParsingWorker, Task, type WorkerEnd, workerFile } from './parsing-worker.ts';
import type {
  AheadOptions,
  PagesPayload,
  ParseOptions,
  Question,
  Sessions,
  SynopsisOptions,
  TextPayload,
} from './sessions.ts';

/** Workers for tasks that are not suspect. One more is for suspects. */
const WORKERS = 2;
/** Milliseconds that a task waits for a busy worker before another one is started. */
const GROW_MS = 30;
/** Milliseconds after which a task is slow: it is preempted when others wait, and ends soon after it is cancelled. */
const SLOW_MS = 250;
/**
 * Workers end when all are idle and the process has grown by this share of its memory limit: while thousands of files are
 * opened one after the other, their garbage would stay for long.
 */
const LARGE_SHARE = 0.25;
const MEMORY_INTERVAL_MS = 100;
/** Milliseconds for which a failed question gets the same answer without another attempt. */
const FAILURE_MS = 60_000;
const MAX_FAILURES = 1000;
/** Failed questions about a version of a file after which all questions about it fail. */
const FAILURES_OF_DOCUMENT = 2;

export interface PoolOptions {
  /** Milliseconds that reading may take without progress. With progress, it may take eight times as long. */
  timeout: number;
  /** Bytes that the process may grow by while it parses. Two thirds of it may be JavaScript objects of one worker. */
  memoryBytes: number;
  /** Reads the words in pictures. @default they are not read */
  recogniser?: Recogniser | undefined;
}

/** The answer to each kind of question. */
interface Answers {
  synopsis: PagesPayload;
  page: PagesPayload;
  pageOfScope: number | undefined;
  texts: TextPayload;
  picture: Picture | undefined;
}

/**
 * Parses in worker threads, which are started on demand. A document has one task in flight at a time. A task that is slow
 * while others wait is moved to the worker for suspects, so that a worker is soon free for the others. A task that takes
 * too long, takes too much memory or breaks its worker fails, and no other task does. A background task starts only while
 * nothing else is parsed.
 */
export class WorkerPool implements Sessions {
  readonly #options: PoolOptions;
  readonly #workers = new Set<ParsingWorker>();
  /** Includes terminated workers whose thread is not gone yet. */
  readonly #threads = new Set<ParsingWorker>();
  readonly #waiting = new Set<Task>();
  readonly #failures = new Failures();
  readonly #memory: MemoryWatch;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(options: PoolOptions) {
    if (!existsSync(workerFile)) throw new TypeError(`'${workerFile.pathname}' is missing; keep it beside the library`);
    this.#options = options;
    this.#memory = new MemoryWatch(growth => this.#limitMemory(growth));
  }

  synopsis(file: FileVersion, options: SynopsisOptions = {}): Promise<PagesPayload> {
    const { isBackground = false, aheadBytes, signal } = options;
    return this.#ask<'synopsis'>({ ask: 'synopsis', file, isBackground, aheadBytes }, { signal });
  }

  page(file: FileVersion, index: number, options?: ParseOptions & AheadOptions): Promise<PagesPayload> {
    return this.#ask<'page'>({ ask: 'page', file, index, aheadBytes: options?.aheadBytes }, options);
  }

  pageOfScope(file: FileVersion, scope: string): Promise<number | undefined> {
    return this.#ask<'pageOfScope'>({ ask: 'pageOfScope', file, scope });
  }

  texts(file: FileVersion, from: number): Promise<TextPayload> {
    return this.#ask<'texts'>({ ask: 'texts', file, from });
  }

  picture(file: FileVersion, part: string): Promise<Picture | undefined> {
    return this.#ask<'picture'>({ ask: 'picture', file, part });
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
    const task = new Task(question, this.#options.timeout, onProgress);
    const cancel = () => this.#cancel(task, signal?.reason);
    signal?.addEventListener('abort', cancel, { once: true });
    if (!this.#refuse(task)) {
      this.#waiting.add(task);
      this.#dispatch();
    }
    try {
      // The kind of the answer follows from the question.
      return (await task.answered) as Answers[K];
    } finally {
      signal?.removeEventListener('abort', cancel);
    }
  }

  /** Assigns waiting tasks to workers, background tasks last. */
  #dispatch(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const requested = [...this.#waiting].filter(({ isBackground }) => !isBackground);
    const background = [...this.#waiting].filter(({ isBackground }) => isBackground);
    let isFull = this.#isFull();
    for (const task of [...requested, ...background]) {
      // Thousands may wait: those without a chance are skipped cheaply.
      const worker = isFull && !task.isSuspect ? undefined : this.#workerFor(task);
      if (worker === undefined) continue;
      worker.run(task);
      this.#waiting.delete(task);
      isFull = this.#isFull();
    }
    this.#preemptSlow();
    const isUrgent = requested.some(task => this.#waiting.has(task));
    if (isUrgent) this.#timer ??= setTimeout(() => this.#dispatch(), GROW_MS);
    if (this.#busy().length > 0) this.#memory.start();
    else this.#releaseMemory(this.#memory.growth);
  }

  #workerFor(task: Task): ParsingWorker | undefined {
    const busy = this.#busy();
    if (task.isSuspect ? busy.some(runsSuspect) : this.#isFull()) return undefined;
    if (task.isBackground && !task.isSuspect && busy.length > 0) return undefined;
    if (busy.some(worker => worker.task?.document === task.document)) return undefined;
    const idle = [...this.#workers].filter(worker => worker.task === undefined);
    // A background task leaves the open documents of a worker to reads, as long as it may have another worker.
    const isPicky = task.isBackground && this.#workers.size < WORKERS;
    const isFit = ({ hasDocuments }: ParsingWorker) => !(isPicky && hasDocuments);
    const found = idle.find(worker => worker.hasOpen(task.document)) ?? idle.find(isFit);
    if (found !== undefined) return found;
    const hasWaited = performance.now() - task.requestedAt >= GROW_MS;
    return busy.length === 0 || hasWaited || task.isSuspect ? this.#start() : undefined;
  }

  #start(): ParsingWorker {
    const worker: ParsingWorker = new ParsingWorker({
      heapBytes: (this.#options.memoryBytes * 2) / 3,
      recogniser: this.#options.recogniser,
      onFree: () => this.#dispatch(),
      onEnd: (reason, unanswered, isCause) => {
        this.#workers.delete(worker);
        if (unanswered !== undefined) this.#settle(unanswered, reason, isCause);
        if (!this.#isClosed) this.#dispatch();
      },
    });
    this.#workers.add(worker);
    this.#threads.add(worker);
    void worker.exited.then(() => this.#threads.delete(worker));
    return worker;
  }

  /** Fails a task that ended its worker. Unless it was certainly the cause, it is retried once, alone in a worker. */
  #settle(task: Task, reason: WorkerEnd, isCause: boolean): void {
    if (reason === 'closed' || reason === 'cancelled') {
      task.reject(closedError());
      return;
    }
    const isPreempted = reason === 'preempted';
    if (isPreempted || (!isCause && !task.hasFailed)) {
      task.isSuspect ||= !isPreempted || !task.isBackground;
      task.hasFailed ||= !isPreempted;
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

  /** Frees a worker when a request waits and all are slow: one with a background task, or the one that loses least. */
  #preemptSlow(): void {
    const normal = this.#busy().filter(worker => !runsSuspect(worker));
    const isWaiting = ({ isSuspect, isBackground, requestedAt }: Task) =>
      !isSuspect && !isBackground && performance.now() - requestedAt >= GROW_MS;
    if (normal.length < WORKERS || ![...this.#waiting].some(isWaiting)) return;
    const slow = normal.filter(({ runningMs }) => runningMs >= SLOW_MS).toSorted((a, b) => a.runningMs - b.runningMs);
    (slow.find(({ task }) => task?.isBackground) ?? slow[0])?.end('preempted');
  }

  #limitMemory(growth: number): void {
    if (growth > this.#options.memoryBytes) this.#relieveMemory();
    else if (this.#busy().length === 0) {
      this.#releaseMemory(growth);
      this.#memory.stop();
    }
  }

  #releaseMemory(growth: number): void {
    if (growth <= this.#options.memoryBytes * LARGE_SHARE) return;
    this.#endIdle();
    this.#memory.stop();
  }

  /** Ends the worker that takes the memory if it is known, and otherwise all of them, to find it among the suspects. */
  #relieveMemory(): void {
    const busy = this.#busy();
    const culprit = busy.find(runsSuspect) ?? (busy.length === 1 ? busy[0] : undefined);
    if (culprit !== undefined) culprit.end('memory', true);
    else for (const worker of busy) worker.end('preempted');
    this.#endIdle();
  }

  /** Gives memory back, at the price of starting a worker for the next task. */
  #endIdle(): void {
    for (const worker of this.#workers) if (worker.task === undefined) worker.end('closed');
  }

  #cancel(task: Task, reason: unknown): void {
    task.reject(reason);
    if (this.#waiting.delete(task)) return;
    const timer = setTimeout(() => [...this.#workers].find(worker => worker.task === task)?.end('cancelled'), SLOW_MS);
    timer.unref();
  }

  #isFull(): boolean {
    return this.#busy().filter(worker => !runsSuspect(worker)).length >= WORKERS;
  }

  #busy(): ParsingWorker[] {
    return [...this.#workers].filter(({ task }) => task !== undefined);
  }

  #explain({ timeout }: Task, reason: WorkerEnd): string {
    if (reason === 'timeout') return `Reading it took longer than ${timeout / 1000} seconds and was given up`;
    if (reason === 'memory') return 'Reading it takes too much memory and was given up';
    return 'The file is damaged or uses something that is not understood';
  }
}

function runsSuspect({ task }: ParsingWorker): boolean {
  return task?.isSuspect ?? false;
}

function closedError(): Error {
  return new Error('The library was closed');
}

interface Failure {
  reason: string;
  expires: number;
}

/** Caches which questions ended a worker, so that a repeated question does not cost another worker and its time limit. */
export class Failures {
  readonly #questions = new Map<string, Failure>();
  readonly #documents = new Map<string, { keys: Set<string>; failure: Failure }>();

  find(question: Question): string | undefined {
    const document = this.#documents.get(versionKey(question.file));
    const isDocument = document !== undefined && document.keys.size >= FAILURES_OF_DOCUMENT;
    const failure = isDocument ? document.failure : this.#questions.get(keyOf(question));
    return failure !== undefined && failure.expires > Date.now() ? failure.reason : undefined;
  }

  add(question: Question, reason: string): void {
    const failure = { reason, expires: Date.now() + FAILURE_MS };
    const version = versionKey(question.file);
    const earlier = this.#documents.get(version);
    const keys = earlier !== undefined && earlier.failure.expires > Date.now() ? earlier.keys : new Set<string>();
    putLast(this.#questions, keyOf(question), failure);
    putLast(this.#documents, version, { keys: keys.add(keyOf(question)), failure });
  }
}

function keyOf(question: Question): string {
  const { file, ...rest } = question;
  return `${versionKey(file)}\n${JSON.stringify(rest)}`;
}

function putLast<V>(map: Map<string, V>, key: string, value: V): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > MAX_FAILURES && oldest !== undefined) map.delete(oldest);
}

/**
 * Measures the memory of the process while workers parse. The heap limit of a worker does not count buffers, and a worker
 * in a loop cannot count them itself.
 */
class MemoryWatch {
  readonly #onMeasured: (growth: number) => void;
  #timer: NodeJS.Timeout | undefined;
  #baseline = 0;
  #growth = 0;

  /** @param onMeasured called every 100 ms with the bytes by which the process has grown */
  constructor(onMeasured: (growth: number) => void) {
    this.#onMeasured = onMeasured;
  }

  /** Bytes by which the process has grown, as last measured. */
  get growth(): number {
    return this.#growth;
  }

  /** Starts measuring; no-op while it does. */
  start(): void {
    if (this.#timer !== undefined) return;
    this.#baseline = process.memoryUsage.rss();
    this.#timer = setInterval(() => this.#measure(), MEMORY_INTERVAL_MS).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#growth = 0;
  }

  #measure(): void {
    const size = process.memoryUsage.rss();
    this.#baseline = Math.min(this.#baseline, size);
    this.#growth = size - this.#baseline;
    this.#onMeasured(this.#growth);
  }
}
