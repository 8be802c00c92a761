import type { CompleteMCPServerConfig } from '@a2c-smcp/protocol';

/**
 * The identity that protocol 0.3 gives to an MCP server, derived from its name unless it is configured. Servers of 0.3
 * and later do not pass on a list of tools without it.
 */
export function bundleId({ name, bundle_id }: CompleteMCPServerConfig): string {
  if (typeof bundle_id === 'string' && bundle_id !== '') return bundle_id;
  const derived = name
    .replace(/[^A-Za-z0-9_-]/gu, '_')
    .replace(/_+/g, '_')
    .replace(/^[_-]+|[_-]+$/g, '');
  return derived === '' ? `bundle_${Buffer.from(name).toString('hex')}` : derived;
}
