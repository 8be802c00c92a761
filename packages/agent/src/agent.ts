import { Emitter, given, guardLogger, Limiter, type ListenOptions, type Logger, within } from '@a2c-smcp/core';
import { Peer } from '@a2c-smcp/peer';
import {
  type A2CSkillRef,
  AGENT_TIMEOUT_MS,
  type CallToolResult,
  type DPEDocument,
  type DPEDocumentSummary,
  type DPEElementDetail,
  type DPEPage,
  documentUri,
  findTool,
  type GetComputerConfigRet,
  type Prompt,
  type PromptMessage,
  plainInput,
  type Resource,
  type ResourceContents,
  type SessionInfo,
  type SMCPTool,
  TOOL_TIMEOUT_MS,
} from '@a2c-smcp/protocol';
import { type BlobContents, MAX_PARTS_IN_FLIGHT, partTimeout, readParts } from './blobs.ts';
import {
  changedPages,
  everyPage,
  readDocumentBody,
  readElementBody,
  readPageBody,
  walkCatalogue,
  walkPages,
  withQuery,
} from './documents.ts';
import type { AgentEvents, ComputerView, FinderPage, ToolFound, Topic } from './events.ts';
import { OfficeView } from './office-view.ts';
import type {
  AgentOptions,
  DesktopOptions,
  FinderOptions,
  PageIndexOptions,
  PageOptions,
  PagesOptions,
  PromptsOptions,
  PromptWanted,
  ReadBlobOptions,
  ReadResourceOptions,
  ResourcesOptions,
  ToolCall,
  ToolWanted,
} from './options.ts';
import { type RequestOptions, Requests, type RequestsOptions, type ToolCallOptions, wholeSeconds } from './requests.ts';
import { type SearchOptions, type SearchResult, searchComputers } from './search.ts';
import { listSkills, readSkillFile, type SkillFile } from './skills.ts';
import { type UploadedFile, type UploadOptions, upload } from './upload.ts';
import type { UploadSource } from './upload-source.ts';

const ALL_TOPICS: readonly Topic[] = ['tools', 'config', 'desktop', 'finder', 'skills'];
/** Milliseconds that `connect` waits for the tools of the Computers; those of slow ones are added later. */
const FIRST_LIST_TIMEOUT_MS = 2000;
/** Bytes that are fetched for one result or by one `readBlob`. They are in memory as a whole. */
const MAX_BLOB_BYTES = 128 * 1024 * 1024;
/** As many as a Server takes by default. */
const CALLS_IN_FLIGHT = 256;

/** The Agent of an office. It is joined when `connect` resolves, and rejoins after its connection was lost. */
export class Agent implements AsyncDisposable {
  readonly #peer: Peer;
  readonly #requests: Requests;
  readonly #toolTimeout: number;
  readonly #maxBlobBytes: number;
  /** A fixed version is taken at its word. */
  readonly #wantsPlainNames: boolean;
  readonly #logger: Logger;
  readonly #events: Emitter<AgentEvents>;
  readonly #topics: ReadonlySet<Topic>;
  readonly #view: OfficeView;

  private constructor(peer: Peer, options: AgentOptions) {
    const { timeout = AGENT_TIMEOUT_MS, toolTimeout = TOOL_TIMEOUT_MS, autoRefresh = ALL_TOPICS } = options;
    const { maxBlobBytes = MAX_BLOB_BYTES, callsInFlight = CALLS_IN_FLIGHT } = options;
    const logger = guardLogger(options.logger);
    this.#peer = peer;
    const awaitReturn: RequestsOptions['awaitReturn'] = (computer, limits) => this.#view.awaitReturn(computer, limits);
    this.#requests = new Requests(peer, { timeout, maxBlobBytes, callsInFlight, awaitReturn, logger });
    this.#maxBlobBytes = maxBlobBytes;
    this.#toolTimeout = toolTimeout;
    this.#wantsPlainNames = (options.protocolVersion ?? 'auto') === 'auto';
    this.#logger = logger;
    this.#events = new Emitter({ logger });
    this.#topics = new Set(autoRefresh);
    const fetch = (computer: string, topic: Topic, signal: AbortSignal) => this.#fetch(computer, topic, signal);
    this.#view = new OfficeView({ fetch, events: this.#events, topics: this.#topics, logger });
    this.#view.follow(peer.channel);
    peer.on('connection', state => {
      if (state.type === 'lost') this.#view.markStale();
      if (state.type === 'joined') void this.#listOffice();
      if (state.type === 'closed') this.#view.close();
      this.#events.emit('connection', state);
    });
  }

