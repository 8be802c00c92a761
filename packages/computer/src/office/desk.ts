import type { PeerSocket } from '@a2c-smcp/peer';
import {
  AgentCallData,
  type CallToolResult,
  type GetComputerConfigRet,
  type GetDeskTopReq,
  type GetDpeReq,
  type GetFinderReq,
  type Logger,
  type ReadResourceReq,
  type ResourceContents,
  type SMCPTool,
  serve,
  type ToolCallReq,
} from '@a2c-smcp/protocol';
import type { FinderPage } from '../finder/organize.ts';
import type { ResourceList } from '../mcp/connection.ts';
import { fittingAnswer, fittingResult } from './answers.ts';

/** What a Computer offers to the Agent of its office. */
export interface Offers {
  callTool(request: ToolCallReq): Promise<CallToolResult>;
  cancelToolCall(request: AgentCallData): void;
  tools(): readonly SMCPTool[];
  config(): GetComputerConfigRet;
  resources(server: string, cursor: string | null | undefined): Promise<ResourceList>;
  readResource(request: ReadResourceReq): Promise<ResourceContents[]>;
  desktop(request: GetDeskTopReq): Promise<string[]>;
  finder(request: GetFinderReq): Promise<FinderPage>;
  readDpe(request: GetDpeReq): Promise<ResourceContents[]>;
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
      const { resources, nextCursor = null } = await offers.resources(mcp_server, cursor);
      return fittingAnswer('The list of resources', { resources, next_cursor: nextCursor, req_id }, limit());
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
  serve(
    socket,
    'client:get_desktop',
    async request => {
      const desktops = await offers.desktop(request);
      return fittingAnswer('The desktop', { desktops, req_id: request.req_id }, limit());
    },
    { logger },
  );
  serve(
    socket,
    'client:get_finder',
    async request => {
      const { documents, totalCount } = await offers.finder(request);
      const answer = { documents, total_count: totalCount, req_id: request.req_id };
      return fittingAnswer('The list of documents', answer, limit());
    },
    { logger },
  );
  serve(
    socket,
    'client:get_dpe',
    async request => {
      const contents = await offers.readDpe(request);
      return fittingAnswer(`The document '${request.uri}'`, { contents, req_id: request.req_id }, limit());
    },
    { logger },
  );
  socket.on('notify:tool_call_cancel', payload => {
    const request = AgentCallData.safeParse(payload);
    if (request.success) offers.cancelToolCall(request.data);
  });
}
