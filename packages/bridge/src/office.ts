import { createHash } from 'node:crypto';
import type { ToolCallOptions } from '@a2c-smcp/agent';
import {
  asAbortSignal,
  Debouncer,
  Emitter,
  given,
  guardLogger,
  isObject,
  type Json,
  type Logger,
  type StopSignal,
} from '@a2c-smcp/core';
import { type CallToolResult, ProtocolError, ProtocolErrorCode, type Tool } from '@modelcontextprotocol/server';
import { SuspendedCalls } from './answered-call.ts';
import { OfficeAccess } from './office-access.ts';
import type { OfficeAgent } from './office-agent.ts';
import type { BridgeOptions } from './options.ts';
import { OfficePrompts } from './prompts/office-prompts.ts';
import { OfficeResources } from './resources/office-resources.ts';
import { ResourceWatch } from './resources/resource-watch.ts';
import type { Seat } from './seat/seat.ts';
import type { BuiltInTool } from './tools/built-in.ts';
import { desktopTool } from './tools/desktop-tool.ts';
import { findDocumentsTool } from './tools/find-documents-tool.ts';
import { officeTool } from './tools/office-tool.ts';
import { readDocumentTool } from './tools/read-document-tool.ts';
import { ResultFiles } from './tools/result-files.ts';
import { errorResult, failureResult, limitResult, toMcpResult } from './tools/results.ts';
import { BridgeToolNames } from './tools/tool-names.ts';
import { buildToolTable, type ToolRoute, type ToolTable } from './tools/tool-table.ts';

/** Milliseconds that a list of tools waits for the office; later tools follow as a change. */
const FIRST_LIST_TIMEOUT_MS = 3000;
/** Milliseconds in which changes are announced as one: each change costs clients their prompt cache. */
const GATHER_MS = 300;
const DEFAULT_TOOL_TIMEOUT_MS = 600_000;

/** The events of an `Office`, for the connections of clients. */
export interface OfficeEvents {
  tools: undefined;
  prompts: undefined;
  resources: undefined;
  /** A window or a document has changed. */
  updated: { uri: string };
}

/** A call of a tool by a client. */
export interface OfficeCall {
  name: string;
  args: unknown;
  signal: StopSignal;
  onProgress?: ToolCallOptions['onProgress'];
  onQuestion?: ToolCallOptions['onQuestion'];
}

/** The outcome of a call, and the output schema that the client saw. */
export interface OfficeResult {
  result: CallToolResult;
  outputSchema?: Json | undefined;
}

/** An office in MCP's words, without a transport. All clients of a bridge share one. */
export class Office implements AsyncDisposable {
  readonly events: Emitter<OfficeEvents>;
  readonly resources: OfficeResources;
  readonly prompts: OfficePrompts;
  readonly suspended = new SuspendedCalls<OfficeResult>();
  readonly #access: OfficeAccess;
  readonly #watch: ResourceWatch;
  readonly #names: BridgeToolNames;
  readonly #builtIns: ReadonlyMap<string, BuiltInTool>;
  readonly #toolTimeout: number;
  /** Absent when results that are too large are errors. */
  readonly #files: ResultFiles | undefined;
  readonly #toolList = new Debouncer(() => this.#announceTools(), { delay: GATHER_MS });
  readonly #promptList = new Debouncer(() => this.#announcePrompts(), { delay: GATHER_MS });
  readonly #resourceList = new Debouncer(() => this.events.emit('resources', undefined), { delay: GATHER_MS });
  readonly #stopSeat: () => void;
  /** Names that were offered and are not any more, with their last place. */
  readonly #former = new Map<string, ToolRoute>();
  #stopAgent: () => void = () => {};
  #table: ToolTable = { tools: [], routes: new Map(), counts: new Map() };
  #isStale = true;
  /** Digests of the lists that clients may have. */
  #seen = new Set<string>();

