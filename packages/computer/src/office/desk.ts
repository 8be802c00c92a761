import { clip, type Handler, type Logger, replyIn, reqIdOf, type ServeOptions, serve } from '@a2c-smcp/core';
import type { Channel } from '@a2c-smcp/peer';
import {
  AgentCallData,
  type CallToolResult,
  type ClientEvent,
  ErrorCode,
  type GetComputerConfigRet,
  type GetDeskTopReq,
  type GetDpeReq,
  type GetFinderReq,
  type ReadResourceReq,
  type ResourceContents,
  type SMCPTool,
  SmcpError,
  type ToolCallReq,
  toErrorPayload,
} from '@a2c-smcp/protocol';
import type { FinderPage } from '../finder/organize.ts';
import type { ResourceList } from '../mcp/connection.ts';
import type { CallScope } from '../tools/call-scope.ts';
import type { AgentSession } from './agent-session.ts';
import { fittingAnswer, fittingResult } from './answers.ts';
import { visibleError } from './visible-error.ts';

const MAX_EVENT_LENGTH = 128;

/** What a Computer offers to the Agent of its office. */
export interface Offers {
  /** @param scope the calls of the Agent that sent it */
  callTool(request: ToolCallReq, scope: CallScope): Promise<CallToolResult>;
  tools(): readonly SMCPTool[];
  config(): GetComputerConfigRet;
  resources(server: string, cursor: string | null | undefined): Promise<ResourceList>;
  readResource(request: ReadResourceReq): Promise<ResourceContents[]>;
  desktop(request: GetDeskTopReq): Promise<string[]>;
  finder(request: GetFinderReq): Promise<FinderPage>;
  readDpe(request: GetDpeReq): Promise<ResourceContents[]>;
  /** Masks the secrets in a text. */
  redact(text: string): string;
}

export interface DeskOptions {
  /** The largest message that may be sent now, in bytes. */
  limit: () => number;
  session: AgentSession;
  logger: Logger;
}

/** Answers the Agent's requests. */
export function serveOffers(channel: Channel, offers: Offers, { limit, session, logger }: DeskOptions): void {
  const fit = <T>(what: string, answer: T) => fittingAnswer(what, answer, limit());

  const onRefused: ServeOptions['onRefused'] = (event, request, { code }) =>
    logger.warn('A request was refused', { event, req_id: reqIdOf(request), code });
  /** The only way of errors to the Agent. */
  const visibly = async <Q, A>(handler: (request: Q) => A | Promise<A>, request: Q): Promise<A> => {
    try {
      return await handler(request);
    } catch (error) {
      throw visibleError(error, text => offers.redact(text));
    }
  };
  const answer = <E extends ClientEvent>(event: E, handler: Handler<E>) =>
    serve(channel, event, request => visibly(handler, request), { logger, onRefused });

  answer('client:tool_call', async request => {
    const { scope } = session;
    const result = await offers.callTool(request, scope instanceof Promise ? await scope : scope);
    return fittingResult(result, limit());
  });
  answer('client:get_tools', ({ req_id }) => fit('The list of tools', { tools: [...offers.tools()], req_id }));
  answer('client:get_config', () => fit('The configuration', offers.config()));
  answer('client:get_resources', async ({ mcp_server, cursor, req_id }) => {
    const { resources, nextCursor } = await offers.resources(mcp_server, cursor);
    // Left out on the last page: Servers of the official SDK do not pass on a null.
    const next = typeof nextCursor === 'string' ? { next_cursor: nextCursor } : {};
    return fit('The list of resources', { resources, ...next, req_id });
  });
  answer('client:read_resource', async request => {
    const contents = await offers.readResource(request);
    return fit(`The resource '${request.uri}'`, { contents, req_id: request.req_id });
  });
  answer('client:get_desktop', async request => {
    const desktops = await offers.desktop(request);
    return fit('The desktop', { desktops, req_id: request.req_id });
  });
  answer('client:get_finder', async request => {
    const { documents, totalCount } = await offers.finder(request);
    return fit('The list of documents', { documents, total_count: totalCount, req_id: request.req_id });
  });
  answer('client:get_dpe', async request => {
    const contents = await offers.readDpe(request);
    return fit(`The document '${request.uri}'`, { contents, req_id: request.req_id });
  });
  // Without an answer its sender would wait for its whole time limit.
  channel.onUnknown((event: string, ...args: unknown[]) => {
    if (!event.startsWith('client:')) return;
    const unknown = new SmcpError(ErrorCode.BadRequest, `This computer does not know ${clip(event, MAX_EVENT_LENGTH)}`);
    replyIn(args)(toErrorPayload(unknown));
  });
  channel.on('notify:tool_call_cancel', async payload => {
    const request = AgentCallData.safeParse(payload);
    const { scope } = session;
    if (request.success) (await scope).cancel(request.data);
  });
  channel.on('notify:enter_office', payload => session.entered(payload));
  channel.on('notify:leave_office', payload => session.left(payload));
}
