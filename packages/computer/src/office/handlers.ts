import { clip, type Handler, type Logger, partSize, replyIn, reqIdOf, type ServeOptions, serve } from '@a2c-smcp/core';
import { type Channel, DEFAULT_MESSAGE_LIMIT, fitsMessage, messageSize } from '@a2c-smcp/peer';
import {
  AgentCallData,
  type CallToolResult,
  type ClientEvent,
  ErrorCode,
  SmcpError,
  toErrorPayload,
} from '@a2c-smcp/protocol';
import { offload } from '../blobs/offload.ts';
import { showDesktop } from '../desktop/show.ts';
import { showFinder } from '../finder/show.ts';
import { listPage, readDpe, readResource } from '../resources/read.ts';
import type { Runtime } from '../runtime.ts';
import { redactFields } from '../secrets/fields.ts';
import { isSkillHandle } from '../skills/blob-handles.ts';
import { failure } from '../tools/failures.ts';
import type { AgentSession } from './agent-session.ts';
import type { Membership } from './membership.ts';
import { ProgressReports } from './progress-reports.ts';
import { servePrompts } from './prompt-handlers.ts';
import { questionSender, serveAnswers } from './question-handlers.ts';
import { officeOf, serveSkills } from './skill-handlers.ts';

const MAX_EVENT_LENGTH = 128;

/** Longest message of an error that is sent, in characters. */
const MAX_ERROR_LENGTH = 4096;

/** Larger details of an error are left out. An error is sent instead of an answer, so it must always fit. */
const MAX_DETAILS_BYTES = 16 * 1024;

/** Names of details that stay, although a configuration may have the same words. */
const DETAIL_NAMES = new Set(['doc_ref', 'page_index', 'page_count', 'element_id', 'uri', 'upstream_code']);

type Answer = <E extends ClientEvent>(event: E, handler: Handler<E>) => void;

export interface HandlerOptions {
  membership: Membership;
  session: AgentSession;
}

/**
 * Answers the Agent's requests on a channel, and follows its notifications. Names and units of the wire become those of
 * our API here and nowhere else.
 */
