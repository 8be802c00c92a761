import type { CompleteMCPServerConfig } from '@a2c-smcp/protocol';
import { type PriorDiscovery, SdkError, SdkErrorCode } from '@modelcontextprotocol/client';
import { McpConnection, type McpConnectionOptions } from './connection.ts';
import { createTransport, requestLimit, type TransportOptions } from './transports.ts';

export type OpenConnectionOptions = Omit<McpConnectionOptions, 'protocol'> & TransportOptions;

/** Connects to the server of a configuration whose placeholders are filled, in the era that suits both. */
export async function openConnection(
  config: CompleteMCPServerConfig,
  { onStderr, prior, ...options }: OpenConnectionOptions,
): Promise<McpConnection> {
  const { mcp_protocol: protocol = 'legacy' } = config;
  const requestTimeout = requestLimit(config) ?? options.requestTimeout;
  const open = (verdict: PriorDiscovery | undefined) =>
    McpConnection.open(createTransport(config, { onStderr }), {
      ...options,
      protocol,
      requestTimeout,
      ...(verdict ? { prior: verdict } : {}),
    });
  try {
    return await open(prior);
  } catch (error) {
    if (!endedByProbe(error)) throw error;
    return open({ kind: 'legacy' });
  }
}

/** Servers made with old SDKs end when anything comes before `initialize`, as the probe for the newer era does. */
function endedByProbe(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof SdkError && cause.code === SdkErrorCode.EraNegotiationFailed;
}
