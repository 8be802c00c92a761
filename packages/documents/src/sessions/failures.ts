import type { Question } from './messages.ts';
import { versionKey } from './sessions.ts';

/** Milliseconds for which a failed question gets the same answer again without another attempt. */
const FAILURE_MS = 60_000;
const MAX_FAILURES = 1000;
/** After as many failed questions about a version of a file, all questions about it fail alike. */
const FAILURES_OF_DOCUMENT = 2;

interface Failure {
  reason: string;
  expires: number;
}

/** Caches which questions ended a worker, so that asking again does not cost another worker and its time limit. */
export class Failures {
  readonly #questions = new Map<string, Failure>();
  readonly #documents = new Map<string, { keys: Set<string>; failure: Failure }>();

  find(question: Question): string | undefined {
    const document = this.#documents.get(versionKey(question.file));
    const isDocument = document !== undefined && document.keys.size >= FAILURES_OF_DOCUMENT;
    const failure = isDocument ? document.failure : this.#questions.get(keyOf(question));
    return failure !== undefined && failure.expires > Date.now() ? failure.reason : undefined;
  }

  add(question: Question, reason: string): void {
    const failure = { reason, expires: Date.now() + FAILURE_MS };
    const version = versionKey(question.file);
    const earlier = this.#documents.get(version);
    const keys = earlier !== undefined && earlier.failure.expires > Date.now() ? earlier.keys : new Set<string>();
    putLast(this.#questions, keyOf(question), failure);
    putLast(this.#documents, version, { keys: keys.add(keyOf(question)), failure });
  }
}

function keyOf(question: Question): string {
  const detail = question.ask === 'page' ? question.index : question.ask === 'pageOfScope' ? question.scope : '';
  return `${versionKey(question.file)}\n${question.ask}\n${detail}`;
}

function putLast<V>(map: Map<string, V>, key: string, value: V): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > MAX_FAILURES && oldest !== undefined) map.delete(oldest);
}
