import type { CallToolResult } from '@a2c-smcp/protocol';
import type { RequestOptions } from '../requests.ts';
import { partsOf } from './parts.ts';
import { type ToolAgent, Toolbox, type ToolOptions } from './toolbox.ts';

export type { ModelCall, ToolAgent, ToolFilter, ToolOptions } from './toolbox.ts';

/** A tool in the shape of the Messages API. */
export interface AnthropicTool {
  name: string;
  description: string;
  input_schema: Record<string, unknown> & { type: 'object' };
}

/** A block of an assistant's message. Other blocks than `tool_use`, and calls of `ownTools`, are left to the program. */
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
  /** True if a call of this name is for a tool of the office. */
  has(name: string): boolean;
  /** Runs the calls in a message's `content`, all at once, and returns the content of the user's next message. */
  run(content: readonly AnthropicBlock[], options?: RequestOptions): Promise<AnthropicToolResult[]>;
}

/** The tools of an office for the Messages API, and the answers to their calls. */
export function anthropicTools(agent: ToolAgent, options?: ToolOptions): AnthropicTools {
  const toolbox = new Toolbox(agent, options);
  return {
    get tools(): AnthropicTool[] {
      return toolbox.offer().map(({ name, description, parameters }) => ({
        name,
        description,
        input_schema: { ...parameters, type: 'object' },
      }));
    },
    has: name => toolbox.has(name),
    run(content, options) {
      const calls = content.filter(({ type, name = '' }) => type === 'tool_use' && !toolbox.isOwn(name));
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
