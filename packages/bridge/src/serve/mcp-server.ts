import type { Agent } from '@a2c-smcp/agent';
import { guardLogger, type Logger, VERSION } from '@a2c-smcp/core';
import { ProtocolError, ProtocolErrorCode, type Server } from '@modelcontextprotocol/server';
import { Office } from '../office.ts';
import type { BridgeOptions } from '../options.ts';
import { seatOf } from '../seat/seat.ts';
import { ConnectionChanges } from './connection.ts';
import { INSTRUCTIONS } from './instructions.ts';
import { PassThroughServer } from './pass-through-server.ts';
import { serveToolCalls } from './tool-calls.ts';

const IDENTITY = { name: 'a2c-smcp-bridge', title: 'A2C office', version: VERSION };

/**
 * An MCP server over the office of an Agent, for one connection of any transport of the official SDK. Closing it leaves the
 * Agent as it is.
 */
export function mcpServer(agent: Agent, options: BridgeOptions = {}): Server {
  const office = new Office(seatOf(agent), options);
  const server = officeServer(office, options);
  const { onclose } = server;
  server.onclose = () => {
    onclose?.();
    void office.close();
  };
  return server;
}

export interface OfficeServerOptions {
  logger?: Logger | undefined;
  /** True if it lives for a single request, and changes are announced by another way. @default false */
  isSingleRequest?: boolean | undefined;
}

/** An MCP server over an office, for one connection. */
export function officeServer(office: Office, { logger, isSingleRequest }: OfficeServerOptions = {}): Server {
  const server = new PassThroughServer(IDENTITY, {
    capabilities: {
      tools: { listChanged: true },
      resources: { subscribe: true, listChanged: true },
      prompts: { listChanged: true },
      completions: {},
    },
    instructions: INSTRUCTIONS,
  });
  const safeLogger = guardLogger(logger);
  const onError = (error: unknown) => safeLogger.debug('A change could not be announced', { error });
  const changes = isSingleRequest ? undefined : new ConnectionChanges(server, office, onError);
  server.onclose = () => changes?.close();
  server.setRequestHandler('tools/list', async () => ({ tools: await office.tools() }));
  serveToolCalls(server, office);
  serveResources(server, office, changes);
  servePrompts(server, office);
  return server;
}

function serveResources(server: Server, office: Office, changes: ConnectionChanges | undefined): void {
  const { resources } = office;
  server.setRequestHandler('resources/list', async ({ params }, { mcpReq }) => {
    changes?.watch();
    return { ...(await resources.list(params?.cursor, mcpReq.signal)) };
  });
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: resources.templates }));
  server.setRequestHandler('resources/read', async ({ params }, { mcpReq }) => {
    changes?.watch();
    return { contents: await resources.read(params.uri, mcpReq.signal) };
  });
  server.setRequestHandler('resources/subscribe', ({ params }) => {
    if (changes && !changes.subscribe(params.uri)) {
      throw new ProtocolError(
        ProtocolErrorCode.InvalidRequest,
        'Too many subscriptions: unsubscribe from others first',
      );
    }
    return {};
  });
  server.setRequestHandler('resources/unsubscribe', ({ params }) => {
    changes?.unsubscribe(params.uri);
    return {};
  });
  server.setRequestHandler('completion/complete', async ({ params: { ref, argument, context } }) => {
    if (ref.type !== 'ref/resource') return { completion: { values: [] } };
    return { completion: { ...(await resources.complete(argument, context?.arguments ?? {})) } };
  });
}

function servePrompts(server: Server, { prompts }: Office): void {
  server.setRequestHandler('prompts/list', async (_, { mcpReq }) => ({ prompts: await prompts.list(mcpReq.signal) }));
  server.setRequestHandler('prompts/get', ({ params }, { mcpReq }) =>
    prompts.get(params.name, params.arguments, mcpReq.signal),
  );
}