export function serveRequests(channel: Channel, runtime: Runtime, { membership, session }: HandlerOptions): void {
  const { calls, tools, resources, secrets, servers, logger } = runtime;
  const options: ServeOptions = {
    logger,
    onRefused: (event, request, { code }) =>
      logger.warn('A request was refused', { event, req_id: reqIdOf(request), code }),
  };
  const messageLimit = () => membership.peer?.messageLimit ?? DEFAULT_MESSAGE_LIMIT;
  const progress = new ProgressReports(membership);
  const finish = finisher({ runtime, session, membership, messageLimit });
  const fit = <T>(what: string, answer: T) => fittingAnswer(what, answer, messageLimit());
  const redacted = { ...options, shown: (error: unknown) => visibleError(error, secrets.redact) };
  const answer: Answer = (event, handler) => serve(channel, event, handler, redacted);

  // Served directly: a failure of an MCP server is a result, so that its words are in no error.
  serve(
    channel,
    'client:tool_call',
    async ({ agent, req_id: reqId, tool_name: tool, params, timeout, progress: wantsProgress, elicit }) => {
      const { scope, dialect: known } = session;
      // Not awaited: a name of either dialect finds its tool.
      const dialect = known instanceof Promise ? undefined : known;
      const onProgress = wantsProgress === true ? progress.listener(reqId) : undefined;
      const unattend = elicit && runtime.agentFace.attend(agent, reqId, questionSender(reqId, membership, runtime));
      const call = {
        agent,
        reqId,
        tool,
        dialect,
        params,
        timeout: timeout * 1000,
        onProgress,
        office: membership.peer?.office,
      };
      const owner = scope instanceof Promise ? await scope : scope;
      let isFinished = false;
      const result = await calls.call(call, owner, made => {
        isFinished = true;
        return finish(made, owner);
      });
      if (onProgress) progress.end(reqId);
      if (unattend) unattend();
      // A repeated request may come through a Server with a lower limit.
      if (isFinished || fitsMessage(result, messageLimit())) return result;
      return tooLargeResult(messageSize(result), messageLimit());
    },
    options,
  );
  answer('client:get_tools', async ({ plain_names, req_id }) => {
    const dialect = plain_names === true ? 'plain' : await session.dialect;
    return fit('The list of tools', { tools: [...tools.list(dialect)], req_id });
  });
  answer('client:get_config', async () => fit('The configuration', runtime.config(await session.dialect)));
  answer('client:get_resources', async ({ mcp_server, cursor, req_id }) => {
    const page = await listPage(resources, servers.nameOf(mcp_server, await session.dialect), cursor);
    // Left out on the last page: Servers of the official SDK do not pass on a null.
    const next = typeof page.nextCursor === 'string' ? { next_cursor: page.nextCursor } : {};
    return fit('The list of resources', { resources: page.resources, ...next, req_id });
  });
  answer('client:read_resource', async ({ uri, mcp_server, timeout, req_id }) => {
    const server = mcp_server && servers.nameOf(mcp_server, await session.dialect);
    const contents = await readResource(resources, uri, { server, timeout: milliseconds(timeout) });
    return fit(`The resource '${uri}'`, { contents, req_id });
  });
  answer('client:get_desktop', async ({ desktop_size: size, window, max_chars: maxChars, req_id }) => {
    resources.watch('desktop');
    const desktops = await showDesktop(resources, { size, window, maxChars: maxChars ?? undefined }, calls.usedServers);
    return fit('The desktop', { desktops, req_id });
  });
  answer('client:get_finder', async ({ keywords, file_type, content, offset, limit, req_id }) => {
    const query = {
      keywords: keywords ?? undefined,
      fileType: file_type ?? undefined,
      content: content ?? undefined,
      offset: offset ?? undefined,
      limit: limit ?? undefined,
    };
    resources.watch('finder');
    const { totalCount, ...page } = await showFinder(resources, query, runtime.finderContext);
    return fit('The list of documents', { ...page, total_count: totalCount, req_id });
  });
  answer('client:get_dpe', async ({ uri, timeout, req_id }) => {
    const contents = await readDpe(resources, uri, { timeout: milliseconds(timeout) });
    return fit(`The document '${uri}'`, { contents, req_id });
  });
  serveBlobs(answer, { runtime, session, membership, messageLimit });
  serveAnswers(answer, runtime);
  servePrompts(runtime, { session, answer, fit, messageLimit });
  serveSkills(runtime.skills, { membership, answer, fit });
  refuseUnknown(channel, logger);
  followAgent(channel, session);
}

interface BlobContext {
  runtime: Runtime;
  session: AgentSession;
  membership: Membership;
  /** Bytes of a message that the Server takes. */
  messageLimit: () => number;
}

function serveBlobs(answer: Answer, { runtime, session, membership, messageLimit }: BlobContext): void {
  const { spool, skills } = runtime;
  answer('client:get_blob', async ({ blob_handle: handle, chunk_offset, max_chunk_bytes: wish, req_id }) => {
    const length = Math.min(wish ?? Number.POSITIVE_INFINITY, partSize(messageLimit()));
    const wanted = { offset: chunk_offset ?? 0, length };
    const part = isSkillHandle(handle)
      ? await skills.readPart(handle, wanted, officeOf(membership))
      : await spool.read(await session.scope, handle, wanted);
    return { ...part, req_id };
  });
  answer('client:put_blob', async ({ req_id, upload_id, chunk_offset, eof, blob, total_size, sha256, name_hint }) => {
    const { uploadId, file } = await runtime.uploads.put(await session.scope, {
      uploadId: upload_id ?? undefined,
      offset: chunk_offset,
      isLast: eof,
      base64: blob,
      size: total_size ?? undefined,
      sha256: sha256 ?? undefined,
      nameHint: name_hint ?? undefined,
    });
    const landed = file && { landing_path: file.path, total_size: file.size, sha256: file.sha256 };
    return { upload_id: uploadId, chunk_offset, ...landed, req_id };
  });
}

