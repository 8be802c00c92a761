import type { CallToolResult } from '@a2c-smcp/protocol';
import { dynamicTool, jsonSchema, type ToolResultPart, type ToolSet } from 'ai';
import { partsOf, textOf } from './parts.ts';
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
        // What `execute` returned comes back here as an unknown.
        toModelOutput: ({ output }) => toModelOutput(output as CallToolResult),
      }),
    ]),
  );
}

function toModelOutput(result: CallToolResult): ToolResultPart['output'] {
  if (result.isError) return { type: 'error-text', value: textOf(result) };
  const value = partsOf(result).map(part =>
    part.type === 'text'
      ? { type: 'text' as const, text: part.text }
      : { type: 'image-data' as const, data: part.data, mediaType: part.mediaType },
  );
  return { type: 'content', value };
}
