import type { MCPServerOAuth } from '@a2c-smcp/protocol';
import {
  type FetchLike,
  type OAuthClientInformationMixed,
  RegistrationRejectedError,
  registerClient,
} from '@modelcontextprotocol/client';
import type { AuthServer } from './auth-server.ts';
import { AuthServerError } from './errors.ts';

const CLIENT_NAME = 'A2C-SMCP Computer';
export const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

export interface ClientOptions {
  settings: MCPServerOAuth;
  /** Undefined if no browser returns. */
  redirectUri: string | undefined;
  scope: string | undefined;
  fetch: FetchLike;
}

/** The client that a configuration names, or undefined if the Computer has to make itself known. */
export function configuredClient(
  server: AuthServer,
  settings: MCPServerOAuth,
): OAuthClientInformationMixed | undefined {
  const { client_id, client_secret, client_metadata_url: address } = settings;
  if (client_id !== undefined) return { client_id, ...(client_secret === undefined ? {} : { client_secret }) };
  const reads = server.metadata?.client_id_metadata_document_supported === true;
  return reads && address !== undefined ? { client_id: address } : undefined;
}

/**
 * The client of a sign-in: that of the configuration, else one that is registered for this sign-in. A former registration is
 * not used again, because it may be gone by now and has the scopes and the address of another sign-in.
 */
export async function obtainClient(server: AuthServer, options: ClientOptions): Promise<OAuthClientInformationMixed> {
  const { settings, redirectUri, scope, fetch } = options;
  const known = configuredClient(server, settings);
  if (known) return known;
  const { metadata } = server;
  if (metadata && metadata.registration_endpoint === undefined) {
    throw new AuthServerError(
      "Its authorization server registers no clients: set 'oauth.client_id' to one that it knows",
    );
  }
  const methods = metadata?.token_endpoint_auth_methods_supported ?? ['none'];
  const [method = 'none'] = ['none', 'client_secret_basic', 'client_secret_post'].filter(each =>
    methods.includes(each),
  );
  try {
    return await registerClient(server.url, {
      ...(metadata ? { metadata } : {}),
      clientMetadata: {
        client_name: CLIENT_NAME,
        redirect_uris: redirectUri === undefined ? [] : [redirectUri],
        grant_types:
          redirectUri === undefined ? [DEVICE_GRANT, 'refresh_token'] : ['authorization_code', 'refresh_token'],
        response_types: redirectUri === undefined ? [] : ['code'],
        token_endpoint_auth_method: method,
        application_type: 'native',
      },
      ...(scope === undefined ? {} : { scope }),
      fetchFn: fetch,
    });
  } catch (error) {
    if (error instanceof AuthServerError) throw error;
    if (error instanceof RegistrationRejectedError && metadata) {
      const advice = "set 'oauth.client_id' to a client that it knows";
      throw new AuthServerError(
        `Its authorization server refuses to register a client (HTTP ${error.status}): ${advice}`,
      );
    }
    throw new AuthServerError("It names no authorization server: give it credentials in 'headers' if it takes a key");
  }
}
