import type { CallToolResult, SMCPTool } from '@a2c-smcp/protocol';
import { dynamicTool, jsonSchema, type ToolResultPart, type ToolSet } from 'ai';
import { describeResult, partsOf } from './parts.ts';
import { type ToolAgent, Toolbox, type ToolOptions } from './toolbox.ts';

export type { ModelCall, ToolAgent, ToolFilter, ToolOptions } from './toolbox.ts';

export interface AiToolOptions extends ToolOptions {
  /** Whether the AI SDK asks for approval before a call. @default no tool needs it */
  needsApproval?: (tool: SMCPTool, params: unknown, computer: string) => boolean | Promise<boolean>;
}

/** The tools that the office offers now, for `generateText`, `streamText` and agents of the package `ai`. */
export function aiTools(agent: ToolAgent, options: AiToolOptions = {}): ToolSet {
  const toolbox = new Toolbox(agent, options);
  const { needsApproval } = options;
  return Object.fromEntries(
    toolbox.offer().map(({ name, description, parameters, tool, computer }) => [
      name,
      dynamicTool({
        description,
        ...(needsApproval && { needsApproval: params => needsApproval(tool, params, computer) }),
        inputSchema: jsonSchema(parameters),
        execute: (input, { abortSignal }) => toolbox.run(name, input, { signal: abortSignal }),
        // The result of `execute`, which the AI SDK types as unknown.
        toModelOutput: ({ output }) => toModelOutput(output as CallToolResult),
      }),
    ]),
  );
}

function toModelOutput(result: CallToolResult): ToolResultPart['output'] {
  if (result.isError) return { type: 'error-text', value: describeResult(result) };
  const parts = partsOf(result);
  // Providers send text as it is, and other contents as JSON unless they know them.
  if (parts.every(({ type }) => type === 'text')) return { type: 'text', value: describeResult(result) };
  const value = parts.map(part =>
    part.type === 'text'
      ? { type: 'text' as const, text: part.text }
      : { type: 'image-data' as const, data: part.data, mediaType: part.mediaType },
  );
  return { type: 'content', value };
}
