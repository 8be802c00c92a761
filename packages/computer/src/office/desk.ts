import type { PeerSocket } from '@a2c-smcp/peer';
import {
  type CallToolResult,
  type GetComputerConfigRet,
  type Logger,
  type ReadResourceReq,
  type Resource,
  type ResourceContents,
  type SMCPTool,
  serve,
  type ToolCallReq,
} from '@a2c-smcp/protocol';
import { fittingAnswer, fittingResult } from './answers.ts';

/** What a Computer offers to the Agent of its office. */
export interface Offers {
  callTool(request: ToolCallReq): Promise<CallToolResult>;
  cancelToolCall(request: { agent: string; req_id: string }): void;
  tools(): readonly SMCPTool[];
  config(): GetComputerConfigRet;
  resources(
    server: string,
    cursor: string | null | undefined,
  ): Promise<{ resources: Resource[]; nextCursor?: string | null }>;
  readResource(request: ReadResourceReq): Promise<ResourceContents[]>;
}

export interface DeskOptions {
  /** The largest message that may be sent now, in bytes. */
  limit: () => number;
  logger: Logger;
}

/** Answers the Agent's requests on a socket. */
export function serveOffers(socket: PeerSocket, offers: Offers, { limit, logger }: DeskOptions): void {
  serve(socket, 'client:tool_call', async request => fittingResult(await offers.callTool(request), limit()), {
    logger,
  });
  serve(
    socket,
    'client:get_tools',
    ({ req_id }) => fittingAnswer('The list of tools', { tools: [...offers.tools()], req_id }, limit()),
    { logger },
  );
  serve(socket, 'client:get_config', () => fittingAnswer('The configuration', offers.config(), limit()), { logger });
  serve(
    socket,
    'client:get_resources',
    async ({ mcp_server, cursor, req_id }) => {
      const { resources, nextCursor } = await offers.resources(mcp_server, cursor);
      // Left out on the last page: Servers of the official SDK do not pass on a null.
      const next = typeof nextCursor === 'string' ? { next_cursor: nextCursor } : {};
      return fittingAnswer('The list of resources', { resources, ...next, req_id }, limit());
    },
    { logger },
  );
  serve(
    socket,
    'client:read_resource',
    async request => {
      const contents = await offers.readResource(request);
      return fittingAnswer(`The resource '${request.uri}'`, { contents, req_id: request.req_id }, limit());
    },
    { logger },
  );
  socket.on('notify:tool_call_cancel', request => offers.cancelToolCall(request));
}
