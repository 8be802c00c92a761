import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Computer } from '@a2c-smcp/computer';
import { ErrorCode, type MCPServerConfig } from '@a2c-smcp/protocol';
import {
  OAuthError,
  OAuthErrorCode,
  SdkErrorCode,
  SdkHttpError,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import { expect, onTestFinished, test } from 'vitest';
import { authFailure } from '../../packages/computer/src/tools/failures.ts';
import vectors from '../conformance/fixtures/auth_error_conformance_vectors.json' with { type: 'json' };
import { verifies } from '../conformance/verifies.ts';

interface Refusal {
  status: number;
  wwwAuthenticate?: string | null;
  /** Headers of the configuration. With credentials among them, no sign-in is offered. */
  headers?: Record<string, string>;
}

/** A protected MCP server: it lets the handshake and the list of tools pass and refuses to call any. */
async function openProtected(
  kind: 'streamable' | 'sse',
  { status, wwwAuthenticate, headers }: Refusal,
): Promise<MCPServerConfig> {
  let stream: ServerResponse | undefined;
  const http = createServer(async (request, response) => {
    if (request.method === 'GET') {
      if (kind === 'streamable') return response.writeHead(405).end();
      stream = response.writeHead(200, { 'content-type': 'text/event-stream' });
      return stream.write('event: endpoint\ndata: /messages\n\n');
    }
    const message = JSON.parse(await bodyOf(request));
    if (message.method === 'tools/call') {
      const header = wwwAuthenticate ? { 'www-authenticate': wwwAuthenticate } : {};
      return response.writeHead(status, header).end('token=canary-of-the-server');
    }
    const result = resultOf(message);
    const answer = JSON.stringify({ jsonrpc: '2.0', id: message.id, result });
    if (result === undefined || kind === 'sse') {
      if (result !== undefined) stream?.write(`event: message\ndata: ${answer}\n\n`);
      return response.writeHead(202).end();
    }
    return response.writeHead(200, { 'content-type': 'application/json' }).end(answer);
  });
  await new Promise<void>(resolve => http.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    http.closeAllConnections();
    http.close();
  });
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp?api_key=canary-of-the-url`;
  return {
    name: 'shop',
    type: kind,
    default_tool_meta: { auto_apply: true },
    server_parameters: { url, ...(headers && { headers }) },
  };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = '';
  for await (const chunk of request) body += chunk;
  return body;
}

function resultOf({ method, params }: { method: string; params: { protocolVersion: string } }): unknown {
  if (method === 'initialize') {
    const serverInfo = { name: 'protected', version: '1' };
    return { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo };
  }
  if (method === 'tools/list') return { tools: [{ name: 'buy', inputSchema: { type: 'object' } }] };
  return method === 'ping' ? {} : undefined;
}

async function callProtected(kind: 'streamable' | 'sse', refusal: Refusal) {
  const config = await openProtected(kind, refusal);
  await using computer = await Computer.open({ name: 'desk', servers: { shop: config } });
  const started = Date.now();
  const result = await computer.callTool({ tool: 'buy', timeout: 30_000 });
  return { result, took: Date.now() - started };
}

test.each(vectors.vectors)('vector: $desc', async ({ transport, upstream, expected }) => {
  const kind = transport === 'streamable_http' ? 'streamable' : 'sse';
  const wwwAuthenticate = 'www_authenticate' in upstream ? upstream.www_authenticate : null;
  const { result, took } = await callProtected(kind, { status: upstream.status, wwwAuthenticate });
  expect(result).toMatchObject({ isError: expected.isError, meta: { error_code: expected.error_code } });
  expect(took).toBeLessThan(10_000);
});

verifies(['upstream-auth.required', 'upstream-auth.failed', 'upstream-auth.prompt', 'upstream-auth.hint'], async () => {
  for (const kind of ['streamable', 'sse'] as const) {
    for (const [status, code] of [
      [401, 4006],
      [403, 4007],
    ] as const) {
      const wwwAuthenticate = 'Bearer error="insufficient_scope", scope="canary-scope", client_id="canary-client"';
      const { result, took } = await callProtected(kind, { status, wwwAuthenticate });
      expect(result).toMatchObject({ isError: true, meta: { error_code: code, mcp_server: 'shop', auth_hint: {} } });
      expect(JSON.stringify(result)).not.toContain('canary');
      expect(took).toBeLessThan(10_000);
    }
  }
  for (const [status, code] of [
    [401, 4006],
    [403, 4007],
  ] as const) {
    const { result } = await callProtected('streamable', { status, headers: { Authorization: 'Bearer canary-token' } });
    expect(result).toMatchObject({ isError: true, meta: { error_code: code } });
    expect(JSON.stringify(result)).not.toContain('canary');
  }
  const canary = 'canary https://idp.example/cb?code=canary client_id=canary';
  const errors = [
    new Error(canary, { cause: new UnauthorizedError(canary) }),
    new OAuthError(OAuthErrorCode.InvalidGrant, canary),
    new OAuthError(OAuthErrorCode.UnauthorizedClient, canary),
    new SdkHttpError(SdkErrorCode.ClientHttpNotImplemented, canary, { status: 401, text: canary }),
  ];
  for (const error of errors) {
    expect(authFailure(error, 'shop')).toMatchObject({ meta: { auth_hint: { message: expect.any(String) } } });
    expect(JSON.stringify(authFailure(error, 'shop'))).not.toContain('canary');
  }
  const codeOf = (error: unknown) => authFailure(error, 'shop')?.meta?.error_code;
  expect(codeOf(new Error('outer', { cause: new UnauthorizedError() }))).toBe(4006);
  expect(codeOf(new OAuthError(OAuthErrorCode.InvalidGrant, 'revoked'))).toBe(4007);
  expect(codeOf(new OAuthError(OAuthErrorCode.InvalidToken, 'expired'))).toBe(4007);
  expect(codeOf(new OAuthError(OAuthErrorCode.UnauthorizedClient, 'who?'))).toBe(4006);
});

verifies('upstream-auth.action', async () => {
  for (const [status, action] of [
    [401, 'user_authorization_required'],
    [403, 'token_refresh_required'],
  ] as const) {
    const { result } = await callProtected('streamable', { status });
    expect(result).toMatchObject({ meta: { auth_hint: { action } } });
  }
});

verifies(
  'tools.list',
  async () => {
    for (const kind of ['streamable', 'sse'] as const) {
      const shop = await openProtected(kind, { status: 401 });
      await using computer = await Computer.open({ name: 'desk', servers: { shop } });
      expect([kind, computer.tools.map(({ name }) => name)]).toEqual([kind, ['buy']]);
    }
  },
  'over SSE and streamable HTTP',
);

verifies('upstream-auth.unavailable', async () => {
  const { result } = await callProtected('streamable', { status: 503 });
  expect(result).toMatchObject({ isError: true, meta: { error_code: ErrorCode.ToolFailed } });
  expect(JSON.stringify(result)).not.toContain('canary-of-the-url');
  const codeOf = (error: unknown) => authFailure(error, 'shop')?.meta?.error_code;
  expect(codeOf(new OAuthError(OAuthErrorCode.ServerError, 'down'))).toBeUndefined();
  expect(codeOf(new SdkHttpError(SdkErrorCode.ClientHttpNotImplemented, '502', { status: 502 }))).toBeUndefined();
  expect(codeOf(new Error('the text says 401 Unauthorized'))).toBeUndefined();
});
