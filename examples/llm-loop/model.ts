import type { ChatTool, ChatToolCall, ChatToolMessage } from '@a2c-smcp/agent/openai';

/** The answer of a model: text, calls of tools, or both. */
export interface Answer {
  role: 'assistant';
  content: string | null;
  tool_calls?: ChatToolCall[];
}

export type Message = { role: 'system' | 'user'; content: string } | Answer | ChatToolMessage;

/**
 * Replaces `client.chat.completions.create`: takes the same messages and tools, and answers like a model that writes a
 * note, reads the notes and repeats them.
 */
export async function askModel(messages: readonly Message[], tools: readonly ChatTool[]): Promise<Answer> {
  const offered = tools.map(tool => tool.function.name);
  const results = messages.filter(message => message.role === 'tool');
  const script = [call('add_note', { text: 'Water the plants' }), call('list_notes', {})];
  const next = script[results.length];
  if (!next) return { role: 'assistant', content: `Your notes say: ${results.at(-1)?.content}` };
  if (!offered.includes(next.function.name)) throw new Error(`The model was not offered ${next.function.name}`);
  return { role: 'assistant', content: null, tool_calls: [next] };
}

function call(name: string, input: object) {
  return { id: `call-${name}`, type: 'function', function: { name, arguments: JSON.stringify(input) } };
}
