import type { DocumentHeader } from '../formats/reader.ts';
import type { FileVersion, PagePayload } from './sessions.ts';

/** What the main thread asks of the worker. */
export type WorkerRequest = { id: number; file: FileVersion } & (
  | { ask: 'header' }
  | { ask: 'page'; index: number }
  | { ask: 'pageOfScope'; scope: string }
);

/** What the worker answers, progress first. */
export type WorkerReply =
  | { id: number; progress: number }
  | { id: number; answer: DocumentHeader | PagePayload | number | undefined }
  | { id: number; failure: string };
