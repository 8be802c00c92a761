import { parentPort } from 'node:worker_threads';
import { readHeader } from '../formats/header.ts';
import { LocalSessions } from './local.ts';
import type { Question, WorkerReply, WorkerRequest } from './messages.ts';
import type { PagePayload } from './sessions.ts';

/** Progress is reported this often, in milliseconds, not for every row. */
const PROGRESS_INTERVAL_MS = 100;
/** Milliseconds that requests have left after a rejection that nothing handles. */
const LAST_MS = 1000;

const sessions = new LocalSessions();
const pending = new Set<number>();
let isBroken = false;

parentPort?.on('message', async ({ id, question }: WorkerRequest) => {
  pending.add(id);
  try {
    const answer = await handle(id, question);
    reply({ id, answer }, isPage(answer) ? buffersOf(answer) : []);
  } catch (error) {
    reply({ id, failure: error instanceof Error ? error.message : String(error) });
  }
  pending.delete(id);
  if (isBroken && pending.size === 0) endThread();
});

reply('ready');

// pdf.js leaves rejections of damaged files unhandled, often while the page itself can be read. The requests in flight may
// still finish; then the thread ends, because its libraries are in an unknown state.
process.on('unhandledRejection', () => {
  isBroken = true;
  setTimeout(endThread, pending.size === 0 ? 0 : LAST_MS);
});

function handle(id: number, question: Question) {
  const { file } = question;
  if (question.ask === 'header') return readHeader(file);
  if (question.ask === 'opened') return sessions.opened(file);
  if (question.ask === 'pageOfScope') return sessions.pageOfScope(file, question.scope);
  let reportedAt = performance.now();
  const onProgress = (progress: number) => {
    if (performance.now() - reportedAt < PROGRESS_INTERVAL_MS) return;
    reportedAt = performance.now();
    reply({ id, progress });
  };
  return sessions.page(file, question.index, { onProgress });
}

function reply(message: WorkerReply, transfer: ArrayBuffer[] = []): void {
  parentPort?.postMessage(message, transfer);
}

/** In a worker, this ends the thread and not the process. */
function endThread(): void {
  process.exit(1);
}

function isPage(answer: unknown): answer is PagePayload {
  return typeof answer === 'object' && answer !== null && 'elements' in answer;
}

/** Buffers that own their memory can move; those that share a pool are copied. */
function buffersOf({ elements, details }: PagePayload): ArrayBuffer[] {
  return [elements, ...details.map(([, json]) => json)].flatMap(({ buffer, byteLength }) =>
    buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? [buffer] : [],
  );
}
