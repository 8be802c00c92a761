import type { CallToolResult, CompleteMCPServerConfig } from '@a2c-smcp/protocol';
import type { VrlProgram } from '@a2c-smcp/vrl';

/** A call as a transformer of results sees it. */
export interface TransformableCall {
  server: string;
  /** The name the MCP server knows the tool by. */
  tool: string;
  params: Record<string, unknown>;
  result: CallToolResult;
}

/** Adds to the results of tools, as the `vrl` script of a server's configuration asks. */
export interface ResultTransformer {
  /** The servers whose results it adds to; the results of others are not given to it. @default all */
  readonly servers?: { has(server: string): boolean };
  /** Checks and prepares a configuration before its server starts. What it throws blocks that server alone. */
  prepare(config: CompleteMCPServerConfig): Promise<void> | void;
  /**
   * The JSON text for `meta.a2c_vrl_transformed`, or undefined when there is nothing to add. What it throws is logged;
   * the result itself is never lost.
   */
  transform(call: TransformableCall): Promise<string | undefined> | string | undefined;
}

interface Script {
  source: string;
  program: VrlProgram;
}

/**
 * Runs the `vrl` scripts of configurations on the results of their servers. A script is compiled once and again only
 * when it has changed; the engine is not even loaded before there is one.
 */
export function vrlTransformer(): ResultTransformer {
  const scripts = new Map<string, Script>();
  return {
    servers: scripts,

    async prepare({ name, vrl }) {
      const source = vrl?.trim() ?? '';
      if (scripts.get(name)?.source === source) return;
      scripts.get(name)?.program.dispose();
      scripts.delete(name);
      if (source === '') return;
      const { Vrl } = await import('@a2c-smcp/vrl');
      scripts.set(name, { source, program: await Vrl.compile(source) });
    },

    transform({ server, tool, params, result }) {
      const script = scripts.get(server);
      if (!script) return undefined;
      return script.program.runJson(JSON.stringify({ ...result, tool_name: tool, parameters: params })).event;
    },
  };
}
