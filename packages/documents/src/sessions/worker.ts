import { parentPort } from 'node:worker_threads';
import { LocalSessions } from './local.ts';
import type { WorkerReply, WorkerRequest } from './messages.ts';
import type { PagePayload } from './sessions.ts';

/** Progress is told this often, in milliseconds, not for every row. */
const PROGRESS_INTERVAL = 100;

const sessions = new LocalSessions();

parentPort?.on('message', async (request: WorkerRequest) => {
  const { id } = request;
  try {
    const answer = await handle(request);
    reply({ id, answer }, isPage(answer) ? buffersOf(answer) : []);
  } catch (error) {
    reply({ id, failure: error instanceof Error ? error.message : String(error) });
  }
});

function handle(request: WorkerRequest) {
  const { id, file } = request;
  if (request.ask === 'header') return sessions.header(file);
  if (request.ask === 'pageOfScope') return sessions.pageOfScope(file, request.scope);
  let told = performance.now();
  const onProgress = (progress: number) => {
    if (performance.now() - told < PROGRESS_INTERVAL) return;
    told = performance.now();
    reply({ id, progress });
  };
  return sessions.page(file, request.index, { onProgress });
}

function reply(message: WorkerReply, transfer: ArrayBuffer[] = []): void {
  parentPort?.postMessage(message, transfer);
}

function isPage(answer: unknown): answer is PagePayload {
  return typeof answer === 'object' && answer !== null && 'elements' in answer;
}

/** Buffers that own their memory can move; those that share a pool are copied. */
function buffersOf({ elements, portions }: PagePayload): ArrayBuffer[] {
  return [elements, ...portions.map(([, rows]) => rows)].flatMap(({ buffer, byteLength }) =>
    buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? [buffer] : [],
  );
}
