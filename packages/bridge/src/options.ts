import type { Logger } from '@a2c-smcp/core';

export const PREFIXES = ['auto', 'always', 'never'] as const;
export type Prefix = (typeof PREFIXES)[number];

/**
 * Selects the part of an office that MCP clients see. Without any field, all of it. `tags`, `tools` and `readOnly` apply to
 * tools only: windows, documents and prompts do nothing by themselves.
 */
export interface BridgeFilter {
  /** Only these Computers: their tools, windows, documents and prompts. */
  computers?: readonly string[] | undefined;
  /** Only tools that have one of these tags. */
  tags?: readonly string[] | undefined;
  /** Only tools with these names, as their Computers call them. `*` stands for any characters. */
  tools?: readonly string[] | undefined;
  /** Only tools whose author marked them as read-only. @default false */
  readOnly?: boolean | undefined;
}

/** The options of `mcpServer` and of every bridge. */
export interface BridgeOptions extends BridgeFilter {
  /**
   * When a tool's name begins with its Computer's: for Computers beside the first one (`auto`), for all, or only for
   * tools whose name is taken (`never`). @default 'auto'
   */
  prefix?: Prefix | undefined;
  /** Milliseconds that a tool may run. Most MCP clients give up earlier and cancel. @default 600_000 */
  toolTimeout?: number | undefined;
  /**
   * Where parts of results are saved that are too large for MCP clients: in a folder of this one, which is removed at the
   * end. False answers with an error instead, for clients on other machines. @default the folder for temporary files
   */
  resultFiles?: string | false | undefined;
  /** @default silent */
  logger?: Logger | undefined;
}

/** True if MCP clients may see a Computer. */
export function showsComputer({ computers }: BridgeFilter, computer: string): boolean {
  return computers === undefined || computers.includes(computer);
}
