import { Bridge, type BridgeHttpServer, type BridgeOptions, type HttpOptions } from '@a2c-smcp/bridge';
import type { ComputerOptions } from '@a2c-smcp/computer';
import { type OpenOffice, openOffice } from '@a2c-smcp/testing';
import { Client, type ClientCapabilities, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { bundled } from '../programs.ts';
import { streamTransport } from '../streams.ts';

/** A Computer with an MCP server that asks, whose owner lets Agents answer. */
export const asking: Partial<ComputerOptions> = {
  questions: { forward: 'agent' },
  servers: {
    s: {
      name: 's',
      type: 'stdio',
      default_tool_meta: { auto_apply: true },
      server_parameters: {
        command: process.execPath,
        args: [bundled('asking-mcp-server')],
      },
    },
  },
};
/** The capabilities of a client that shows forms to its user. */
export const forms = { elicitation: { form: {} } };

export const ERAS = ['legacy', 'modern'] as const;
export type Era = (typeof ERAS)[number];
export const WAYS = ['http', 'streams'] as const;
export type Way = (typeof WAYS)[number];

export interface Bridged extends OpenOffice, AsyncDisposable {
  bridge: Bridge;
  http: BridgeHttpServer;
  /** A connected client of an era, by HTTP or by two streams. */
  connect(era: Era, way?: Way, capabilities?: ClientCapabilities): Promise<Client>;
}

export interface BridgedOptions extends BridgeOptions {
  http?: HttpOptions;
}

/** An office with Computers, and a bridge in front of it. */
export async function openBridged(
  computers: Record<string, Partial<ComputerOptions>>,
  { http: httpOptions, ...options }: BridgedOptions = {},
): Promise<Bridged> {
  const office = await openOffice(computers);
  const bridge = new Bridge({ url: office.url, office: 'test', name: 'bridge' }, options);
  const http = await bridge.listen(httpOptions);
  const clients: Client[] = [];
  return {
    ...office,
    bridge,
    http,
    async connect(era, way = 'http', capabilities = {}) {
      const client = newClient(era, capabilities);
      clients.push(client);
      await client.connect(
        way === 'http' ? httpTransport(http) : streamTransport(streams => bridge.serve(streams).closed),
      );
      return client;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(clients.map(client => client.close()));
      await bridge.close();
      await office[Symbol.asyncDispose]();
    },
  };
}

export function newClient(era: Era, capabilities: ClientCapabilities = {}): Client {
  const options = era === 'modern' ? { versionNegotiation: { mode: 'auto' as const } } : {};
  return new Client({ name: 'test', version: '1' }, { ...options, capabilities });
}

export function httpTransport({ url, token }: { url: string; token: string }): StreamableHTTPClientTransport {
  return new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
  });
}

/** The names of all tools but the built-in ones. */
export async function toolNames(client: Client): Promise<string[]> {
  const builtIn = ['desktop', 'find_documents', 'office', 'read_document'];
  return (await client.listTools()).tools.map(({ name }) => name).filter(name => !builtIn.includes(name));
}

/** The text of a result. */
export function textIn(result: { content?: unknown }): string {
  const blocks = (result.content ?? []) as { type: string; text?: string }[];
  return blocks.map(({ text = '' }) => text).join('\n');
}

export interface WaitingTool {
  state: 'new' | 'running' | 'cancelled';
  run(params: object, context: { signal: AbortSignal }): Promise<unknown>;
}

/** A tool that runs until it is cancelled. */
export function waitingTool(): WaitingTool {
  const tool: WaitingTool = {
    state: 'new',
    run(_, { signal }) {
      tool.state = 'running';
      return new Promise(resolve =>
        signal.addEventListener('abort', () => {
          tool.state = 'cancelled';
          resolve('stopped');
        }),
      );
    },
  };
  return tool;
}
