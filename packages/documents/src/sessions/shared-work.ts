import type { ParseOptions } from './sessions.ts';

interface Work<T> {
  result: Promise<T>;
  controller: AbortController;
  callers: Set<ParseOptions>;
}

/** Work that several callers want at the same time: it is done once, and given up when the last of them has. */
export class SharedWork<T> {
  readonly #running = new Map<string, Work<T>>();

  async do(key: string, options: ParseOptions, action: (shared: ParseOptions) => Promise<T>): Promise<T> {
    options.signal?.throwIfAborted();
    const work = this.#running.get(key) ?? this.#start(key, action);
    const caller = { ...options };
    work.callers.add(caller);
    return new Promise((resolve, reject) => {
      const leave = () => {
        work.callers.delete(caller);
        if (work.callers.size === 0) this.#abandon(key, work);
        reject(options.signal?.reason);
      };
      options.signal?.addEventListener('abort', leave, { once: true });
      work.result.then(resolve, reject).finally(() => options.signal?.removeEventListener('abort', leave));
    });
  }

  #start(key: string, action: (shared: ParseOptions) => Promise<T>): Work<T> {
    const controller = new AbortController();
    const callers = new Set<ParseOptions>();
    const onProgress = (share: number) => {
      for (const caller of callers) caller.onProgress?.(share);
    };
    const result = action({ signal: controller.signal, onProgress });
    const work = { result, controller, callers };
    this.#running.set(key, work);
    const finish = () => this.#forget(key, work);
    result.then(finish, finish);
    return work;
  }

  #abandon(key: string, work: Work<T>): void {
    this.#forget(key, work);
    work.controller.abort();
  }

  #forget(key: string, work: Work<T>): void {
    if (this.#running.get(key) === work) this.#running.delete(key);
  }
}
