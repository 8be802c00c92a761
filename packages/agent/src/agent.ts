import { Emitter, given, guardLogger, type ListenOptions, type Logger, pause } from '@a2c-smcp/core';
import { Peer } from '@a2c-smcp/peer';
import type {
  CallToolResult,
  DPEDocument,
  DPEDocumentSummary,
  DPEElementDetail,
  DPEPage,
  GetComputerConfigRet,
  Resource,
  ResourceContents,
  SessionInfo,
  SMCPTool,
} from '@a2c-smcp/protocol';
import {
  documentUri,
  readDocumentBody,
  readElementBody,
  readPageBody,
  walkCatalogue,
  walkPages,
  withQuery,
} from './documents.ts';
import type { AgentEvents, ComputerView, FinderPage, Topic } from './office/events.ts';
import { followOffice } from './office/notifications.ts';
import { OfficeView } from './office/office-view.ts';
import { type ToolFound, waitForTool } from './office/wait-for-tool.ts';
import type {
  AgentOptions,
  DesktopOptions,
  FinderOptions,
  PageIndexOptions,
  PageOptions,
  ReadResourceOptions,
  ResourcesOptions,
  ToolCall,
  ToolWanted,
} from './options.ts';
import { type RequestOptions, Requests } from './requests.ts';
import { callTool, wholeSeconds } from './tool-call.ts';

const EVERYTHING: readonly Topic[] = ['tools', 'config', 'desktop', 'finder'];
/** Milliseconds that `connect` waits for the tools of the Computers it finds; slow ones follow later. */
const FIRST_LOOK = 2000;

/** The Agent of an office. It is joined when `connect` returns it, and comes back by itself when it is cut off. */
export class Agent implements AsyncDisposable {
  readonly #peer: Peer;
  readonly #requests: Requests;
  readonly #toolTimeout: number;
  readonly #logger: Logger;
  readonly #events: Emitter<AgentEvents>;
  readonly #topics: ReadonlySet<Topic>;
  readonly #view: OfficeView;

