import type { CallToolResult, CompleteMCPServerConfig } from '@a2c-smcp/protocol';

/** What a transformation of results sees of a call. */
export interface TransformableCall {
  server: string;
  /** The name the MCP server knows the tool by. */
  tool: string;
  params: Record<string, unknown>;
  result: CallToolResult;
}

/** Adds to the results of tools, as the `vrl` script of a server's configuration asks. */
export interface ResultTransformer {
  /** Checks and prepares a configuration before its server starts. What it throws blocks that server alone. */
  prepare(config: CompleteMCPServerConfig): Promise<void> | void;
  /**
   * The JSON text for `meta.a2c_vrl_transformed`, or undefined when there is nothing to add. What it throws is logged;
   * the result itself is never lost.
   */
  transform(call: TransformableCall): Promise<string | undefined> | string | undefined;
}
