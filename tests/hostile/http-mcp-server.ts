import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { MCPServerConfig } from '@a2c-smcp/protocol';
import { onTestFinished } from 'vitest';

/**
 * The result that an MCP server over HTTP answers with, as JSON text, so that it can be what `JSON.stringify` cannot
 * write, or the whole body.
 */
export type Answers = (request: {
  method: string;
  params: Record<string, unknown>;
}) => string | { body: string } | undefined;

export type HttpKind = 'streamable as JSON' | 'streamable as events' | 'sse';

/** An MCP server over HTTP by hand. Returns its configuration. */
export async function openHttpMcpServer(kind: HttpKind, answers: Answers): Promise<MCPServerConfig> {
  let stream: ServerResponse | undefined;
  const http = createServer(async (request, response) => {
    if (request.method === 'GET' && kind === 'sse') {
      stream = response.writeHead(200, { 'content-type': 'text/event-stream' });
      return stream.write('event: endpoint\ndata: /messages\n\n');
    }
    if (request.method !== 'POST') return response.writeHead(405).end();
    let body = '';
    for await (const chunk of request) body += chunk;
    const message = JSON.parse(body);
    const result = answers(message) ?? handshake(message);
    if (result === undefined || message.id === undefined) return response.writeHead(202).end();
    const answer =
      typeof result === 'object'
        ? result.body
        : `{"jsonrpc":"2.0","id":${JSON.stringify(message.id)},"result":${result}}`;
    if (kind === 'streamable as JSON') {
      return response.writeHead(200, { 'content-type': 'application/json' }).end(answer);
    }
    const event = `event: message\ndata: ${answer}\n\n`;
    if (kind === 'streamable as events') {
      return response.writeHead(200, { 'content-type': 'text/event-stream' }).end(event);
    }
    stream?.write(event);
    return response.writeHead(202).end();
  });
  await new Promise<void>(resolve => http.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    http.closeAllConnections();
    http.close();
  });
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`;
  const common = { name: 'web', default_tool_meta: { auto_apply: true } };
  return kind === 'sse'
    ? { ...common, type: 'sse', server_parameters: { url } }
    : { ...common, type: 'streamable', server_parameters: { url } };
}

function handshake({ method, params }: { method: string; params: Record<string, unknown> }): string | undefined {
  if (method === 'ping') return '{}';
  if (method === 'tools/list') return '{"tools":[{"name":"run","inputSchema":{"type":"object"}}]}';
  if (method !== 'initialize') return undefined;
  const { protocolVersion } = params;
  return JSON.stringify({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'h', version: '1' } });
}
