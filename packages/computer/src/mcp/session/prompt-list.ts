import { RESOURCE_TIMEOUT_MS } from '@a2c-smcp/protocol';
import type { ServerCapabilities } from '@modelcontextprotocol/client';
import { CachedList, collectPages, type ListPage, lists, readable } from './lists.ts';
import { McpPrompt } from './schemas.ts';

export interface PromptListOptions {
  /** The capability that the server declares. */
  capability: () => ServerCapabilities['prompts'];
  /** Requests one page. */
  request: (params: { cursor?: string }, options: { signal?: AbortSignal }) => Promise<ListPage>;
  /** Called when the server announces a change. */
  onChanged: () => void;
}

/** One page of an MCP server's prompts. */
export interface PromptPage {
  prompts: McpPrompt[];
  nextCursor?: string | null | undefined;
}

/** The prompts of one session. */
export class PromptList {
  readonly #options: PromptListOptions;
  readonly #cached = new CachedList<McpPrompt>();

  constructor(options: PromptListOptions) {
    this.#options = options;
  }

  /** One page. Entries without a name are left out. */
  async page(cursor?: string | null): Promise<PromptPage> {
    const { entries, nextCursor } = await this.#options.request(typeof cursor === 'string' ? { cursor } : {}, {});
    return { prompts: readable(entries, McpPrompt), nextCursor };
  }

  /**
   * All prompts, the first of each name. Sends a request only if the server does not announce changes or has announced
   * one. Rejects when the pages together take longer than 5 s.
   */
  async all(): Promise<McpPrompt[]> {
    const capability = this.#options.capability();
    if (!capability) return [];
    const listed = this.#cached.get(() => this.#collect());
    // Cached while it is pending only, so that the requests of an endless list do not multiply.
    if (!capability.listChanged) void listed.catch(() => {}).then(() => this.#cached.clear());
    return listed;
  }

  /** The server has announced a change, or may have. */
  changed(): void {
    this.#cached.clear();
    this.#options.onChanged();
  }

  async #collect(): Promise<McpPrompt[]> {
    const signal = AbortSignal.timeout(RESOURCE_TIMEOUT_MS);
    const entries = await collectPages(lists.prompts, params => this.#options.request(params, { signal }));
    const byName = new Map<string, McpPrompt>();
    for (const prompt of readable(entries, McpPrompt)) if (!byName.has(prompt.name)) byName.set(prompt.name, prompt);
    return [...byName.values()];
  }
}
