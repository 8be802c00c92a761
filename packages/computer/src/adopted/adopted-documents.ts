import { createHash } from 'node:crypto';
import { type Emitter, isObject, Limiter, type Logger, pause, within } from '@a2c-smcp/core';
import type { ByteDocument, ByteDocuments, DocumentBytes } from '@a2c-smcp/documents';
import {
  buildDpeUri,
  COMPUTER_TIMEOUT_MS,
  type CompleteMCPServerConfig,
  ConfigError,
  parseDpeUri,
  type Resource,
  SmcpError,
} from '@a2c-smcp/protocol';
import { ProtocolError, SdkError, SdkErrorCode, type ServerCapabilities } from '@modelcontextprotocol/client';
import type { McpEvents } from '../mcp/events.ts';
import type { RawResult, ResourceTemplate } from '../mcp/session/schemas.ts';
import type { ResourceSession } from '../mcp/session/session.ts';
import type { ReadOptions, ResourceList } from '../mcp/session/session-options.ts';
import type { Adopted } from '../mcp/supervisor/mcp-server-options.ts';
import { viewOf } from '../resources/view.ts';
import type { Problem, ResourceProblem } from '../warnings.ts';
import { adoptedHost, isShownBeside, type Publisher } from './adopted-host.ts';
import { matchesPattern } from './uri-pattern.ts';

/** Documents of one MCP server. */
const MAX_DOCUMENTS = 256;
/** Characters of the URI of a resource. */
const MAX_URI_LENGTH = 2048;
/** Milliseconds for which a resource counts as unchanged whose server does not announce updates of it. */
const FRESH_MS = 2000;
/** Resources that are read at a time. */
const CONCURRENT_LOADS = 4;
/** Milliseconds that a listing waits for all documents together, and each waits at least; and after which another begins. */
const LISTING_WAIT_MS = 3000;
const MIN_WAIT_MS = 50;
const LISTING_PAUSE_MS = 5000;
const CACHE_BYTES = 64 * 1024 * 1024;
/** No literal in `import`, so that a bundler does not put the readers into every program with a Computer. */
const READERS: string = '@a2c-smcp/documents';

const NONE: Problem = { code: 'adopted-none', message: "No readable resource matches a pattern of 'documents'" };
const TOO_MANY: Problem = {
  code: 'adopted-too-many',
  message: `Resources are left out: more than ${MAX_DOCUMENTS} match 'documents'`,
};

export interface AdoptedDocumentsOptions {
  /** With its placeholders filled. */
  config: CompleteMCPServerConfig;
  events: Emitter<McpEvents>;
  logger: Logger;
}

type AdoptionProblem = Omit<ResourceProblem, 'server'>;
type Documents = typeof import('@a2c-smcp/documents');

/** The resources of one session, and the documents that its configuration makes of some of them. */
export class AdoptedDocuments implements Adopted {
  readonly #server: string;
  readonly #host: string;
  readonly #patterns: readonly string[];
  readonly #inner: ResourceSession;
  readonly #windows: Adopted | undefined;
  readonly #publisher: Publisher;
  readonly #package: Documents;
  readonly #documents: ByteDocuments;
  readonly #events: Emitter<McpEvents>;
  readonly #logger: Logger;
  readonly #unsubscribe: () => void;
  /** By the URI of the resource, and by that of the document. */
  #adopted: ReadonlyMap<string, ByteDocument> = new Map();
  #byUri: ReadonlyMap<string, ByteDocument> = new Map();
  /** When listings stop to wait for documents, in milliseconds since 1970. */
  #deadline = 0;
  #isClosed = false;
  readonly #limiter = new Limiter(CONCURRENT_LOADS);
  #problems: readonly AdoptionProblem[] = [];
  /** The resources whose updates are announced. */
  #watched: ReadonlySet<string> = new Set();
  /** When each of the others was loaded, in milliseconds since 1970. */
  readonly #loadedAt = new Map<string, number>();