/** Without an answer the sender of an unknown request would wait for its whole timeout. */
function refuseUnknown(channel: Channel, logger: Logger): void {
  channel.onUnknown((event: string, ...args: unknown[]) => {
    if (!event.startsWith('client:')) return;
    const unknown = new SmcpError(
      ErrorCode.BadRequest,
      `This computer does not know ${clip(event, MAX_EVENT_LENGTH)}`,
      {
        details: { reason: 'unsupported' },
      },
    );
    const { code } = unknown;
    logger.warn('A request was refused', { event: clip(event, MAX_EVENT_LENGTH), req_id: reqIdOf(args[0]), code });
    replyIn(args)(toErrorPayload(unknown));
  });
}

function followAgent(channel: Channel, session: AgentSession): void {
  channel.on('notify:tool_call_cancel', async payload => {
    const request = AgentCallData.safeParse(payload);
    const { scope } = session;
    if (request.success) (await scope).cancel({ agent: request.data.agent, reqId: request.data.req_id });
  });
  channel.on('notify:enter_office', payload => session.entered(payload));
  channel.on('notify:leave_office', payload => session.left(payload));
}

function milliseconds(seconds: number | null | undefined): number | undefined {
  return typeof seconds === 'number' ? seconds * 1000 : undefined;
}

/** Agents of the Python SDK end a connection that brings a longer message. Others take as much as the Server does. */
const EARLIER_AGENT_LIMIT_BYTES = 4 * 1024 * 1024;

type Finish = (result: CallToolResult, owner: object) => CallToolResult | Promise<CallToolResult>;

/** Makes of a result what is sent: large bytes in it are kept for the owner, and the Agent fetches them. */
function finisher({ runtime, session, messageLimit }: BlobContext): Finish {
  const { spool, inlineBudget, logger } = runtime;
  const earlierLimit = () => Math.min(messageLimit(), EARLIER_AGENT_LIMIT_BYTES);
  const isLarge = (result: CallToolResult) =>
    result.content.some(({ data, resource }) => lengthOf(data ?? resource?.blob) > inlineBudget) ||
    !fitsMessage(result, earlierLimit());
  const offloaded: Finish = async (result, owner) => {
    const drains = (await session.dialect) === 'bundled';
    return offload(result, {
      limit: messageLimit(),
      aim: drains ? messageLimit() : earlierLimit(),
      inlineBudget,
      drains,
      put: (base64, mimeType) => spool.put(owner, base64, mimeType),
      refuse: tooLargeResult,
      logger,
    });
  };
  return (result, owner) => {
    try {
      return isLarge(result) ? offloaded(result, owner) : result;
    } catch {
      // Functions of this process may return values that cannot be measured, nor sent.
      return result;
    }
  };
}

function lengthOf(text: unknown): number {
  return typeof text === 'string' ? text.length : 0;
}

/** A result instead of one that does not fit: too large a message ends connections. */
function tooLargeResult(size: number, limit: number): CallToolResult {
  return failure(ErrorCode.ToolFailed, tooLarge('The result', size, limit), { size, limit });
}

/** The answer if it fits into a message; throws 413 with its size otherwise. */
function fittingAnswer<T>(what: string, answer: T, limit: number): T {
  if (fitsMessage(answer, limit)) return answer;
  const size = messageSize(answer);
  throw new SmcpError(ErrorCode.TooLarge, tooLarge(what, size, limit), { details: { size, limit } });
}

function tooLarge(what: string, size: number, limit: number): string {
  return `${what} is too large to send: ${size} bytes, and the limit is ${limit} bytes`;
}

/**
 * The error as an Agent may see it. One with a cause may have the words of an MCP server in its message and details, so
 * it loses its secrets and is cut; others have the words of the Computer or of the Agent. Errors of other classes cross
 * the wire without their text.
 */
function visibleError(error: unknown, redact: (text: string) => string): unknown {
  if (!(error instanceof SmcpError) || error.cause === undefined) return error;
  const { code, message, details, cause } = error;
  const redactText = (text: string) => (DETAIL_NAMES.has(text) ? text : redact(text));
  const isShown = details !== undefined && fitsMessage(details, MAX_DETAILS_BYTES);
  return new SmcpError(code, redact(message).slice(0, MAX_ERROR_LENGTH), {
    cause,
    ...(isShown ? { details: redactFields(details, redactText) } : {}),
  });
}
