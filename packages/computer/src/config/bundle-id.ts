import { createHash } from 'node:crypto';
import { type CompleteMCPServerConfig, completeServerConfig, type MCPServerConfig } from '@a2c-smcp/protocol';

/** A complete configuration with the identity of its MCP server. */
export type IdentifiedConfig = CompleteMCPServerConfig & { bundle_id: string };

/** Writes out the defaults of a configuration and its `bundle_id`, which protocol 0.3 introduced. */
export function identify(config: MCPServerConfig): IdentifiedConfig {
  const complete = completeServerConfig(config);
  return { ...complete, bundle_id: complete.bundle_id ?? derivedId(complete) };
}

/** The name in letters that may be part of a tool's name; the way to reach the server if no letter remains. */
function derivedId(config: CompleteMCPServerConfig): string {
  const derived = config.name
    .replace(/[^A-Za-z0-9_-]/gu, '_')
    .replace(/_+/g, '_')
    .replace(/^[_-]+|[_-]+$/g, '');
  if (derived !== '') return derived;
  const digest = createHash('sha256').update(identityBytes(config)).digest('hex');
  return `bundle_${digest.slice(0, 16)}`;
}

/** All implementations hash the same bytes. Placeholders are not replaced, so that a new token does not change the identity. */
function identityBytes(config: CompleteMCPServerConfig): Buffer {
  if (config.type === 'stdio') {
    const { command, args, env } = config.server_parameters;
    return Buffer.concat([textBytes('stdio'), textBytes(command), listBytes(args), mapBytes(env)]);
  }
  const { url, headers } = config.server_parameters;
  return Buffer.concat([textBytes(config.type), textBytes(url), mapBytes(headers)]);
}

function textBytes(text: string): Buffer {
  const bytes = Buffer.from(text);
  return Buffer.concat([count(bytes.length), bytes]);
}

function listBytes(texts: readonly string[]): Buffer {
  return Buffer.concat([count(texts.length), ...texts.map(textBytes)]);
}

/** The order of UTF-8 bytes is that of code points, which the UTF-16 order of `sort` is not. */
function mapBytes(map: Record<string, unknown> | null): Buffer {
  const entries = Object.entries(map ?? {}).map(([key, value]) => [textBytes(key), textBytes(String(value))] as const);
  entries.sort(([a], [b]) => Buffer.compare(a.subarray(4), b.subarray(4)));
  return Buffer.concat([count(entries.length), ...entries.flat()]);
}

function count(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
