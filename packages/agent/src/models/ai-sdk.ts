import type { CallToolResult, SMCPTool } from '@a2c-smcp/protocol';
import * as ai from 'ai';
import { toModelOutput } from './ai-sdk-output.ts';
import { type ToolAgent, Toolbox, type ToolOptions } from './toolbox.ts';

export type { ModelCall, ToolAgent, ToolFilter, ToolOptions } from './toolbox.ts';

/** Version 7 has file parts in results, and warns of image parts, which are the only ones that version 6 knows. */
const HAS_FILE_PARTS = 'uploadFile' in ai;

export interface AiToolOptions extends ToolOptions {
  /** True if the AI SDK asks for approval before a call. @default no tool needs it */
  needsApproval?: (tool: SMCPTool, params: unknown, computer: string) => boolean | Promise<boolean>;
}

/** The tools that the office offers now, for `generateText`, `streamText` and agents of the package `ai`. */
export function aiTools(agent: ToolAgent, options: AiToolOptions = {}): ai.ToolSet {
  const toolbox = new Toolbox(agent, options);
  const { needsApproval } = options;
  return Object.fromEntries(
    toolbox.offer().map(({ name, description, parameters, tool, computer }) => [
      name,
      ai.dynamicTool({
        description,
        ...(needsApproval && { needsApproval: params => needsApproval(tool, params, computer) }),
        inputSchema: ai.jsonSchema(parameters),
        execute: (input, { abortSignal }) => toolbox.run(name, input, { signal: abortSignal }),
        // The result of `execute`, which the AI SDK types as unknown.
        toModelOutput: ({ output }) => toModelOutput(output as CallToolResult, { hasFileParts: HAS_FILE_PARTS }),
      }),
    ]),
  );
}
