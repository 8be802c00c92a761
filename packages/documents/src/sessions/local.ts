import type { IdentifiedElement, Page } from '../content/element.ts';
import { Identifier } from '../content/identify.ts';
import { annotation } from '../content/make.ts';
import { formatOf } from '../formats/formats.ts';
import { readHeader } from '../formats/header.ts';
import {
  type DocumentHeader,
  type OpenDocument,
  problemHeader,
  problemOf,
  UnreadableError,
} from '../formats/reader.ts';
import { toPayload } from './payload.ts';
import { type FileVersion, type PagePayload, type ParseOptions, type Sessions, versionKey } from './sessions.ts';

const MAX_OPEN = 4;

interface Session {
  document: Promise<OpenDocument & { problem?: string }>;
  /** Calls at work in it; it is not closed before they end. */
  users: number;
  retired: boolean;
}

/** Parses in the thread it lives in. The documents used last stay open, so that turning a page does not begin anew. */
export class LocalSessions implements Sessions {
  readonly #sessions = new Map<string, Session>();

  async header(file: FileVersion): Promise<DocumentHeader> {
    return (await readHeader(file)) ?? this.opened(file);
  }

  /** What opening the file tells. */
  async opened(file: FileVersion): Promise<DocumentHeader> {
    return this.#use(file, async document => headerOf(document));
  }

  async page(file: FileVersion, index: number, options?: ParseOptions): Promise<PagePayload> {
    return this.#use(file, async document => ({
      ...toPayload(await readPage(document, index, options)),
      document: headerOf(document),
    }));
  }

  async pageOfScope(file: FileVersion, scope: string): Promise<number | undefined> {
    return this.#use(file, async document => document.pageOfScope?.(scope));
  }

  async close(): Promise<void> {
    const keys = [...this.#sessions.keys()];
    await Promise.all(keys.map(key => this.#retire(key)));
  }

  async #use<T>(file: FileVersion, action: (document: OpenDocument & { problem?: string }) => Promise<T>): Promise<T> {
    const key = versionKey(file);
    const session = this.#sessions.get(key) ?? { document: openDocument(file), users: 0, retired: false };
    this.#sessions.delete(key);
    this.#sessions.set(key, session);
    session.users += 1;
    try {
      return await action(await session.document);
    } finally {
      session.users -= 1;
      if (session.retired) await closeWhenIdle(session);
      await this.#shrink();
    }
  }

  async #shrink(): Promise<void> {
    const [oldest] = this.#sessions.keys();
    if (this.#sessions.size > MAX_OPEN && oldest !== undefined) await this.#retire(oldest);
  }

  async #retire(key: string): Promise<void> {
    const session = this.#sessions.get(key);
    if (session === undefined) return;
    this.#sessions.delete(key);
    session.retired = true;
    await closeWhenIdle(session);
  }
}

function headerOf({ facts, pageCount, problem }: OpenDocument & { problem?: string }): DocumentHeader {
  return { ...facts, pageCount, ...(problem && { problem }) };
}

async function closeWhenIdle({ document, users }: Session): Promise<void> {
  if (users === 0) await (await document).close();
}

/** A file that cannot be read is a document all the same, with as many pages as its header promised; each says why. */
async function openDocument(file: FileVersion): Promise<OpenDocument & { problem?: string }> {
  try {
    const format = formatOf(file.type);
    if (format === undefined) throw new UnreadableError(`Files of type '${file.type}' are not supported`);
    const open = await format.load();
    return await open(file);
  } catch (error) {
    return unreadable(file.name, problemOf(error), (await readHeader(file))?.pageCount);
  }
}

async function readPage(
  document: OpenDocument,
  index: number,
  options?: ParseOptions,
): Promise<Page<IdentifiedElement>> {
  try {
    return await document.page(index, options);
  } catch (error) {
    return problemPage(`Page ${index + 1}`, problemOf(error));
  }
}

function unreadable(name: string, problem: string, promised?: number): OpenDocument & { problem: string } {
  const { pageCount, ...facts } = problemHeader(problem, promised);
  return { facts, pageCount, problem, page: async () => problemPage(name, problem), close: async () => {} };
}

function problemPage(title: string, problem: string): Page<IdentifiedElement> {
  return { title, elements: [new Identifier().identify(annotation(`This file cannot be read. ${problem}`))] };
}
