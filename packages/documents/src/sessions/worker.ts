import { parentPort, workerData } from 'node:worker_threads';
import { recogniseAt } from '../ocr/recogniser-port.ts';
import { LocalSessions } from './local.ts';
import type { PagesPayload, Question, WorkerOptions, WorkerReply } from './sessions.ts';

/** Milliseconds between two progress messages. */
const PROGRESS_INTERVAL_MS = 100;
/** Milliseconds that the request in flight may take after an unhandled rejection. */
const BROKEN_GRACE_MS = 1000;

const { recogniser } = workerData as WorkerOptions;
const sessions = new LocalSessions(recogniser && recogniseAt(recogniser));
let isBusy = false;
let isBroken = false;

parentPort?.on('message', async (question: Question) => {
  isBusy = true;
  try {
    const answer = await handle(question);
    reply({ answer }, hasPages(answer) ? buffersOf(answer) : []);
  } catch (error) {
    reply({ failure: error instanceof Error ? error.message : String(error) });
  }
  isBusy = false;
  if (isBroken) endThread();
});

reply('ready');

// pdf.js leaves rejections of damaged files unhandled, often while the page itself can be read. The request in flight may
// still finish; then the thread ends, because its libraries are in an unknown state.
process.on('unhandledRejection', () => {
  isBroken = true;
  setTimeout(endThread, isBusy ? BROKEN_GRACE_MS : 0);
});

function handle(question: Question) {
  const { file } = question;
  if (question.ask === 'synopsis') return sessions.synopsis(file, question);
  if (question.ask === 'picture') return sessions.picture(file, question.part);
  if (question.ask === 'pageOfScope') return sessions.pageOfScope(file, question.scope);
  let reportedAt = performance.now();
  const onProgress = (progress: number) => {
    if (performance.now() - reportedAt < PROGRESS_INTERVAL_MS) return;
    reportedAt = performance.now();
    reply({ progress });
  };
  if (question.ask === 'texts') return sessions.texts(file, question.from, { onProgress });
  return sessions.page(file, question.index, { onProgress, aheadBytes: question.aheadBytes });
}

function reply(message: WorkerReply, transfer: ArrayBuffer[] = []): void {
  parentPort?.postMessage(message, transfer);
}

/** In a worker, this ends the thread and not the process. */
function endThread(): void {
  process.exit(1);
}

function hasPages(answer: Awaited<ReturnType<typeof handle>>): answer is PagesPayload {
  return typeof answer === 'object' && 'pages' in answer && answer.pages.every(page => 'elements' in page);
}

/** Buffers that own their memory can move; those that share a pool are copied. */
function buffersOf({ pages }: PagesPayload): ArrayBuffer[] {
  const all = pages.flatMap(({ elements, details }) => [elements, ...details.map(([, json]) => json)]);
  return all.flatMap(({ buffer, byteLength }) =>
    buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? [buffer] : [],
  );
}
