import type { CallToolResult } from '@a2c-smcp/protocol';
import { answerText, dataUrl, partsOf } from './parts.ts';
import { type ToolAgent, Toolbox, type ToolOptions } from './toolbox.ts';

export type { ModelCall, ToolAgent, ToolFilter, ToolOptions } from './toolbox.ts';

/** A part of a message of LangChain. */
export type LangChainPart = { type: 'text'; text: string } | { type: 'image_url'; image_url: { url: string } };

/** `tool` of `@langchain/core/tools` or `langchain`, as far as it is used. */
export type LangChainToolFactory<T> = (
  run: (
    input: Record<string, unknown>,
    config?: { signal?: AbortSignal },
  ) => Promise<[content: string | LangChainPart[], artifact: CallToolResult]>,
  fields: {
    name: string;
    description: string;
    schema: Record<string, unknown>;
    responseFormat: 'content_and_artifact';
  },
) => T;

/**
 * The tools that the office offers now, for `bindTools`, `ToolNode` and agents of LangChain. The result of a call is the
 * `artifact` of its message.
 *
 * @param tool the function of that name of `@langchain/core/tools`
 */
export function langchainTools<T>(agent: ToolAgent, tool: LangChainToolFactory<T>, options?: ToolOptions): T[] {
  const toolbox = new Toolbox(agent, options);
  return toolbox.offer().map(({ name, description, parameters }) =>
    tool(
      async (input, { signal } = {}) => {
        const result = await toolbox.run(name, input, signal && { signal });
        return [toContent(result), result];
      },
      { name, description, schema: parameters, responseFormat: 'content_and_artifact' },
    ),
  );
}

function toContent(result: CallToolResult): string | LangChainPart[] {
  const images = partsOf(result).filter(part => part.type === 'image');
  if (images.length === 0) return answerText(result);
  const pictures = images.map(image => ({ type: 'image_url' as const, image_url: { url: dataUrl(image) } }));
  return [{ type: 'text', text: answerText(result) }, ...pictures];
}
