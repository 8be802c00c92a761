import type { CallToolResult } from '@a2c-smcp/protocol';
import type { RequestOptions } from '../requests.ts';
import { answerText, dataUrl, FAILED, partsOf } from './parts.ts';
import { type ToolAgent, Toolbox, type ToolOptions } from './toolbox.ts';

export type { ModelCall, ToolAgent, ToolFilter, ToolOptions } from './toolbox.ts';

/** A tool in the shape of `chat.completions`. */
export interface ChatTool {
  type: 'function';
  function: { name: string; description: string; parameters: Record<string, unknown> };
}

/** A call in an assistant's message. Calls of other kinds, and of `ownTools`, are left to the program. */
export interface ChatToolCall {
  id: string;
  type: string;
  function?: { name: string; arguments: string };
}

/** The messages that answer calls. Tool messages take text only, so images are in a user's message. */
export type ChatToolMessage =
  | { role: 'tool'; tool_call_id: string; content: string }
  | { role: 'user'; content: ({ type: 'text'; text: string } | { type: 'image_url'; image_url: { url: string } })[] };

/** The office's tools for `chat.completions`. */
export interface ChatTools {
  /** The tools of the office at the moment; read it again before each request. */
  readonly tools: ChatTool[];
  /** True if a call of this name is for a tool of the office. */
  has(name: string): boolean;
  /** Runs the calls of an assistant's message, all at once, and returns the messages that answer them. */
  run(calls: readonly ChatToolCall[] | null | undefined, options?: RequestOptions): Promise<ChatToolMessage[]>;
}

/** The tools of an office for `chat.completions`, and the answers to their calls. */
export function chatTools(agent: ToolAgent, options?: ToolOptions): ChatTools {
  const toolbox = new Toolbox(agent, options);
  return {
    get tools(): ChatTool[] {
      return toolbox.offer().map(({ name, description, parameters }) => ({
        type: 'function',
        function: { name, description, parameters },
      }));
    },
    has: name => toolbox.has(name),
    async run(calls, options) {
      const answers = (calls ?? []).flatMap(({ id, function: call }) =>
        call && !toolbox.isOwn(call.name)
          ? [toolbox.run(call.name, call.arguments, options).then(result => toMessages(id, result))]
          : [],
      );
      const messages = (await Promise.all(answers)).flat();
      // All answers to one assistant's message must directly follow it.
      return [...messages.filter(({ role }) => role === 'tool'), ...messages.filter(({ role }) => role === 'user')];
    },
  };
}

/** A tool in the shape of `responses`. */
export interface ResponsesTool {
  type: 'function';
  name: string;
  description: string;
  parameters: Record<string, unknown>;
  strict: false;
}

/** An item of a response's `output`. Items of other kinds, and calls of `ownTools`, are left to the program. */
export interface ResponsesItem {
  type: string;
  call_id?: string | null;
  name?: string | null;
  arguments?: unknown;
}

/** An item of the next request's `input`. */
export interface ResponsesToolOutput {
  type: 'function_call_output';
  call_id: string;
  output: ({ type: 'input_text'; text: string } | { type: 'input_image'; image_url: string; detail: 'auto' })[];
}

/** The office's tools for `responses`. */
export interface ResponsesTools {
  /** The tools of the office at the moment; read it again before each request. */
  readonly tools: ResponsesTool[];
  /** True if a call of this name is for a tool of the office. */
  has(name: string): boolean;
  /** Runs the calls in a response's `output`, all at once, and returns the items that answer them. */
  run(output: readonly ResponsesItem[], options?: RequestOptions): Promise<ResponsesToolOutput[]>;
}

/** The tools of an office for `responses`, and the answers to their calls. */
export function responsesTools(agent: ToolAgent, options?: ToolOptions): ResponsesTools {
  const toolbox = new Toolbox(agent, options);
  return {
    get tools(): ResponsesTool[] {
      return toolbox.offer().map(({ name, description, parameters }) => ({
        type: 'function',
        ...{ name, description, parameters },
        strict: false,
      }));
    },
    has: name => toolbox.has(name),
    run(output, options) {
      const calls = output.filter(({ type, name }) => type === 'function_call' && !toolbox.isOwn(name ?? ''));
      return Promise.all(
        calls.map(async ({ call_id, name, arguments: input }) =>
          toOutput(call_id ?? '', await toolbox.run(name ?? '', input, options)),
        ),
      );
    },
  };
}

function toMessages(id: string, result: CallToolResult): ChatToolMessage[] {
  const parts = partsOf(result);
  const content = answerText(result);
  const images = parts.flatMap(part => (part.type === 'image' ? [{ url: dataUrl(part) }] : []));
  const answer: ChatToolMessage = { role: 'tool', tool_call_id: id, content };
  if (images.length === 0) return [answer];
  const caption = { type: 'text' as const, text: `Images of tool call ${id}` };
  return [
    answer,
    { role: 'user', content: [caption, ...images.map(image_url => ({ type: 'image_url' as const, image_url }))] },
  ];
}

function toOutput(call_id: string, result: CallToolResult): ResponsesToolOutput {
  const output: ResponsesToolOutput['output'] = partsOf(result).map(part =>
    part.type === 'text'
      ? { type: 'input_text', text: part.text }
      : { type: 'input_image', image_url: dataUrl(part), detail: 'auto' },
  );
  if (result.isError) output.unshift({ type: 'input_text', text: FAILED });
  return { type: 'function_call_output', call_id, output };
}
