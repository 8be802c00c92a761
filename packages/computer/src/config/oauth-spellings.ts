import { fieldsOf, isObject, type Json } from '@a2c-smcp/core';

/** Fields of VS Code and Claude Code by those of ours. */
const SPELLINGS: Record<string, string> = {
  clientId: 'client_id',
  clientSecret: 'client_secret',
  clientMetadataUrl: 'client_metadata_url',
  redirectUri: 'redirect_uri',
  authServerMetadataUrl: 'metadata_url',
};

/** The field `oauth` in our own form, whether it is written as ours, VS Code's, Claude Code's or that of the Python SDK. */
export function toOwnOAuth(oauth: unknown): unknown {
  if (!isObject(oauth)) return oauth;
  const { scopes, callbackPort, mode, resource: _, clientName: __, ...rest } = oauth;
  const renamed = Object.entries(rest).map(([name, value]) => [SPELLINGS[name] ?? name, value]);
  return {
    ...Object.fromEntries(renamed),
    ...(scopes === undefined
      ? {}
      : { scopes: typeof scopes === 'string' ? scopes.split(/\s+/).filter(Boolean) : scopes }),
    // Clients of Claude Code are registered with this address.
    ...(callbackPort === undefined ? {} : { redirect_uri: `http://localhost:${callbackPort}/callback` }),
    ...(isObject(mode) ? ofMode(mode) : {}),
  };
}

/** The ways to sign in that the Python SDK knows. Secrets are named as inputs there. */
function ofMode(mode: Json): Json {
  const { type, clientId, clientSecretInput, privateKeyInput, algorithm, url } = fieldsOf(mode);
  const isAlone = typeof type === 'string' && type.startsWith('clientCredentials');
  return {
    ...(isAlone ? { grant: 'client_credentials' } : {}),
    ...(clientId === undefined ? {} : { client_id: clientId }),
    ...(typeof clientSecretInput === 'string' ? { client_secret: `\${input:${clientSecretInput}}` } : {}),
    ...(typeof privateKeyInput === 'string' ? { private_key: `\${input:${privateKeyInput}}` } : {}),
    ...(algorithm === undefined ? {} : { algorithm }),
    ...(url === undefined ? {} : { client_metadata_url: url }),
  };
}
