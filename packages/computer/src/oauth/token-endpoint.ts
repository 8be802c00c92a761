import { fieldsOf } from '@a2c-smcp/core';
import type { MCPServerOAuth } from '@a2c-smcp/protocol';
import {
  assertSecureTokenEndpoint,
  createPrivateKeyJwtAuth,
  type FetchLike,
  type OAuthClientInformationMixed,
  selectClientAuthMethod,
} from '@modelcontextprotocol/client';
import * as z from 'zod';
import type { AuthServer } from './auth-server.ts';
import { AuthServerError } from './errors.ts';

/** The answer of a token endpoint. */
export const Tokens = z.object({
  access_token: z.string().min(1),
  token_type: z.string(),
  /** In seconds. Some servers send a text. */
  expires_in: z.coerce.number().optional(),
  refresh_token: z.string().optional(),
  scope: z.string().optional(),
});
export type Tokens = z.infer<typeof Tokens>;

/** The client of a token request, and the authorization server it goes to. */
export interface TokenContext {
  server: AuthServer;
  client: OAuthClientInformationMixed;
  settings: MCPServerOAuth;
  fetch: FetchLike;
}

/** Gets tokens for a grant, for the MCP server alone if the authorization server knows such a thing. */
export async function requestTokens(grant: Record<string, string | undefined>, context: TokenContext): Promise<Tokens> {
  const { server } = context;
  const endpoint = server.metadata?.token_endpoint ?? new URL('/token', server.url).href;
  const answer = await post(endpoint, { ...grant, resource: server.resource }, context);
  const tokens = Tokens.safeParse(answer);
  if (!tokens.success) throw new AuthServerError('The authorization server answered without a token');
  if (tokens.data.token_type.toLowerCase() !== 'bearer') {
    throw new AuthServerError('The authorization server gave a token of a kind that is not supported');
  }
  return tokens.data;
}

/** Sends a form with the credentials of the client. Rejects with the code of an error. */
export async function post(
  endpoint: string,
  fields: Record<string, string | undefined>,
  { server, client, settings, fetch }: TokenContext,
): Promise<unknown> {
  const url = assertSecureTokenEndpoint(endpoint);
  const headers = new Headers({ accept: 'application/json' });
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) params.set(name, value);
  const { private_key: privateKey, algorithm: alg = 'RS256' } = settings;
  if (privateKey === undefined) authenticate(client, server, { headers, params });
  else {
    const { client_id: id } = client;
    params.set('client_id', id);
    const sign = createPrivateKeyJwtAuth({ issuer: id, subject: id, privateKey, alg });
    try {
      await sign(headers, params, url, server.metadata);
    } catch {
      throw new AuthServerError(`'oauth.private_key' is no PKCS #8 key in PEM for ${alg}`);
    }
  }
  // A redirect would carry the credentials elsewhere.
  const response = await fetch(url, { method: 'POST', headers, body: params, redirect: 'manual' });
  const body: unknown = await response.json().catch(() => undefined);
  const { error } = fieldsOf(body);
  if (response.ok && error === undefined) return body;
  throw refusal(error, response.status);
}

function authenticate(
  client: OAuthClientInformationMixed,
  { metadata }: AuthServer,
  { headers, params }: { headers: Headers; params: URLSearchParams },
): void {
  const { client_id: id, client_secret: secret } = client;
  const method = selectClientAuthMethod(client, metadata?.token_endpoint_auth_methods_supported ?? []);
  if (method === 'client_secret_basic' && secret !== undefined) {
    const pair = [id, secret].map(encodeURIComponent).join(':');
    headers.set('authorization', `Basic ${Buffer.from(pair).toString('base64')}`);
    return;
  }
  params.set('client_id', id);
  if (method === 'client_secret_post' && secret !== undefined) params.set('client_secret', secret);
}

const OUTAGES = ['server_error', 'temporarily_unavailable'];

/** The code if it is a word as RFC 6749 has them: the rest of the answer may repeat what was sent. */
function refusal(error: unknown, status: number): AuthServerError {
  const code = typeof error === 'string' && /^[a-z_]{1,40}$/.test(error) ? error : undefined;
  const reason = code === undefined ? `HTTP ${status}` : `'${code}'`;
  const isOutage = code === undefined ? status === 429 || status === 408 : OUTAGES.includes(code);
  return new AuthServerError(`The authorization server answered ${reason}`, { code, isOutage });
}