  private constructor(peer: Peer, options: AgentOptions) {
    const { timeout = 35_000, toolTimeout = 60_000, autoRefresh = EVERYTHING } = options;
    const logger = guardLogger(options.logger);
    this.#peer = peer;
    this.#requests = new Requests(peer, timeout);
    this.#toolTimeout = toolTimeout;
    this.#logger = logger;
    this.#events = new Emitter({ logger });
    this.#topics = new Set(autoRefresh);
    const fetch = (computer: string, topic: Topic, signal: AbortSignal) => this.#fetch(computer, topic, signal);
    this.#view = new OfficeView({ fetch, events: this.#events, topics: this.#topics, logger });
    followOffice(peer.channel, this.#view, logger);
    peer.on('connection', state => {
      if (state.type === 'lost') this.#view.lose();
      if (state.type === 'joined') void this.#look();
      if (state.type === 'closed') this.#view.close();
      this.#events.emit('connection', state);
    });
  }

  /**
   * Connects and joins, or throws an `SmcpError` that says what to do: 4101 the office has an agent, 401 wrong
   * credentials, 4008 another protocol version, 408 no Server there.
   */
  static async connect(url: string, options: AgentOptions): Promise<Agent> {
    const peer = await Peer.join(url, { ...options, timeout: options.connectTimeout, role: 'agent' });
    const agent = new Agent(peer, options);
    const enough = new AbortController();
    await Promise.race([agent.#look(), pause(FIRST_LOOK, enough.signal)]);
    enough.abort();
    return agent;
  }

  get name(): string {
    return this.#peer.name;
  }

  get office(): string {
    return this.#peer.office;
  }

  /** Whether the Server counts this Agent as a member of its office right now. */
  get joined(): boolean {
    return this.#peer.joined;
  }

  /** The Computers of the office and their tools, kept current by notifications. */
  get computers(): ReadonlyMap<string, ComputerView> {
    return this.#view.computers;
  }

  /** Follows what happens in the office. Returns a function that stops it, as firing `signal` does. */
  on<K extends keyof AgentEvents>(
    event: K,
    listener: (payload: AgentEvents[K]) => void,
    options?: ListenOptions,
  ): () => void {
    return this.#events.on(event, listener, options);
  }

  /** Resolves when a Computer offers the tool, at once if one does already. Without `timeout` it waits for ever. */
  async waitFor(wanted: ToolWanted, options: RequestOptions = {}): Promise<ToolFound> {
    if (!this.#topics.has('tools')) throw new TypeError("waitFor needs 'tools' among the topics of 'autoRefresh'");
    return waitForTool(this.#view, this.#events, wanted, options);
  }

  /** Everybody in the office, this Agent included. */
  async members(options?: RequestOptions): Promise<SessionInfo[]> {
    const { sessions } = await this.#requests.send('server:list_room', { office_id: this.office }, options);
    return sessions;
  }

  async getTools(computer: string, options?: RequestOptions): Promise<SMCPTool[]> {
    const { tools } = await this.#requests.send('client:get_tools', { computer }, options);
    return tools;
  }

  /**
   * Runs a tool. A tool that fails, is cancelled through `signal` or runs out of time is a result with
   * `isError: true`; `isCancelled` and `isTimedOut` tell which.
   */
  async callTool({ computer, tool, params = {} }: ToolCall, options: RequestOptions = {}): Promise<CallToolResult> {
    const { timeout = this.#toolTimeout, signal } = options;
    return callTool(this.#peer, { computer, tool_name: tool, params }, { timeout, signal });
  }

  /** The Computer's configuration, with its secrets as placeholders. */
  async getConfig(computer: string, options?: RequestOptions): Promise<GetComputerConfigRet> {
    return this.#requests.send('client:get_config', { computer }, options);
  }

  /** The windows of a Computer as text, the most important first. */
  async getDesktop(computer: string, { size, window, maxChars, ...options }: DesktopOptions = {}): Promise<string[]> {
    const subject = { computer, desktop_size: size, window, max_chars: maxChars };
    const { desktops = [] } = await this.#requests.send('client:get_desktop', subject, options);
    return desktops;
  }

  /** One page of a Computer's catalogue of documents. */
  async getFinder(computer: string, finder: FinderOptions = {}): Promise<FinderPage> {
    const { keywords, fileType, offset, limit, ...options } = finder;
    const subject = { computer, keywords: keywords && [...keywords], file_type: fileType, offset, limit };
    const { documents = [], total_count } = await this.#requests.send('client:get_finder', subject, options);
    return { documents, totalCount: total_count ?? documents.length };
  }

  /** All documents of a Computer that match, fetched as they are needed. `limit` is the number fetched at a time. */
  documents(computer: string, { offset = 0, ...finder }: FinderOptions = {}): AsyncGenerator<DPEDocumentSummary> {
    return walkCatalogue(from => this.getFinder(computer, { limit: 100, ...given(finder), offset: offset + from }));
  }

  /** What is known of a document as a whole. */
  async readDocument(computer: string, uri: string, options?: RequestOptions): Promise<DPEDocument> {
    const address = documentUri(uri);
    return readDocumentBody(await this.#readDpe(computer, address, options), address);
  }

  /** A document with a part of its index of pages. */
  async readPages(computer: string, uri: string, index: PageIndexOptions = {}): Promise<DPEDocument> {
    const { offset = 0, limit = 20, ...options } = index;
    const address = withQuery(documentUri(uri), { depth: 'pages', offset, limit });
    return readDocumentBody(await this.#readDpe(computer, address, options), address);
  }

  /** One page of a document with its elements. Pages are counted from 0. */
  async readPage(computer: string, uri: string, page: number, view: PageOptions = {}): Promise<DPEPage> {
    const { format = 'json', categories, ...options } = view;
    const address = withQuery(`${documentUri(uri)}/pages/${page}`, { format, categories: categories?.join(',') });
    return readPageBody(await this.#readDpe(computer, address, options), address, format);
  }

  /** One element of a document in full. */
  async readElement(
    computer: string,
    uri: string,
    element: string,
    options?: RequestOptions,
  ): Promise<DPEElementDetail> {
    const address = withQuery(`${documentUri(uri)}/elements/${encodeURIComponent(element)}`, {});
    return readElementBody(await this.#readDpe(computer, address, options), address);
  }

  /** All pages of a document in order. While one is looked at, the next is on its way. */
  async *pages(computer: string, uri: string, view: PageOptions = {}): AsyncGenerator<DPEPage> {
    const { timeout, signal } = view;
    const { page_count } = await this.readDocument(computer, uri, { timeout, signal });
    yield* walkPages(page_count, (page, stop) =>
      this.readPage(computer, uri, page, { ...view, signal: signal ? AbortSignal.any([signal, stop]) : stop }),
    );
  }

  /** One page of what an MCP server lists, as it lists it. */
  async getResources(
    computer: string,
    { server, cursor, ...options }: ResourcesOptions,
  ): Promise<{ resources: Resource[]; nextCursor?: string }> {
    const subject = { computer, mcp_server: server, cursor };
    const { resources, next_cursor } = await this.#requests.send('client:get_resources', subject, options);
    return { resources, nextCursor: next_cursor ?? undefined };
  }

  /** Reads a resource of any scheme. */
  async readResource(
    computer: string,
    uri: string,
    { server, ...options }: ReadResourceOptions = {},
  ): Promise<ResourceContents[]> {
    const subject = { computer, uri, mcp_server: server, ...wireTimeout(options) };
    const { contents } = await this.#requests.send('client:read_resource', subject, options);
    return contents;
  }

  /** Leaves the office and disconnects. */
  async close(): Promise<void> {
    await this.#peer.leave();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #readDpe(computer: string, uri: string, options: RequestOptions = {}): Promise<ResourceContents[]> {
    const subject = { computer, uri, ...wireTimeout(options) };
    const { contents } = await this.#requests.send('client:get_dpe', subject, options);
    return contents;
  }

  async #look(): Promise<void> {
    try {
      await this.#view.sync(async () => {
        const members = await this.members();
        return members.flatMap(({ role, name }) => (role === 'computer' && name ? [name] : []));
      });
    } catch (error) {
      this.#logger.warn('The office could not be listed', { office: this.office, error });
      // When the connection was lost meanwhile, being back looks again.
      if (this.joined) this.#view.doWithoutList();
    }
  }

  async #fetch(computer: string, topic: Topic, signal: AbortSignal): Promise<Partial<ComputerView>> {
    if (topic === 'tools') return { tools: await this.getTools(computer, { signal }) };
    if (topic === 'config') return { config: await this.getConfig(computer, { signal }) };
    if (topic === 'desktop') return { desktop: await this.getDesktop(computer, { signal }) };
    return { finder: await this.getFinder(computer, { signal }) };
  }
}

/** The wire's limit, in seconds, where the caller set one. */
function wireTimeout({ timeout }: RequestOptions): { timeout?: number } {
  return timeout === undefined ? {} : { timeout: wholeSeconds(timeout) };
}