  /**
   * Connects and joins, or throws an `SmcpError` with a remedy in its message: 4101 the office has an agent, 401 wrong
   * credentials, 4008 another protocol version, 408 no Server there. Of several URLs, which lead to the same offices, the
   * first whose Server takes connections is used.
   */
  static async connect(url: string | readonly string[], options: AgentOptions): Promise<Agent> {
    const peer = await Peer.join(url, { ...options, timeout: options.connectTimeout, role: 'agent' });
    const agent = new Agent(peer, options);
    await within(agent.#listOffice(), { timeout: FIRST_LIST_TIMEOUT_MS }).catch(() => {});
    // A later turn, so that the caller can add a listener before the first `joined`.
    setTimeout(() => agent.joined && agent.#events.emit('connection', { type: 'joined' }));
    return agent;
  }

  get name(): string {
    return this.#peer.name;
  }

  get office(): string {
    return this.#peer.office;
  }

  /** True if this Agent is a member of its office at the moment. */
  get joined(): boolean {
    return this.#peer.joined;
  }

  /** The Computers of the office and their tools, updated by notifications. */
  get computers(): ReadonlyMap<string, ComputerView> {
    return this.#view.computers;
  }

  /** Calls `listener` at every event of that name. Returns a function that removes it, as firing `signal` does. */
  on<K extends keyof AgentEvents>(
    event: K,
    listener: (payload: AgentEvents[K]) => void,
    options?: ListenOptions,
  ): () => void {
    return this.#events.on(event, listener, options);
  }

  /**
   * Resolves when a Computer offers the tool, at once if one does already. Without `timeout` it may never settle. As in
   * `callTool`, the name may go without the `bundle_id` that precedes it from protocol 0.3 on.
   */
  async waitFor(wanted: ToolWanted, options: RequestOptions = {}): Promise<ToolFound> {
    if (!this.#topics.has('tools')) throw new TypeError("waitFor needs 'tools' among the topics of 'autoRefresh'");
    return this.#view.waitForTool(wanted, options);
  }

  /** The members of the office, this Agent included. */
  async members(options?: RequestOptions): Promise<SessionInfo[]> {
    const { sessions } = await this.#requests.send('server:list_room', { office_id: this.office }, options);
    return sessions;
  }

  /**
   * The tools of a Computer. Their names are those that its owner sees, whatever version was agreed on; with a fixed
   * `protocolVersion` from 0.3 on, and on Computers of other makers, the `bundle_id` of the MCP server precedes them.
   */
  async getTools(computer: string, options?: RequestOptions): Promise<SMCPTool[]> {
    const names = this.#wantsPlainNames ? { plain_names: true } : {};
    const { tools } = await this.#requests.send('client:get_tools', { computer, ...names }, options);
    return tools;
  }

  /**
   * Runs a tool by the name in the Computer's list, or without its `bundle_id` if one tool is meant. A tool that fails, is
   * cancelled through `signal` or takes too long is a result with `isError: true`; `isCancelled` and `isTimedOut`
   * distinguish them. Bytes that the Computer sends apart from the result are fetched and checked; an item whose bytes
   * cannot be had becomes a text that says so. `onProgress` gets what the tool reports while it runs.
   */
  async callTool({ computer, tool, params = {} }: ToolCall, options: ToolCallOptions = {}): Promise<CallToolResult> {
    const { timeout = this.#toolTimeout } = options;
    const tool_name = findTool(this.computers.get(computer)?.tools ?? [], tool)?.name ?? tool;
    return this.#requests.callTool({ computer, tool_name, params }, timeout, options);
  }

  /** The Computer's configuration, with its secrets as placeholders. */
  async getConfig(computer: string, options?: RequestOptions): Promise<GetComputerConfigRet> {
    const config = await this.#requests.send('client:get_config', { computer }, options);
    return config.inputs ? { ...config, inputs: config.inputs.map(plainInput) } : config;
  }

  /** The windows of a Computer as text, the most important first. */
  async getDesktop(computer: string, { size, window, maxChars, ...options }: DesktopOptions = {}): Promise<string[]> {
    const subject = { computer, desktop_size: size, window, max_chars: maxChars };
    const { desktops = [] } = await this.#requests.send('client:get_desktop', subject, options);
    return desktops;
  }

  /** One page of a Computer's catalogue of documents, or of the pages that mention `content`. */
  async getFinder(computer: string, finder: FinderOptions = {}): Promise<FinderPage> {
    const { keywords, fileType, content, offset, limit, ...options } = finder;
    const subject = { computer, keywords: keywords && [...keywords], file_type: fileType, content, offset, limit };
    const page = await this.#requests.send('client:get_finder', subject, options);
    const { documents = [], total_count, hits, pending, unsearched } = page;
    return { documents, totalCount: total_count ?? documents.length, ...given({ hits, pending, unsearched }) };
  }

  /** The pages on several Computers that mention some words, the best first. */
  searchDocuments(content: string, options: SearchOptions = {}): Promise<SearchResult> {
    const search = { computers: [...this.computers.keys()], ...given(options) };
    return searchComputers((computer, finder) => this.getFinder(computer, finder), content, search);
  }

  /** All documents of a Computer that match, fetched lazily. `limit` is the number fetched at a time. */
  documents(
    computer: string,
    { offset = 0, ...finder }: Omit<FinderOptions, 'content'> = {},
  ): AsyncGenerator<DPEDocumentSummary> {
    return walkCatalogue(from => this.getFinder(computer, { limit: 100, ...given(finder), offset: offset + from }));
  }

  /** Facts about a document as a whole. */
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

  /**
   * All pages of a document in order, fetched lazily with a prefetch of one. With `known`, only those that have changed
   * since, or whose MCP server gives no hashes.
   */
  async *pages(computer: string, uri: string, options: PagesOptions = {}): AsyncGenerator<DPEPage> {
    const { known, ...view } = options;
    const { timeout, signal } = view;
    const pages = known
      ? changedPages(known, part => this.readPages(computer, uri, { ...part, timeout, signal }))
      : everyPage((await this.readDocument(computer, uri, { timeout, signal })).page_count);
    yield* walkPages(pages, (page, stop) =>
      this.readPage(computer, uri, page, { ...view, signal: signal ? AbortSignal.any([signal, stop]) : stop }),
    );
  }

  /** One page of the resources of an MCP server. */
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

  /** The prompts of all MCP servers of a Computer, or one page of those of one server. */
  async getPrompts(
    computer: string,
    { server, cursor, ...options }: PromptsOptions = {},
  ): Promise<{ prompts: Prompt[]; nextCursor?: string }> {
    const subject = { computer, mcp_server: server, cursor };
    const { prompts, next_cursor } = await this.#requests.send('client:get_prompts', subject, options);
    return { prompts, nextCursor: next_cursor ?? undefined };
  }

  /** The messages of a prompt, its arguments filled in. */
  async getPrompt(
    computer: string,
    { server, name, arguments: values }: PromptWanted,
    options: RequestOptions = {},
  ): Promise<{ description?: string; messages: PromptMessage[] }> {
    const subject = { computer, mcp_server: server, name, arguments: values, ...wireTimeout(options) };
    const { description, messages } = await this.#requests.send('client:get_prompt', subject, options);
    return { ...given({ description: description ?? undefined }), messages };
  }

  /**
   * The bytes behind a handle that the Computer gave, such as that of an item which a result lacks. Without `timeout`
   * only each part has a limit.
   */
  async readBlob(computer: string, handle: string, options: ReadBlobOptions = {}): Promise<BlobContents> {
    const { timeout, signal, maxBytes = this.#maxBlobBytes } = options;
    return readParts(
      (offset, limit) => this.#requests.getPart({ computer, handle, offset }, { timeout: limit, signal }),
      {
        budget: { left: maxBytes, limit: maxBytes },
        slots: new Limiter(MAX_PARTS_IN_FLIGHT),
        left: partTimeout(timeout, this.#requests.timeout),
        signal,
      },
    );
  }

  /**
   * Sends a file to a Computer that takes uploads, and returns its path there, for the arguments of a tool call. The
   * source is bytes, a `Blob`, something that yields bytes, or in Node the path of a file. Throws 4019 with a reason.
   */
  async upload(computer: string, source: UploadSource, options?: UploadOptions): Promise<UploadedFile> {
    return upload(this.#requests, { computer, source }, options);
  }

  /** The skills of a Computer. Their text and files are read with `skill`. */
  async skills(computer: string, options?: RequestOptions): Promise<A2CSkillRef[]> {
    return listSkills(this.#requests, computer, options);
  }

  /**
   * One file of a skill, without `path` its instructions. A file in several parts takes several requests, each with the
   * timeout of `options`.
   */
  async skill(computer: string, name: string, path?: string, options?: RequestOptions): Promise<SkillFile> {
    const readBlob = (handle: string) => this.readBlob(computer, handle, options);
    return readSkillFile(this.#requests, { computer, name, path, readBlob }, options);
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

  /** Never rejects. */
  async #listOffice(): Promise<void> {
    try {
      await this.#view.sync(async () => {
        const members = await this.members();
        return members.flatMap(({ role, name }) => (role === 'computer' && name ? [name] : []));
      });
    } catch (error) {
      this.#logger.warn('The office could not be listed', { office: this.office, error });
      // If the connection dropped, the `joined` handler lists the office again.
      if (this.joined) this.#view.assumeCurrent();
    }
  }

  async #fetch(computer: string, topic: Topic, signal: AbortSignal): Promise<Partial<ComputerView>> {
    if (topic === 'tools') return { tools: await this.getTools(computer, { signal }) };
    if (topic === 'config') return { config: await this.getConfig(computer, { signal }) };
    if (topic === 'desktop') return { desktop: await this.getDesktop(computer, { signal }) };
    if (topic === 'skills') return { skills: await this.skills(computer, { signal }) };
    return { finder: await this.getFinder(computer, { signal }) };
  }
}

/** The `timeout` field of a request, where the caller set one. */
function wireTimeout({ timeout }: RequestOptions): { timeout?: number } {
  return timeout === undefined ? {} : { timeout: wholeSeconds(timeout) };
}
