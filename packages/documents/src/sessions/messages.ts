import type { DocumentHeader } from '../formats/reader.ts';
import type { FileVersion, PagePayload } from './sessions.ts';

/** A question about one file. */
export type Question = { file: FileVersion } /** What the header of the file tells, at a bounded price. */ & (
  | { ask: 'header' }
  /** What opening the file tells. */
  | { ask: 'opened' }
  | { ask: 'page'; index: number }
  | { ask: 'pageOfScope'; scope: string }
);

/** A question on its way to a worker. */
export type WorkerRequest = { id: number; question: Question };

/** The messages of a worker: that it has started; then, for each request, any number of progress messages and an end. */
export type WorkerReply =
  | 'ready'
  | { id: number; progress: number }
  | { id: number; answer: DocumentHeader | PagePayload | number | undefined }
  | { id: number; failure: string };
