import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { MCPServerConfig } from '@a2c-smcp/protocol';
import { toNodeHandler } from '@modelcontextprotocol/node';
import {
  createMcpHandler,
  type McpHttpHandler,
  OAuthError,
  OAuthErrorCode,
  requireBearerAuth,
} from '@modelcontextprotocol/server';
import { onTestFinished } from 'vitest';
import { type AuthorizationServer, openAuthorizationServer } from '../fixtures/authorization-server.mjs';
import { modernServers } from '../fixtures/modern-mcp-server.mjs';

export interface ProtectedServer {
  url: string;
  config: MCPServerConfig;
  authServer: AuthorizationServer;
  /** The scopes that tool calls need from now on. */
  requireScopes(...scopes: string[]): void;
  /** Names another authorization server from now on, and accepts its tokens only. */
  moveTo(authServer: AuthorizationServer): void;
  /** The tokens that requests came with. */
  tokens: Set<string>;
  /** How many requests were refused. */
  readonly refusals: number;
  openAuthServer(options?: Partial<Parameters<typeof openAuthorizationServer>[0]>): Promise<AuthorizationServer>;
}

/** An MCP server of both eras, made with the official SDK, that accepts the tokens of a real authorization server only. */
export async function openProtectedServer(
  options: Partial<Parameters<typeof openAuthorizationServer>[0]> & { oauth?: MCPServerConfig['oauth'] } = {},
): Promise<ProtectedServer> {
  const createModernServer = modernServers();
  const handler: McpHttpHandler = createMcpHandler(() => createModernServer(handler.notify));
  const http = createServer(toNodeHandler({ fetch: request => serve(request) }));
  await new Promise<void>(resolve => http.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const url = `${origin}/mcp`;
  const resourceMetadataUrl = `${origin}/.well-known/oauth-protected-resource/mcp`;
  const { oauth, ...provider } = options;
  const openAuthServer = async (own: typeof provider = {}) => {
    const opened = await openAuthorizationServer({ resource: url, ...provider, ...own });
    onTestFinished(() => opened.close());
    return opened;
  };
  let authServer = await openAuthServer();
  let callScopes: string[] = [];
  let refusals = 0;
  const tokens = new Set<string>();
  const verifier = {
    async verifyAccessToken(token: string) {
      const info = await authServer.verifyAccessToken(token);
      if (!info) throw new OAuthError(OAuthErrorCode.InvalidToken, `no such token: ${token}`);
      return info;
    },
  };

  async function serve(request: Request): Promise<Response> {
    if (request.url === resourceMetadataUrl) {
      const scopes_supported = ['mcp'];
      return Response.json({ resource: url, authorization_servers: [authServer.issuer], scopes_supported });
    }
    const [, token] = /^Bearer (.+)$/.exec(request.headers.get('authorization') ?? '') ?? [];
    if (token) tokens.add(token);
    const isCall = request.method === 'POST' && (await request.clone().text()).includes('"tools/call"');
    const requiredScopes = ['mcp', ...(isCall ? callScopes : [])];
    const gate = requireBearerAuth({ verifier, requiredScopes, resourceMetadataUrl, expectedResource: new URL(url) });
    const auth = await gate(request);
    if (!(auth instanceof Response)) return handler.fetch(request, { authInfo: auth });
    refusals += 1;
    return auth;
  }

  onTestFinished(async () => {
    await handler.close();
    http.closeAllConnections();
    http.close();
  });
  return {
    url,
    config: {
      name: 'shop',
      type: 'streamable',
      mcp_protocol: 'auto',
      default_tool_meta: { auto_apply: true },
      server_parameters: { url },
      ...(oauth === undefined ? {} : { oauth }),
    } as MCPServerConfig,
    get authServer() {
      return authServer;
    },
    get refusals() {
      return refusals;
    },
    requireScopes(...scopes) {
      callScopes = scopes;
    },
    moveTo(next) {
      authServer = next;
    },
    tokens,
    openAuthServer,
  };
}