  constructor(seat: Seat, options: BridgeOptions = {}) {
    const { prefix = 'auto', toolTimeout = DEFAULT_TOOL_TIMEOUT_MS, computers = [], resultFiles } = options;
    const logger: Logger = guardLogger(options.logger);
    this.events = new Emitter({ logger });
    this.#access = new OfficeAccess(seat, options);
    this.#toolTimeout = toolTimeout;
    this.#files = resultFiles === false ? undefined : new ResultFiles(resultFiles);
    const tools = [
      officeTool(this.#access, () => this.#current()),
      desktopTool(this.#access),
      findDocumentsTool(this.#access),
      readDocumentTool(this.#access),
    ];
    this.#builtIns = new Map(tools.map(tool => [tool.definition.name, tool]));
    const expectsSeveral = computers.length > 1;
    this.#names = new BridgeToolNames({ prefix, reserved: [...this.#builtIns.keys()], expectsSeveral });
    this.prompts = new OfficePrompts(this.#access, { prefix, expectsSeveral, logger });
    this.resources = new OfficeResources(this.#access, logger);
    const updated = (uri: string) => this.events.emit('updated', { uri });
    const listChanged = () => this.#resourceList.request();
    this.#watch = new ResourceWatch(this.#access, { updated, listChanged }, logger);
    this.#stopSeat = seat.onChange(() => this.#follow(seat.agent));
    this.#follow(seat.agent);
  }

  /** The tools of the office and the built-in ones, which are always there, sorted by name. */
  async tools(): Promise<Tool[]> {
    await this.#access.seat.take(FIRST_LIST_TIMEOUT_MS);
    const builtIn = [...this.#builtIns.values()].map(({ definition }) => definition);
    this.#seen.add(digestOf(this.#current()));
    return [...builtIn, ...this.#current().tools].toSorted((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** Runs a tool. Everything that a model can react to is a result with `isError`. */
  async call(call: OfficeCall): Promise<OfficeResult> {
    const { name, args, signal } = call;
    const params = isObject(args) ? args : {};
    const builtIn = this.#builtIns.get(name);
    try {
      if (builtIn) return { result: await this.#fit(await builtIn.run(params, asAbortSignal(signal))) };
      return await this.#callComputer(params, call);
    } catch (error) {
      if (signal.aborted || error instanceof ProtocolError) throw error;
      return { result: failureResult(error) };
    }
  }

  /** Follows windows and documents until the returned function is called: a client wants their changes. */
  watch(): () => void {
    return this.#watch.hold();
  }

  async close(): Promise<void> {
    this.#stopSeat();
    this.#stopAgent();
    this.#toolList.cancel();
    this.#promptList.cancel();
    this.#resourceList.cancel();
    this.#watch.close();
    this.suspended.close();
    await this.#access.seat.close();
    await this.#files?.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #callComputer(params: Json, { name, signal, onProgress, onQuestion }: OfficeCall): Promise<OfficeResult> {
    return this.#access.request(async agent => {
      const route = this.#current().routes.get(name);
      if (!route) return { result: this.#missing(name, agent) };
      const { computer, tool, outputSchema } = route;
      const options = { timeout: this.#toolTimeout, signal, ...given({ onProgress, onQuestion }) };
      const result = await agent.callTool({ computer, tool, params }, options);
      return { result: await this.#fit(toMcpResult(result)), outputSchema };
    });
  }

  async #fit(result: CallToolResult): Promise<CallToolResult> {
    return this.#files ? this.#files.fit(result) : limitResult(result);
  }

  #missing(name: string, agent: OfficeAgent): CallToolResult {
    const former = this.#former.get(name);
    if (!former) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool '${name}'`);
    const { computer } = former;
    return errorResult(
      agent.computers.has(computer)
        ? `Computer '${computer}' does not offer tool '${former.tool}' any more`
        : `Computer '${computer}' has left the office: its tools are back when it returns`,
    );
  }

  /** A seat that is being taken over keeps the tools of its former Agent. */
  #follow(agent: OfficeAgent | undefined): void {
    this.#stopAgent();
    const change = () => this.#changed();
    const changeAll = () => {
      this.#changed();
      this.#resourceList.request();
    };
    const stops = agent
      ? [
          agent.on('tools', change),
          agent.on('enter', changeAll),
          agent.on('leave', changeAll),
          this.#watch.follow(agent),
        ]
      : [];
    this.#stopAgent = () => {
      for (const stop of stops) stop();
    };
    this.#changed();
  }

  #changed(): void {
    this.#isStale = true;
    this.#toolList.request();
    // There is no event for prompts: those of a server change at its start, with its tools.
    this.#promptList.request();
  }

  #current(): ToolTable {
    const { agent, problem } = this.#access.seat;
    if (!this.#isStale || (!agent && !problem)) return this.#table;
    const former = this.#table.routes;
    this.#table = buildToolTable(agent?.computers ?? new Map(), this.#access.filter, this.#names);
    this.#isStale = false;
    for (const [name, route] of former) if (!this.#table.routes.has(name)) remember(this.#former, name, route);
    return this.#table;
  }

  async #announcePrompts(): Promise<void> {
    if (await this.prompts.hasChanged().catch(() => false)) this.events.emit('prompts', undefined);
  }

  #announceTools(): void {
    const current = digestOf(this.#current());
    const isNews = [...this.#seen].some(digest => digest !== current);
    if (!isNews) return;
    this.#seen = new Set([current]);
    this.events.emit('tools', undefined);
  }
}

function digestOf({ tools }: ToolTable): string {
  return createHash('sha256').update(JSON.stringify(tools)).digest('base64');
}

const MAX_FORMER = 1000;

/** Keeps the newest names only. */
function remember(former: Map<string, ToolRoute>, name: string, route: ToolRoute): void {
  former.delete(name);
  former.set(name, route);
  const [oldest] = former.keys();
  if (former.size > MAX_FORMER && oldest !== undefined) former.delete(oldest);
}