  private constructor(
    { config, events, logger }: AdoptedDocumentsOptions,
    documents: Documents,
    inner: ResourceSession,
    windows: Adopted | undefined,
  ) {
    const { name: server, documents: patterns = [] } = config;
    this.#server = server;
    this.#host = adoptedHost(server);
    this.#patterns = patterns;
    this.#inner = inner;
    this.#windows = windows;
    this.#publisher = { server, scheme: 'dpe', showsAll: config.require_subscribe === false, session: inner };
    this.#package = documents;
    this.#events = events;
    this.#logger = logger;
    this.#documents = new documents.ByteDocuments({
      host: this.#host,
      list: () => this.#list(),
      find: ref => this.#find(ref),
      load: document => this.#load(document),
      onChanged: ref => this.#reloaded(ref),
      cacheBytes: CACHE_BYTES,
    });
    this.#unsubscribe = events.on('resource-updated', ({ server: updated, uri }) => {
      if (updated === server) this.#updated(uri);
    });
  }

  /** Loads the readers. Throws a `ConfigError` if they are not installed. */
  static async prepare(
    options: AdoptedDocumentsOptions,
  ): Promise<(inner: ResourceSession, windows?: Adopted) => AdoptedDocuments> {
    const documents: Documents = await import(READERS).catch(cause => {
      const message = "the readers are not installed: run 'npm install @a2c-smcp/documents'";
      throw new ConfigError(`servers.${options.config.name}.documents`, message, { cause });
    });
    return (inner, windows) => new AdoptedDocuments(options, documents, inner, windows);
  }

  /** Updates of the documents are announced, whether those of the server are or not. */
  get capabilities(): ServerCapabilities {
    const { capabilities } = this.#inner;
    return { ...capabilities, resources: { listChanged: true, ...capabilities.resources, subscribe: true } };
  }

  /** Of the last list. */
  get problems(): readonly AdoptionProblem[] {
    return this.#problems;
  }

  start(): void {
    this.#windows?.start();
  }

  called(): void {
    this.#windows?.called();
    this.#loadedAt.clear();
  }

  async resources(): Promise<Resource[]> {
    const listed = await this.#inner.resources();
    const published = listed.filter(({ uri }) => isShownBeside(this.#publisher, uri));
    return [...this.#adopt(listed).map(document => this.#documents.resourceOf(document)), ...published];
  }

  /** They are on the first page, which they make longer. */
  async resourcePage(cursor?: string | null): Promise<ResourceList> {
    const isFirst = cursor === undefined || cursor === null;
    const documents = isFirst ? await this.#list() : [];
    const own = documents.map(document => this.#documents.resourceOf(document));
    if (!this.#inner.capabilities.resources) return { resources: own };
    const page = await this.#inner.resourcePage(cursor);
    return { ...page, resources: [...own, ...page.resources] };
  }

  async resourceTemplates(): Promise<ResourceTemplate[]> {
    const document = `dpe://${this.#host}/{doc_ref}`;
    return [
      { uriTemplate: `${document}/pages/{page_index}`, name: 'page' },
      { uriTemplate: `${document}/elements/{element_id}`, name: 'element' },
      // A server that has none may not know the request.
      ...(await this.#inner.resourceTemplates().catch(() => [])),
    ];
  }

  async readResource(uri: string, options: ReadOptions = {}): Promise<RawResult> {
    if (!uri.startsWith(`dpe://${this.#host}`)) return this.#inner.readResource(uri, options);
    const { timeout = COMPUTER_TIMEOUT_MS, isFresh = false } = options;
    const signal = AbortSignal.timeout(timeout);
    const listed = isFresh ? undefined : this.#byUri.get(uri);
    try {
      if (listed) return await this.#describe(uri, listed);
      if (isFresh) await within(this.#refresh(uri), { signal });
      return { contents: await within(this.#documents.read(uri, { signal }), { signal }) };
    } catch (error) {
      if (signal.aborted) throw new SdkError(SdkErrorCode.RequestTimeout, 'The document was not read in time');
      if (error instanceof SmcpError) throw new ProtocolError(error.code, error.message, error.details);
      throw error;
    }
  }

  async watchResources(uris: readonly string[]): Promise<ReadonlySet<string>> {
    const own = uris.filter(uri => this.#isOwn(uri));
    if (this.#inner.capabilities.resources?.subscribe !== true) return new Set(own);
    const others = uris.filter(uri => !this.#isOwn(uri));
    this.#watched = await this.#inner.watchResources([...others, ...this.#adopted.keys()]);
    return new Set([...own, ...this.#watched]);
  }

  close(): void {
    this.#isClosed = true;
    this.#unsubscribe();
    this.#windows?.close();
    this.#documents.close().catch(error => {
      this.#logger.warn('Adopted documents could not be closed', { mcp_server: this.#server, error });
    });
  }

  #isOwn(uri: string): boolean {
    return uri.startsWith(`dpe://${this.#host}/`);
  }

  async #list(): Promise<readonly ByteDocument[]> {
    return this.#adopt(await this.#inner.resources());
  }

  async #find(ref: string): Promise<ByteDocument | undefined> {
    const isMeant = (document: ByteDocument) => document.ref === ref;
    return [...this.#adopted.values()].find(isMeant) ?? (await this.#list()).find(isMeant);
  }

  /** The resources that match, and those that a pattern names exactly: they need not be listed. */
  #adopt(listed: readonly Resource[]): readonly ByteDocument[] {
    const found = new Map<string, Resource>();
    const problems: AdoptionProblem[] = [];
    for (const pattern of this.#patterns) {
      const listedSo = listed.filter(({ uri }) => uri.length <= MAX_URI_LENGTH && matchesPattern(pattern, uri));
      const isExact = listedSo.length === 0 && !pattern.includes('*');
      const matching = isExact ? [{ uri: pattern, name: nameOf(pattern) }] : listedSo;
      const readable = matching.filter(resource => this.#isReadable(resource));
      if (readable.length === 0) problems.push({ ...NONE, uri: pattern });
      for (const resource of readable) found.set(resource.uri, resource);
    }
    if (found.size > MAX_DOCUMENTS) problems.push({ ...TOO_MANY, fields: { matching: found.size } });
    const documents = [...found.values()].slice(0, MAX_DOCUMENTS).map(describe);
    this.#adopted = new Map(documents.map(document => [document.fileUri, document]));
    this.#byUri = new Map(documents.map(document => [this.#uriOf(document), document]));
    this.#problems = problems;
    return documents;
  }

  /** Those with a scheme of this protocol are shown as what they are, and pictures and sounds are not documents. */
  #isReadable({ uri, mimeType }: Resource): boolean {
    if (viewOf(uri) !== undefined) return false;
    if (typeof mimeType !== 'string') return true;
    return !mimeType.startsWith('image/') && this.#package.typeOfBytes(nameOf(uri), mimeType) !== undefined;
  }

  #uriOf({ ref: docRef }: ByteDocument): string {
    return buildDpeUri({ host: this.#host, docRef });
  }

  /** Level 1 for a listing. A document that takes long is listed without its pages, and announced when they are counted. */
  async #describe(uri: string, document: ByteDocument): Promise<RawResult> {
    const now = Date.now();
    // One deadline for all documents of a listing, which waits for all of them.
    if (now > this.#deadline + LISTING_PAUSE_MS) this.#deadline = now + LISTING_WAIT_MS;
    const reading = this.#documents.read(uri);
    const contents = await Promise.race([reading, pause(Math.max(this.#deadline - now, MIN_WAIT_MS))]);
    if (contents) return { contents };
    reading.then(
      () => this.#announce(document),
      () => {},
    );
    const text = JSON.stringify(this.#documents.preliminary(document));
    return { contents: [{ uri, mimeType: 'application/json', text }] };
  }

  async #load({ fileUri: uri }: ByteDocument): Promise<DocumentBytes> {
    this.#loadedAt.set(uri, Date.now());
    const read = () => this.#inner.readResource(uri, { timeout: COMPUTER_TIMEOUT_MS });
    const { contents } = await this.#limiter.run(read);
    const parts = Array.isArray(contents) ? contents.filter(isObject) : [];
    const texts = parts.filter(({ text }) => typeof text === 'string');
    const [first] = texts.length > 0 ? texts : parts.filter(({ blob }) => typeof blob === 'string');
    if (!first) throw new Error(`MCP server '${this.#server}' answered no contents for '${uri}'`);
    const mimeType = typeof first.mimeType === 'string' ? { mimeType: first.mimeType } : {};
    const bytes =
      texts.length > 0
        ? Buffer.from(texts.map(({ text }) => text).join('\n\n'))
        : Buffer.from(String(first.blob), 'base64');
    return { bytes, isText: texts.length > 0, ...mimeType };
  }

  #updated(uri: string | undefined): void {
    if (uri === undefined) this.#documents.forget();
    const document = this.#adopted.get(uri ?? '');
    if (!document) return;
    this.#documents.forget(document.ref);
    this.#announce(document);
  }

  /** A changed resource was found by reading it again. */
  #reloaded(ref: string): void {
    const document = [...this.#adopted.values()].find(candidate => candidate.ref === ref);
    if (document && !this.#watched.has(document.fileUri)) this.#announce(document);
  }

  #announce(document: ByteDocument): void {
    if (!this.#isClosed) this.#events.emit('resource-updated', { server: this.#server, uri: this.#uriOf(document) });
  }

  /** Has a document loaded again that may have changed without a word of its server. */
  async #refresh(uri: string): Promise<void> {
    const { docRef = '' } = parseDpeUri(uri);
    const document = await this.#find(docRef);
    if (!document || this.#watched.has(document.fileUri)) return;
    const loadedAt = this.#loadedAt.get(document.fileUri) ?? 0;
    if (Date.now() - loadedAt > FRESH_MS) this.#documents.forget(document.ref);
  }
}

/** A resource as a document, under a reference that stays the same as long as its URI does. */
function describe({ uri, title, description, mimeType, size, annotations }: Resource): ByteDocument {
  const fileName = nameOf(uri);
  const sum = createHash('sha256').update(uri).digest('hex').slice(0, 10);
  const readable = fileName.replaceAll(/[^\p{L}\p{N}._-]+/gu, '-').slice(-60);
  const lastModified = isObject(annotations) ? annotations.lastModified : undefined;
  return {
    ref: `${readable}-${sum}`,
    fileName,
    fileUri: uri,
    ...(typeof title === 'string' && { title }),
    ...(typeof description === 'string' && { summary: description }),
    ...(typeof lastModified === 'string' && { modified: lastModified }),
    ...(typeof mimeType === 'string' && { mimeType }),
    ...(typeof size === 'number' && { size }),
  };
}

/** The last part of a URI that has a name in it. */
function nameOf(uri: string): string {
  const [address = ''] = uri.split(/[?#]/, 1);
  const name = address.split('/').findLast(part => part !== '') ?? uri;
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
