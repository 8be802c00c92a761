import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Json = Record<string, unknown>;

/** A model on loopback that calls the tool `office` of the bridge once and then says "finished". */
export interface ScriptedModel extends AsyncDisposable {
  url: string;
  /** The bodies of all requests, as text. */
  requests: string[];
}

/** Speaks Anthropic's messages, OpenAI's chat completions and responses, and Gemini's contents. */
export async function openModel(): Promise<ScriptedModel> {
  const requests: string[] = [];
  const server = createServer(async (request, response) => {
    const text = await readText(request);
    requests.push(text);
    const path = request.url ?? '';
    const body = parse(text);
    if (/count_?tokens/i.test(path)) send(response, { input_tokens: 1, totalTokens: 1 });
    else if (path.includes('/messages')) stream(response, anthropicReply(body, text));
    else if (path.includes('/chat/completions')) stream(response, chatReply(body, text));
    else if (path.includes('/responses')) stream(response, responsesReply());
    else if (path.includes('enerateContent')) geminiReply(response, path);
    else send(response, {});
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise(resolve => server.close(resolve));
    },
  };
}

function anthropicReply({ model, tools }: Json, text: string): Json[] {
  const name = officeTool(tools, tool => String(tool.name));
  const isCall = name !== undefined && !text.includes('"tool_result"');
  const usage = { input_tokens: 1, output_tokens: 1 };
  const content = isCall ? { type: 'tool_use', id: 'toolu_1', name, input: {} } : { type: 'text', text: '' };
  const delta = isCall ? { type: 'input_json_delta', partial_json: '{}' } : { type: 'text_delta', text: 'finished' };
  const message = { id: 'msg_1', type: 'message', role: 'assistant', model, content: [], stop_reason: null, usage };
  return [
    { type: 'message_start', message },
    { type: 'content_block_start', index: 0, content_block: content },
    { type: 'content_block_delta', index: 0, delta },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: isCall ? 'tool_use' : 'end_turn' }, usage: { output_tokens: 1 } },
    { type: 'message_stop' },
  ];
}

function chatReply({ model, tools }: Json, text: string): (Json | string)[] {
  const name = officeTool(tools, tool => String((tool.function as Json | undefined)?.name));
  const isCall = name !== undefined && !text.includes('"role":"tool"');
  const chunk = (delta: Json, finish_reason: string | null) => ({
    id: 'chat_1',
    object: 'chat.completion.chunk',
    created: 1,
    model,
    choices: [{ index: 0, delta, finish_reason }],
  });
  const call = { index: 0, id: 'call_1', type: 'function', function: { name, arguments: '{}' } };
  const delta = isCall ? { tool_calls: [call] } : { content: 'finished' };
  return [chunk({ role: 'assistant', ...delta }, null), chunk({}, isCall ? 'tool_calls' : 'stop'), '[DONE]'];
}

function responsesReply(): Json[] {
  const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
  const content = [{ type: 'output_text', text: 'finished', annotations: [] }];
  const item = { type: 'message', id: 'item_1', role: 'assistant', status: 'completed', content };
  return [
    { type: 'response.created', response: { id: 'response_1' } },
    { type: 'response.output_item.done', output_index: 0, item },
    { type: 'response.completed', response: { id: 'response_1', output: [item], usage } },
  ];
}

function geminiReply(response: ServerResponse, path: string): void {
  const content = { role: 'model', parts: [{ text: 'finished' }] };
  const usageMetadata = { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 };
  const answer = { candidates: [{ content, finishReason: 'STOP', index: 0 }], usageMetadata };
  if (path.includes('stream')) stream(response, [answer]);
  else send(response, answer);
}

/** The name under which a client shows the tool `office`, if the request has it. */
function officeTool(tools: unknown, nameOf: (tool: Json) => string): string | undefined {
  return (Array.isArray(tools) ? tools : []).map(nameOf).find(name => /a2c.*office$/.test(name));
}

function stream(response: ServerResponse, events: readonly (Json | string)[]): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const event of events) {
    if (typeof event !== 'string' && typeof event.type === 'string') response.write(`event: ${event.type}\n`);
    response.write(`data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`);
  }
  response.end();
}

function send(response: ServerResponse, body: Json): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

async function readText(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const part of request) text += part;
  return text;
}

function parse(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}
