import { Worker } from 'node:worker_threads';
import { PendingCalls } from '@a2c-smcp/core';
import type { SearchIndex } from './search-index.ts';

/** The methods of the index that other threads may call. */
type Method = 'files' | 'remove' | 'add' | 'search' | 'close';

export interface IndexRequest {
  id: number;
  method: Method;
  args: unknown[];
}

type Reply = { id: number; answer: unknown } | { id: number; failure: string };

/** The compiled worker beside this file. */
const workerFile = new URL('./index-worker.js', import.meta.url);

interface PendingCall {
  resolve: (answer: unknown) => void;
  reject: (error: Error) => void;
}

/** The search index in a thread of its own. */
export class IndexThread {
  readonly #thread: Worker;
  readonly #pending = new PendingCalls<PendingCall>();
  #end: Error | undefined;

  constructor(path: string | undefined) {
    this.#thread = new Worker(workerFile, { workerData: { path } });
    this.#thread.unref();
    this.#thread.on('message', (reply: Reply) => {
      const call = this.#pending.take(reply.id);
      if (this.#pending.size === 0) this.#thread.unref();
      if ('failure' in reply) call?.reject(new Error(reply.failure));
      else call?.resolve(reply.answer);
    });
    this.#thread.on('error', cause => this.#fail(new Error(`The search index has ended: ${cause.message}`, { cause })));
    this.#thread.on('exit', () => this.#fail(new Error('The search index has ended')));
  }

  /** True if all calls from now on reject. */
  get hasEnded(): boolean {
    return this.#end !== undefined;
  }

  /** Calls a method of the index. Rejects if it throws or the thread has ended. */
  call<M extends Method>(method: M, ...args: Parameters<SearchIndex[M]>): Promise<ReturnType<SearchIndex[M]>> {
    // A thread that has ended drops messages without an answer.
    if (this.#end) return Promise.reject(this.#end);
    this.#thread.ref();
    return new Promise((resolve, reject) => {
      const id = this.#pending.add({ resolve: answer => resolve(answer as ReturnType<SearchIndex[M]>), reject });
      this.#thread.postMessage({ id, method, args } satisfies IndexRequest);
    });
  }

  /** Resolves when the thread is gone and the file is closed. */
  async close(): Promise<void> {
    await this.call('close').catch(() => {});
    await this.#thread.terminate();
  }

  #fail(error: Error): void {
    this.#end ??= error;
    for (const { reject } of this.#pending.takeAll()) reject(this.#end);
  }
}
