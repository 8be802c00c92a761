import type { PeerOptions } from '@a2c-smcp/peer';
import type { KnownPage, PageFormat } from './documents.ts';
import type { Topic } from './events.ts';
import type { RequestOptions } from './requests.ts';

export interface AgentOptions extends Omit<PeerOptions, 'role' | 'prepare' | 'timeout'> {
  /** Milliseconds for each attempt to connect and join, with the functions `auth` and `headers`. @default 10_000 */
  connectTimeout?: number;
  /** Milliseconds that requests other than tool calls may take. @default 35_000, longer than the Server's timeout */
  timeout?: number;
  /** Milliseconds that a tool may run. @default 60_000 */
  toolTimeout?: number;
  /** Bytes that are fetched for one result or by one `readBlob`, beside the result's own message. @default 128 MiB */
  maxBlobBytes?: number;
  /**
   * Requests that are sent and not answered; further ones are queued. A Server that takes fewer, or fewer per second, is
   * obeyed from its first refusal on. @default 256, as many as a Server takes by default
   */
  callsInFlight?: number;
  /** Topics to fetch again when a Computer announces a change. @default all topics */
  autoRefresh?: readonly Topic[];
}

/** One call of one tool. */
export interface ToolCall {
  computer: string;
  /** The name in the Computer's list of tools, with or without the `bundle_id` of its MCP server. */
  tool: string;
  /** @default {} */
  params?: Record<string, unknown>;
}

export interface DesktopOptions extends RequestOptions {
  /** Maximum number of windows. @default all */
  size?: number;
  /** Only the window with this URI. */
  window?: string;
  /** Maximum number of characters over all windows, for Computers with this extension. */
  maxChars?: number;
}

export interface FinderOptions extends RequestOptions {
  /** A document matches when one of them is in its title, keywords or summary. */
  keywords?: readonly string[];
  /** As in `xlsx`, `pdf`. */
  fileType?: string;
  /**
   * Words that pages mention; those in quotes must follow each other. The page then has `hits`, unless the Computer
   * cannot search and ignores it.
   */
  content?: string;
  /** @default 0 */
  offset?: number;
  /** 100 at most. @default 20 */
  limit?: number;
}

export interface PageIndexOptions extends RequestOptions {
  /** @default 0 */
  offset?: number;
  /** From 1 to 100. @default 20 */
  limit?: number;
}

export interface PageOptions extends RequestOptions {
  /** @default 'json' */
  format?: PageFormat;
  /** Only elements of these categories. @default all */
  categories?: readonly string[];
}

export interface PagesOptions extends PageOptions {
  /**
   * Pages as they were read before, or their entries in the index: those that have the same `hash` now are not read.
   * @default none
   */
  known?: Iterable<KnownPage>;
}

export interface ResourcesOptions extends RequestOptions {
  /** The MCP server whose resources to list. */
  server: string;
  /** `nextCursor` of the page before. */
  cursor?: string;
}

export interface ReadResourceOptions extends RequestOptions {
  /** The MCP server to read from. @default the one that lists the URI */
  server?: string;
}

export interface PromptsOptions extends RequestOptions {
  /** The MCP server whose prompts to list. @default all, in one list */
  server?: string;
  /** `nextCursor` of the page before. Needs `server`. */
  cursor?: string;
}

/** A prompt, as `getPrompts` lists it. */
export interface PromptWanted {
  /** `mcp_server` of the prompt. */
  server: string;
  name: string;
  /** Values of its arguments, by name. @default {} */
  arguments?: Record<string, string>;
}

export interface ReadBlobOptions extends RequestOptions {
  /** More bytes are refused with 413. @default `maxBlobBytes` of the Agent */
  maxBytes?: number;
}

/** The tool that `waitFor` waits for. */
export interface ToolWanted {
  /** @default any Computer */
  computer?: string;
  /** With or without the `bundle_id` of its MCP server. */
  tool: string;
}
