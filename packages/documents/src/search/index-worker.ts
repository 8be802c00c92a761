import { parentPort, workerData } from 'node:worker_threads';
import type { IndexRequest } from './index-thread.ts';
import { SearchIndex } from './search-index.ts';

/** The thread of the search index: SQLite runs synchronously, and merging its segments takes a while now and then. */
const index = new SearchIndex(workerData.path);

parentPort?.on('message', ({ id, method, args }: IndexRequest) => {
  try {
    // The caller is typed; the name and the arguments belong together.
    const answer = (index[method] as (...values: unknown[]) => unknown).apply(index, args);
    parentPort?.postMessage({ id, answer });
  } catch (error) {
    parentPort?.postMessage({ id, failure: error instanceof Error ? error.message : String(error) });
  }
  if (method === 'close') parentPort?.close();
});
