import { Worker } from 'node:worker_threads';
import type { DocumentHeader } from '../formats/reader.ts';
import type { WorkerReply, WorkerRequest } from './messages.ts';
import type { FileVersion, PagePayload, ParseOptions, Sessions } from './sessions.ts';

/** Milliseconds without any sign of life after which a parse counts as stuck. */
const PATIENCE = 60_000;
/** The worker dies of a document that needs more; the server lives on. */
const HEAP_MB = 512;

/** The compiled worker beside this file. */
export const workerFile = new URL('./worker.js', import.meta.url);

interface Pending {
  resolve(answer: unknown): void;
  reject(error: Error): void;
  onProgress: ((share: number) => void) | undefined;
  timer: NodeJS.Timeout;
}

/** What each question is answered with. */
interface Answers {
  header: DocumentHeader;
  page: PagePayload;
  pageOfScope: number | undefined;
}
type Question<K extends keyof Answers> = Omit<Extract<WorkerRequest, { ask: K }>, 'id'>;

/** Parses in a worker thread, which starts with the first question and again after it died. */
export class RemoteSessions implements Sessions {
  readonly #pending = new Map<number, Pending>();
  #worker: Worker | undefined;
  #lastId = 0;

  header(file: FileVersion): Promise<DocumentHeader> {
    return this.#ask<'header'>({ ask: 'header', file });
  }

  page(file: FileVersion, index: number, { onProgress }: ParseOptions = {}): Promise<PagePayload> {
    return this.#ask<'page'>({ ask: 'page', file, index }, onProgress);
  }

  pageOfScope(file: FileVersion, scope: string): Promise<number | undefined> {
    return this.#ask<'pageOfScope'>({ ask: 'pageOfScope', file, scope });
  }

  async close(): Promise<void> {
    await this.#worker?.terminate();
  }

  #ask<K extends keyof Answers>(question: Question<K>, onProgress?: (share: number) => void): Promise<Answers[K]> {
    this.#lastId += 1;
    const request = { id: this.#lastId, ...question };
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => void this.#worker?.terminate(), PATIENCE);
      // The worker answers each question with what belongs to it.
      this.#pending.set(request.id, { resolve: answer => resolve(answer as Answers[K]), reject, onProgress, timer });
      this.#worker ??= this.#start();
      this.#worker.ref();
      this.#worker.postMessage(request);
    });
  }

  #start(): Worker {
    const worker = new Worker(workerFile, {
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
      stdout: true,
      stderr: true,
    });
    let reason = 'The file took too long to read';
    worker.on('message', (reply: WorkerReply) => this.#receive(reply));
    worker.on('error', error => {
      reason =
        'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
          ? 'The file needs too much memory'
          : 'The reader failed';
    });
    worker.on('exit', () => {
      if (this.#worker === worker) this.#worker = undefined;
      for (const [id, { reject }] of this.#pending) {
        this.#settle(id);
        reject(new Error(reason));
      }
    });
    return worker;
  }

  #receive(reply: WorkerReply): void {
    const pending = this.#pending.get(reply.id);
    if (pending === undefined) return;
    if ('progress' in reply) {
      pending.timer.refresh();
      pending.onProgress?.(reply.progress);
      return;
    }
    this.#settle(reply.id);
    if ('failure' in reply) pending.reject(new Error(reply.failure));
    else pending.resolve(reply.answer);
  }

  /** An idle worker does not keep the process alive. */
  #settle(id: number): void {
    clearTimeout(this.#pending.get(id)?.timer);
    this.#pending.delete(id);
    if (this.#pending.size === 0) this.#worker?.unref();
  }
}
