import { Debouncer, type Logger } from '@a2c-smcp/core';
import { describeError } from '../../describe-error.ts';
import { type HeaderParameter, headersOf, readHeaderParameters } from './param-headers.ts';
import type { McpTool } from './schemas.ts';

/** Between two listings of tools that the server asks for. */
const RELIST_PAUSE_MS = 50;

export interface ToolListOptions {
  /** Requests the tools. */
  request: () => Promise<McpTool[]>;
  /** True if parameters that tools declare as headers are sent as such: over HTTP, from 2026 on. */
  mirrorsParameters: () => boolean;
  isOpen: () => boolean;
  /** Called when a later listing differs. */
  onChanged: () => void;
  /** Called when a later listing fails. The known tools stay. */
  onFailure: (error: unknown) => void;
  logger: Logger;
}

/** The tools of one session as last listed. */
export class ToolList {
  readonly #options: ToolListOptions;
  readonly #relist = new Debouncer(() => this.#refresh(), { pause: RELIST_PAUSE_MS });
  #tools: readonly McpTool[] = [];
  /** By tool. */
  #headers: ReadonlyMap<string, readonly HeaderParameter[]> = new Map();

  constructor(options: ToolListOptions) {
    this.#options = options;
  }

  get all(): readonly McpTool[] {
    return this.#tools;
  }

  /** Lists the tools. Resolves to whether they differ from those before. */
  async load(): Promise<boolean> {
    const listed = await this.#options.request();
    const headers = new Map<string, readonly HeaderParameter[]>();
    const tools = this.#options.mirrorsParameters() ? listed.filter(tool => this.#readHeaders(tool, headers)) : listed;
    if (JSON.stringify(tools) === JSON.stringify(this.#tools)) return false;
    this.#tools = tools;
    this.#headers = headers;
    return true;
  }

  /** Lists them again soon: they may have changed. */
  changed(): void {
    this.#relist.request();
  }

  /** The headers that a call carries. */
  headersOf(tool: string, params: Record<string, unknown>): Record<string, string> {
    return headersOf(this.#headers.get(tool) ?? [], params);
  }

  async #refresh(): Promise<void> {
    const { isOpen, onChanged, onFailure } = this.#options;
    if (!isOpen()) return;
    try {
      if ((await this.load()) && isOpen()) onChanged();
    } catch (error) {
      if (isOpen()) onFailure(error);
    }
  }

  /** True if the tool can be called: one whose headers are malformed cannot. */
  #readHeaders({ name, inputSchema }: McpTool, headers: Map<string, readonly HeaderParameter[]>): boolean {
    try {
      headers.set(name, readHeaderParameters(inputSchema));
      return true;
    } catch (error) {
      const message = 'An MCP server listed a tool whose parameters are no valid headers, and it is not offered';
      this.#options.logger.warn(message, { tool: name, reason: describeError(error) });
      return false;
    }
  }
}
