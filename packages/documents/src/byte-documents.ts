import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { DPEDocument } from '@a2c-smcp/protocol';
import {
  type DocumentInfo,
  type DocumentSource,
  describeDocument,
  type OpenDocument,
  type RequestOptions,
  readContents,
  type SourcePage,
  toResource,
} from '@a2c-smcp/publish';
import { annotation, shorten } from '@a2c-smcp/publish/content';
import type { Resource } from '@modelcontextprotocol/server';
import type { FileVersion } from './file.ts';
import { typeOf, typeOfBytes } from './formats/formats.ts';
import type { Synopsis } from './formats/reader.ts';
import { openFile } from './open-file.ts';
import { DocumentStore, type StoreOptions } from './store.ts';

/** A document whose bytes another program has, such as a resource of an MCP server. */
export interface ByteDocument extends Pick<DocumentInfo, 'ref' | 'summary' | 'modified' | 'mimeType' | 'size'> {
  /** @default what the document says itself, or else its file name */
  title?: string | undefined;
  /** Its extension tells the type where the MIME type does not. */
  fileName: string;
  /** The URI of the original. */
  fileUri: string;
}

/** The bytes of a document. */
export interface DocumentBytes {
  bytes: Uint8Array;
  /** @default that of the document */
  mimeType?: string | undefined;
  /** True if they are UTF-8. */
  isText: boolean;
}

export interface ByteDocumentsOptions extends Omit<StoreOptions, 'onOpened' | 'recogniser'> {
  /** The host of all URIs. */
  host: string;
  /** All documents. */
  list: () => Promise<readonly ByteDocument[]>;
  find: (ref: string) => Promise<ByteDocument | undefined>;
  /** The bytes of a document as they are now. */
  load: (document: ByteDocument) => Promise<DocumentBytes>;
  /** Called when a document that was loaded again has other bytes than before. */
  onChanged?: ((ref: string) => void) | undefined;
  /** A document with more shows that instead of its pages. @default 32 MiB */
  maxBytes?: number | undefined;
}

const MAX_BYTES = 32 * 1024 * 1024;
/** Bytes of all documents that are held; the one that was not read for longest is loaded again when it is read next. */
const MAX_HELD_BYTES = 256 * 1024 * 1024;
const MAX_KEYWORDS = 50;
/** Loads for one read, of which each but the last was outdated before it ended. */
const MAX_ATTEMPTS = 3;

/** A document that was loaded: a file with its bytes, or why there is none. */
interface HeldDocument {
  /** Of its bytes. */
  sum: string;
  type: string;
  file?: FileVersion;
  problem?: string;
  /** Reads that use it; its file is not deleted before they end. */
  users: number;
  /** True if it must be loaded again before it is used. */
  isStale: boolean;
  isRemoved: boolean;
}

type ListedDocument = DocumentInfo & { document: ByteDocument };

/**
 * Documents made of bytes, which are loaded when they are read and parsed like files: in worker threads, with limits. They
 * are held in a private folder until `forget` says that they may have changed.
 */
export class ByteDocuments implements AsyncDisposable {
  readonly #options: ByteDocumentsOptions;
  readonly #maxBytes: number;
  readonly #store: DocumentStore;
  /** By reference, the one that was used last at the end. */
  readonly #held = new Map<string, HeldDocument>();
  /** By reference, so that concurrent reads load a document once. */
  readonly #loading = new Map<string, Promise<HeldDocument>>();
  #folder: Promise<string> | undefined;
  #files = 0;
  #isClosed = false;

  constructor(options: ByteDocumentsOptions) {
    const { maxBytes = MAX_BYTES, cacheBytes, parseTimeout, parseMemory } = options;
    this.#options = options;
    this.#maxBytes = maxBytes;
    this.#store = new DocumentStore({ cacheBytes, parseTimeout, parseMemory });
  }

