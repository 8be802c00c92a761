import type { CallToolResult } from '@a2c-smcp/protocol';
import type { RequestOptions } from '../requests.ts';
import { partsOf } from './parts.ts';
import { type ToolAgent, Toolbox, type ToolFilter } from './toolbox.ts';

export type { ToolAgent, ToolFilter } from './toolbox.ts';

/** A tool in the shape of the Messages API. */
export interface AnthropicTool {
  name: string;
  description: string;
  input_schema: Record<string, unknown> & { type: 'object' };
}

/** A block of an assistant's message. Blocks of other kinds than `tool_use` are ignored. */
export interface AnthropicBlock {
  type: string;
  id?: string;
  name?: string;
  input?: unknown;
}

/** A block of the user's message that answers a call. Images of other types than the API takes are described. */
export interface AnthropicToolResult {
  type: 'tool_result';
  tool_use_id: string;
  content: (
    | { type: 'text'; text: string }
    | { type: 'image'; source: { type: 'base64'; media_type: ImageType; data: string } }
  )[];
  is_error?: true;
}

/** The images that the Messages API takes. */
type ImageType = (typeof imageTypes)[number];
const imageTypes = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'] as const;

/** The office's tools for the Messages API. */
export interface AnthropicTools {
  /** The tools of the office at the moment; read it again before each request. */
  readonly tools: AnthropicTool[];
  /** Runs the calls in a message's `content`, all at once, and returns the content of the user's next message. */
  run(content: readonly AnthropicBlock[], options?: RequestOptions): Promise<AnthropicToolResult[]>;
}

/** The names of tools are stable within one object: create it once per conversation, not once per request. */
export function anthropicTools(agent: ToolAgent, filter?: ToolFilter): AnthropicTools {
  const toolbox = new Toolbox(agent, filter);
  return {
    get tools(): AnthropicTool[] {
      return toolbox.offer().map(({ name, description, parameters }) => ({
        name,
        description,
        input_schema: { ...parameters, type: 'object' },
      }));
    },
    run(content, options) {
      const calls = content.filter(({ type }) => type === 'tool_use');
      return Promise.all(
        calls.map(async ({ id = '', name = '', input }) => toResult(id, await toolbox.run(name, input, options))),
      );
    },
  };
}

function toResult(tool_use_id: string, result: CallToolResult): AnthropicToolResult {
  const content: AnthropicToolResult['content'] = partsOf(result).map(part => {
    if (part.type === 'text') return part;
    const media_type = imageTypes.find(type => type === part.mediaType);
    if (!media_type) return { type: 'text', text: `[image of type ${part.mediaType}]` };
    return { type: 'image', source: { type: 'base64', media_type, data: part.data } };
  });
  return { type: 'tool_result', tool_use_id, content, ...(result.isError && { is_error: true }) };
}
