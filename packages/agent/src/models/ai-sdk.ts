import type { CallToolResult } from '@a2c-smcp/protocol';
import { dynamicTool, jsonSchema, type ToolResultPart, type ToolSet } from 'ai';
import { describeResult, partsOf } from './parts.ts';
import { type ToolAgent, Toolbox, type ToolFilter } from './toolbox.ts';

export type { ToolAgent, ToolFilter } from './toolbox.ts';

/** The tools that the office offers now, for `generateText`, `streamText` and agents of the package `ai`. */
export function aiTools(agent: ToolAgent, filter?: ToolFilter): ToolSet {
  const toolbox = new Toolbox(agent, filter);
  return Object.fromEntries(
    toolbox.offer().map(({ name, description, parameters }) => [
      name,
      dynamicTool({
        description,
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
  const value = partsOf(result).map(part =>
    part.type === 'text'
      ? { type: 'text' as const, text: part.text }
      : { type: 'image-data' as const, data: part.data, mediaType: part.mediaType },
  );
  return { type: 'content', value };
}
