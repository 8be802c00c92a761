import { type DPEDocumentSummary, ErrorCode, SmcpError } from '@a2c-smcp/agent';
import { clip, Limiter, type Logger } from '@a2c-smcp/core';
import {
  ProtocolError,
  ProtocolErrorCode,
  type Resource,
  ResourceNotFoundError,
  type ResourceTemplateType,
  type TextResourceContents,
} from '@modelcontextprotocol/server';
import { sizeProblem } from '../message-size.ts';
import type { OfficeAccess } from '../office-access.ts';
import type { OfficeAgent } from '../office-agent.ts';
import { type Completion, completeVariable } from './complete.ts';
import { readDocumentText } from './document-text.ts';
import { desktopUri, type OfficeUri, officeUri, parseOfficeUri } from './office-uri.ts';
import { readWindow, type Window, windowsOf } from './windows.ts';

/** Resources in one answer. Some clients ask for the first page only. */
const PAGE_SIZE = 500;
/** The most that a Computer gives in one answer. */
const FINDER_PAGE_SIZE = 100;
const LIST_TIMEOUT_MS = 8000;
/** Characters in a list. Clients close the connection above 10 MiB. */
const MAX_TITLE_LENGTH = 500;
const MAX_SUMMARY_LENGTH = 2000;
/** Computers that are asked at the same time. */
const CONCURRENCY = 16;

/** Where the next page of a list begins: a document of a Computer. */
interface Cursor {
  computer: string;
  offset: number;
}

export interface ResourcePage {
  resources: Resource[];
  nextCursor?: string;
}

/** The windows and documents of an office as MCP resources. */
export class OfficeResources {
  readonly #access: OfficeAccess;
  readonly #logger: Logger;
  readonly #limiter = new Limiter(CONCURRENCY);

  constructor(access: OfficeAccess, logger: Logger) {
    this.#access = access;
    this.#logger = logger;
  }

  /** The Desktops and windows of all Computers, then their documents. A Computer that does not answer is left out. */
  async list(cursor: string | undefined, signal: AbortSignal): Promise<ResourcePage> {
    const start = parseCursor(cursor);
    const agent = await this.#access.agent().catch(() => undefined);
    if (!agent) return { resources: [] };
    const computers = this.#access.computers(agent);
    const resources = start ? [] : await this.#windows(agent, computers, signal);
    for (const computer of computers.filter(name => !start || name >= start.computer)) {
      for (let offset = computer === start?.computer ? start.offset : 0; ; ) {
        if (resources.length >= PAGE_SIZE) return { resources, nextCursor: formatCursor({ computer, offset }) };
        const page = await this.#documents(agent, { computer, offset }, signal);
        resources.push(...page.resources);
        offset += page.resources.length;
        if (page.resources.length === 0 || offset >= page.total) break;
      }
    }
    return { resources };
  }

  async read(uri: string, signal: AbortSignal): Promise<TextResourceContents[]> {
    const named = parseOfficeUri(uri);
    if (!named) throw new ResourceNotFoundError(uri);
    try {
      const contents = await this.#access.request(agent => this.#read(agent, uri, named, signal));
      const problem = sizeProblem(contents);
      if (problem !== undefined) throw new SmcpError(ErrorCode.TooLarge, problem);
      return contents;
    } catch (error) {
      if (signal.aborted || !(error instanceof SmcpError)) throw error;
      throw isMissing(error) ? new ResourceNotFoundError(uri, error.message) : protocolError(error);
    }
  }

  get templates(): ResourceTemplateType[] {
    return TEMPLATES;
  }

  /** Values for a variable of a template; none while the office cannot be used. */
  async complete(argument: { name: string; value: string }, known: Record<string, string>): Promise<Completion> {
    try {
      return await completeVariable(this.#access, argument, known);
    } catch (error) {
      this.#logger.debug('A variable could not be completed', { error });
      return { values: [], total: 0, hasMore: false };
    }
  }

  async #read(agent: OfficeAgent, uri: string, named: OfficeUri, signal: AbortSignal): Promise<TextResourceContents[]> {
    const computer = this.#access.computer(agent, named.computer);
    if (named.kind === 'document') {
      return [{ uri, ...(await readDocumentText(agent, { computer, uri: named.uri, signal })) }];
    }
    const text =
      named.kind === 'window'
        ? await readWindow(agent, { computer, uri: named.uri, signal })
        : (await agent.getDesktop(computer, { signal })).join('\n\n');
    return [{ uri, mimeType: 'text/plain', text }];
  }

