import type { CompleteMCPServerConfig } from '@a2c-smcp/protocol';
import type { ServerAuthOptions } from './options.ts';
import { ServerAuth } from './server-auth.ts';

/**
 * The authorisation for the MCP server of a configuration whose placeholders are filled. Undefined for a process, and for a
 * server whose credentials are part of the configuration.
 */
export function authorisationFor(
  config: CompleteMCPServerConfig,
  options: Omit<ServerAuthOptions, 'server' | 'url' | 'settings'>,
): ServerAuth | undefined {
  if (config.type === 'stdio' || !URL.canParse(config.server_parameters.url)) return undefined;
  const { oauth, server_parameters } = config;
  const url = new URL(server_parameters.url);
  const names = Object.keys(server_parameters.headers ?? {}).map(name => name.toLowerCase());
  if (!oauth && (names.includes('authorization') || url.username !== '' || url.password !== '')) return undefined;
  return new ServerAuth({ ...options, server: config.name, url: withoutUser(url), settings: oauth ?? {} });
}

function withoutUser(url: URL): URL {
  const plain = new URL(url);
  plain.username = '';
  plain.password = '';
  return plain;
}