  /** The contents of a `dpe://` URI of any level. Throws what `list` and `load` throw, and `SmcpError` with one of the Finder's codes. */
  async read(uri: string, options: RequestOptions = {}): ReturnType<typeof readContents> {
    const used: HeldDocument[] = [];
    const { list, find } = this.#options;
    const listed = (document: ByteDocument): ListedDocument => ({ ...describe(document), document });
    const source: DocumentSource<ListedDocument> = {
      list: async () => (await list()).map(listed),
      find: async ref => {
        const document = await find(ref);
        return document && listed(document);
      },
      open: async ({ document }) => {
        const held = await this.#hold(document);
        used.push(held);
        return this.#open(document, held);
      },
    };
    try {
      return await readContents(source, uri, { host: this.#options.host, ...options });
    } finally {
      for (const held of used) this.#release(held);
    }
  }

  /** A document as an MCP server lists it: its pages are counted when it is read. */
  resourceOf(document: ByteDocument): Resource {
    return toResource(describe(document), this.#options.host);
  }

  /** Level 1 of a document that was not read yet, with 0 pages. */
  preliminary(document: ByteDocument): DPEDocument {
    return describeDocument(describe(document), this.#options.host);
  }

  /** A document, or each of them without a reference, may have changed: it is loaded again when it is read next. */
  forget(ref?: string): void {
    for (const [known, held] of this.#held) if (known === (ref ?? known)) held.isStale = true;
    for (const known of this.#loading.keys()) if (known === (ref ?? known)) this.#loading.delete(known);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#store.close();
    const folder = await this.#folder?.catch(() => undefined);
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #open(document: ByteDocument, { type, file, problem = '' }: HeldDocument): OpenDocument | SourcePage[] {
    if (file) return openFile({ store: this.#store, file, describe: synopsis => describe(document, type, synopsis) });
    return [{ title: document.fileName, elements: [annotation(`This document cannot be read. ${problem}`)] }];
  }

  /** The document as it is now, until it is released. */
  async #hold(document: ByteDocument): Promise<HeldDocument> {
    const { ref } = document;
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const known = this.#held.get(ref);
      const held = known && !known.isStale ? known : await this.#loadOnce(document);
      // It may have changed or made room for others meanwhile.
      if (held.isRemoved) continue;
      held.users += 1;
      if (this.#held.delete(ref)) this.#held.set(ref, held);
      return held;
    }
    throw new Error(`The document '${ref}' changes faster than it can be read`);
  }

  #release(held: HeldDocument): void {
    held.users -= 1;
    if (held.isRemoved) this.#remove(held);
  }

  #loadOnce(document: ByteDocument): Promise<HeldDocument> {
    const { ref } = document;
    const pending = this.#loading.get(ref);
    if (pending) return pending;
    const loading = this.#load(document).then(held => {
      if (this.#loading.get(ref) === loading) this.#keep(ref, held);
      // Forgotten meanwhile, unless it is the one that is held.
      else if (this.#held.get(ref) !== held) this.#remove(held);
      return held;
    });
    this.#loading.set(ref, loading);
    const settle = () => this.#loading.get(ref) === loading && this.#loading.delete(ref);
    loading.then(settle, settle);
    return loading;
  }

  async #load(document: ByteDocument): Promise<HeldDocument> {
    const { size = 0, fileName } = document;
    if (size > this.#maxBytes) return without(tooLarge(size, this.#maxBytes));
    const { bytes, mimeType = document.mimeType, isText } = await this.#options.load(document);
    if (bytes.length > this.#maxBytes) return without(tooLarge(bytes.length, this.#maxBytes));
    const type = typeOfBytes(fileName, mimeType, isText);
    if (type === undefined) return without(`No reader knows its type${mimeType ? ` '${mimeType}'` : ''}`);
    const sum = createHash('sha256').update(type).update('\n').update(bytes).digest('hex');
    const known = this.#held.get(document.ref);
    if (known?.sum === sum && !known.isRemoved) return known;
    const file = await this.#write(bytes, type, document);
    return { sum, type, file, users: 0, isStale: false, isRemoved: false };
  }

  async #write(bytes: Uint8Array, type: string, { fileName, modified }: ByteDocument): Promise<FileVersion> {
    this.#folder ??= mkdtemp(join(tmpdir(), 'a2c-documents-')).then(folder => realpath(folder));
    const folder = await this.#folder;
    if (this.#isClosed) throw new Error('The documents are closed');
    const own = join(folder, String(++this.#files));
    await mkdir(own);
    const path = join(own, safeName(fileName, type));
    await writeFile(path, bytes, { mode: 0o600, flag: 'wx' });
    const time = new Date(modified ?? 0).getTime();
    return {
      path,
      folders: [folder],
      name: fileName.replace(/\.\w+$/, ''),
      type,
      size: bytes.length,
      modified: time || 0,
    };
  }

  #keep(ref: string, held: HeldDocument): void {
    const former = this.#held.get(ref);
    held.isStale = false;
    this.#held.delete(ref);
    this.#held.set(ref, held);
    this.#shrink();
    if (former === undefined || former === held) return;
    this.#remove(former);
    if (former.sum !== held.sum) this.#options.onChanged?.(ref);
  }

  #shrink(): void {
    let bytes = [...this.#held.values()].reduce((sum, { file }) => sum + (file?.size ?? 0), 0);
    for (const [ref, held] of this.#held) {
      if (bytes <= MAX_HELD_BYTES) return;
      if (held.users > 0) continue;
      this.#held.delete(ref);
      this.#remove(held);
      bytes -= held.file?.size ?? 0;
    }
  }

  #remove(held: HeldDocument): void {
    held.isRemoved = true;
    if (held.users === 0 && held.file) {
      void rm(dirname(held.file.path), { recursive: true, force: true }).catch(() => {});
    }
  }
}

/** A document that has no file. */
function without(problem: string): HeldDocument {
  return { sum: problem, type: '', problem, users: 0, isStale: false, isRemoved: false };
}

/** A name of a foreign file that is safe here: readers show it. */
function safeName(name: string, type: string): string {
  const safe = name.replaceAll(/[^\p{L}\p{N}._ -]/gu, '_').slice(-100);
  return typeOf(safe) === type ? safe : `${safe}.${type}`;
}

function tooLarge(size: number, maxBytes: number): string {
  const megabytes = (bytes: number) => (bytes / 1024 / 1024).toFixed(1);
  return `It has ${megabytes(size)} MiB, and at most ${megabytes(maxBytes)} MiB are read`;
}

/** The facts about a document: all but a synopsis before it is opened. */
function describe(document: ByteDocument, type?: string, synopsis?: Synopsis): DocumentInfo {
  const { ref, title, fileName, fileUri, summary, modified, mimeType, size } = document;
  const { keywords = [], problem } = synopsis ?? {};
  return {
    ref,
    title: title ?? synopsis?.title ?? fileName,
    type: type ?? typeOfBytes(fileName, mimeType) ?? '',
    fileUri,
    pageCount: synopsis?.pageCount,
    keywords: [...keywords.slice(0, MAX_KEYWORDS).map(keyword => shorten(keyword, 100)), shorten(fileUri, 300)],
    summary: problem === undefined ? (summary ?? synopsis?.summary) : synopsis?.summary,
    modified,
    mimeType,
    size,
  };
}