  async #windows(agent: OfficeAgent, computers: readonly string[], signal: AbortSignal): Promise<Resource[]> {
    const lists = computers.map(async computer => {
      const windows = await this.#limiter.run(() => this.#windowsOf(agent, computer, signal));
      return [desktopResource(computer), ...windows.map(window => windowResource(computer, window))];
    });
    return (await Promise.all(lists)).flat();
  }

  async #windowsOf(agent: OfficeAgent, computer: string, signal: AbortSignal): Promise<Window[]> {
    try {
      return await windowsOf(agent, computer, { signal, timeout: LIST_TIMEOUT_MS });
    } catch (error) {
      signal.throwIfAborted();
      this.#logger.warn('The windows of a Computer could not be listed', { computer, error });
      return [];
    }
  }

  async #documents(
    agent: OfficeAgent,
    { computer, offset }: Cursor,
    signal: AbortSignal,
  ): Promise<{ resources: Resource[]; total: number }> {
    try {
      const finder = { offset, limit: FINDER_PAGE_SIZE, signal, timeout: LIST_TIMEOUT_MS };
      const { documents, totalCount } = await agent.getFinder(computer, finder);
      return { resources: documents.map(document => documentResource(computer, document)), total: totalCount };
    } catch (error) {
      signal.throwIfAborted();
      this.#logger.warn('The documents of a Computer could not be listed', { computer, error });
      return { resources: [], total: 0 };
    }
  }
}

function desktopResource(computer: string): Resource {
  return {
    uri: desktopUri(computer),
    name: `${computer}: desktop`,
    description: `All windows of computer '${computer}'`,
    mimeType: 'text/plain',
    _meta: { 'a2c/computer': computer },
  };
}

function windowResource(computer: string, { uri }: Window): Resource {
  return {
    uri: officeUri(computer, uri),
    name: `${computer}: ${uri.slice('window://'.length)}`,
    mimeType: 'text/plain',
    _meta: { 'a2c/computer': computer, 'a2c/uri': uri },
  };
}

function documentResource(computer: string, { uri, title, summary, last_modified }: DPEDocumentSummary): Resource {
  const lastModified = toTime(last_modified);
  return {
    uri: officeUri(computer, uri),
    name: clip(title || uri, MAX_TITLE_LENGTH),
    ...(summary && { description: clip(summary, MAX_SUMMARY_LENGTH) }),
    mimeType: 'text/markdown',
    ...(lastModified && { annotations: { lastModified } }),
    _meta: { 'a2c/computer': computer, 'a2c/uri': uri },
  };
}

/** A time as MCP writes it; undefined for any other text, for which clients would drop the whole list. */
function toTime(text: string | undefined | null): string | undefined {
  const time = text && /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN;
  return time <= LAST_TIME ? new Date(time).toISOString() : undefined;
}

/** In milliseconds. Later years have more digits. */
const LAST_TIME = Date.UTC(9999, 11, 31);

const DOCUMENT = 'a2c://{computer}/dpe/{host}/{document}';
const TEMPLATES: ResourceTemplateType[] = [
  { name: 'desktop', uriTemplate: 'a2c://{computer}/desktop', description: 'All windows of a computer' },
  { name: 'document', uriTemplate: DOCUMENT, description: 'A document: its facts and the list of its pages' },
  { name: 'page', uriTemplate: `${DOCUMENT}/pages/{page}`, description: 'A page as Markdown; the first one is 0' },
  { name: 'element', uriTemplate: `${DOCUMENT}/elements/{element}`, description: 'An element of a page in full' },
];

function parseCursor(cursor: string | undefined): Cursor | undefined {
  if (cursor === undefined) return undefined;
  const [, offset = '', computer = ''] = /^(\d{1,9}) (.*)$/s.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  if (computer === '') throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Unknown cursor');
  return { computer, offset: Number(offset) };
}

function formatCursor({ computer, offset }: Cursor): string {
  return Buffer.from(`${offset} ${computer}`).toString('base64url');
}

const MISSING: readonly number[] = [
  ErrorCode.NotFound,
  ErrorCode.DocumentNotFound,
  ErrorCode.PageOutOfRange,
  ErrorCode.ElementNotFound,
  ErrorCode.InvalidDpeUri,
];

function isMissing({ code }: SmcpError): boolean {
  return MISSING.includes(code);
}

function protocolError({ code, message, details }: SmcpError): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InternalError, message, { ...details, code });
}
