import type { IdentifiedConfig } from '../../config/bundle-id.ts';
import { maskConfig } from '../../config/mask.ts';
import { hashOf } from '../../config/origin.ts';

/** The part of a configuration that a start depends on; the rest concerns how tools are offered. */
export function startPart(config: IdentifiedConfig): string {
  const { type, server_parameters, disabled, mcp_protocol, vrl, bundle_id, envFile, roots, oauth } = config;
  const { windows, documents, start, idle } = config;
  const started = { type, server_parameters, disabled, mcp_protocol, vrl, bundle_id, envFile, roots, oauth };
  return JSON.stringify({ ...started, windows, documents, start, idle });
}

/**
 * A sum of everything in a configuration that decides what its MCP server lists, without secrets: literals count as far as
 * they are harmless, placeholders as they are written.
 */
export function fingerprint(config: IdentifiedConfig): string {
  const [masked] = maskConfig([], [config], text => text).servers;
  const { type, server_parameters, mcp_protocol, envFile, roots, require_subscribe } = masked ?? config;
  const adopted = [Object.keys(config.windows ?? {}), config.documents];
  return hashOf(JSON.stringify([type, server_parameters, mcp_protocol, envFile, roots, require_subscribe, ...adopted]));
}
