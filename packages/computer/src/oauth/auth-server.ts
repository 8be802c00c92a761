import { fieldsOf, isObject } from '@a2c-smcp/core';
import type { MCPServerOAuth } from '@a2c-smcp/protocol';
import {
  type AuthorizationServerMetadata,
  checkResourceAllowed,
  computeScopeUnion,
  discoverAuthorizationServerMetadata,
  discoverOAuthServerInfo,
  type FetchLike,
  IssuerMismatchError,
  type OAuthServerInfo,
  resourceUrlFromServerUrl,
} from '@modelcontextprotocol/client';
import { AuthServerError } from './errors.ts';
import { isSameIssuer } from './issuer.ts';

/** The authorization server of an MCP server. */
export interface AuthServer {
  url: string;
  issuer: string;
  /** Undefined for servers of 2025-03-26 that publish none; their endpoints have fixed paths. */
  metadata: AuthorizationServerMetadata | undefined;
  /** The MCP server in its own words, which tokens are asked for. */
  resource: string | undefined;
  /** The scopes that the MCP server knows. */
  scope: string | undefined;
}

export interface DiscoverOptions {
  serverUrl: URL;
  /** From the challenge of the MCP server. */
  resourceMetadataUrl: URL | undefined;
  settings: MCPServerOAuth;
  fetch: FetchLike;
}

/** Finds the authorization server of an MCP server. */
export async function discoverAuthServer(options: DiscoverOptions): Promise<AuthServer> {
  const { serverUrl, settings } = options;
  const found = await discover(options);
  const { authorizationServerUrl: url, authorizationServerMetadata: metadata, resourceMetadata } = found;
  const resource = resourceMetadata?.resource;
  const requestedResource = resourceUrlFromServerUrl(serverUrl);
  if (resource !== undefined && !checkResourceAllowed({ requestedResource, configuredResource: resource })) {
    throw new AuthServerError('It says that it is another MCP server than the one at its address');
  }
  const issuer = metadata?.issuer ?? url;
  if (settings.issuer !== undefined && !isSameIssuer(settings.issuer, issuer)) {
    throw new AuthServerError("Its authorization server is not the one that 'oauth.issuer' names");
  }
  return { url, issuer, metadata, resource, scope: resourceMetadata?.scopes_supported?.join(' ') || undefined };
}

async function discover({
  serverUrl,
  resourceMetadataUrl,
  settings,
  fetch,
}: DiscoverOptions): Promise<OAuthServerInfo> {
  try {
    if (settings.metadata_url !== undefined) return await readMetadata(settings.metadata_url, fetch);
    const found = await discoverOAuthServerInfo(serverUrl, {
      ...(resourceMetadataUrl ? { resourceMetadataUrl } : {}),
      fetchFn: fetch,
    });
    const { authorization_servers: listed = [] } = found.resourceMetadata ?? {};
    const { issuer } = settings;
    if (issuer === undefined || isSameIssuer(issuer, found.authorizationServerUrl)) return found;
    // The configured one, if the MCP server accepts it or accepts any.
    if (listed.length > 0 && !listed.some(each => isSameIssuer(each, issuer))) return found;
    const authorizationServerMetadata = await discoverAuthorizationServerMetadata(issuer, { fetchFn: fetch });
    return {
      ...found,
      authorizationServerUrl: issuer,
      ...(authorizationServerMetadata && { authorizationServerMetadata }),
    };
  } catch (error) {
    if (error instanceof AuthServerError) throw error;
    if (error instanceof IssuerMismatchError) {
      throw new AuthServerError('Its authorization server says that it is another one (issuer mismatch)');
    }
    throw new AuthServerError('The metadata of its authorization server cannot be read');
  }
}

async function readMetadata(address: string, fetch: FetchLike): Promise<OAuthServerInfo> {
  const response = await fetch(address, { headers: { accept: 'application/json' }, redirect: 'manual' });
  const metadata: unknown = response.ok ? await response.json() : undefined;
  const { issuer, authorization_endpoint, token_endpoint } = fieldsOf(metadata);
  const isWhole = [issuer, authorization_endpoint, token_endpoint].every(each => URL.canParse(String(each)));
  if (!isObject(metadata) || !isWhole) throw new AuthServerError("'oauth.metadata_url' leads to no metadata");
  const whole = { response_types_supported: ['code'], ...metadata } as unknown as AuthorizationServerMetadata;
  return { authorizationServerUrl: String(issuer), authorizationServerMetadata: whole };
}

/** An endpoint that is not part of the SDK's types. */
export function endpointOf({ metadata }: AuthServer, name: string): string | undefined {
  const endpoint = fieldsOf(metadata)[name];
  return typeof endpoint === 'string' ? endpoint : undefined;
}

/**
 * The scopes to ask for: those of the configuration, else those of a challenge, else all that the MCP server knows. With
 * `offline_access`, authorization servers that list it grant a refresh token.
 */
export function scopeFor(
  server: AuthServer,
  settings: MCPServerOAuth,
  challenged: string | undefined,
): string | undefined {
  const scope = settings.scopes?.join(' ') || challenged || server.scope;
  const offers = server.metadata?.scopes_supported?.includes('offline_access') === true;
  return offers && scope && settings.grant !== 'client_credentials'
    ? computeScopeUnion(scope, 'offline_access')
    : scope;
}
