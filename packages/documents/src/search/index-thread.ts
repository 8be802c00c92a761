import { Worker } from 'node:worker_threads';
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

/** The search index in a thread of its own. */
export class IndexThread {
  readonly #thread: Worker;
  readonly #pending = new Map<number, { resolve: (answer: unknown) => void; reject: (error: Error) => void }>();
  #last = 0;

  constructor(path: string | undefined) {
    this.#thread = new Worker(workerFile, { workerData: { path } });
    this.#thread.unref();
    this.#thread.on('message', (reply: Reply) => {
      const pending = this.#pending.get(reply.id);
      this.#pending.delete(reply.id);
      if (this.#pending.size === 0) this.#thread.unref();
      if ('failure' in reply) pending?.reject(new Error(reply.failure));
      else pending?.resolve(reply.answer);
    });
    const fail = () => {
      for (const { reject } of this.#pending.values()) reject(new Error('The search index has ended'));
      this.#pending.clear();
    };
    this.#thread.on('error', fail);
    this.#thread.on('exit', fail);
  }

  /** Calls a method of the index. Rejects if it throws or the thread has ended. */
  call<M extends Method>(method: M, ...args: Parameters<SearchIndex[M]>): Promise<ReturnType<SearchIndex[M]>> {
    this.#last += 1;
    const id = this.#last;
    this.#thread.ref();
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve: answer => resolve(answer as ReturnType<SearchIndex[M]>), reject });
      this.#thread.postMessage({ id, method, args } satisfies IndexRequest);
    });
  }

  /** Resolves when the thread is gone and the file is closed. */
  async close(): Promise<void> {
    await this.call('close').catch(() => {});
    await this.#thread.terminate();
  }
}
