import type { Handler } from '@a2c-smcp/core';
import { messageSize } from '@a2c-smcp/peer';
import { type ClientEvent, ErrorCode, type Prompt, SmcpError } from '@a2c-smcp/protocol';
import type { Dialect } from '../dialect.ts';
import type { McpServer } from '../mcp/supervisor/mcp-server.ts';
import { allPrompts, fillPrompt, promptPage, wirePrompt } from '../prompts/prompts.ts';
import type { Runtime } from '../runtime.ts';
import type { AgentSession } from './agent-session.ts';

export interface PromptHandlerOptions {
  session: AgentSession;
  /** Serves one request. */
  answer: <E extends ClientEvent>(event: E, handler: Handler<E>) => void;
  /** The answer if it fits into a message; throws otherwise. */
  fit: <T>(what: string, answer: T) => T;
  /** Bytes of a message that the Server takes. */
  messageLimit: () => number;
}

/** Answers the Agent's requests about prompts. */
export function servePrompts(
  { servers, logger }: Runtime,
  { session, answer, fit, messageLimit }: PromptHandlerOptions,
): void {
  answer('client:get_prompts', async ({ mcp_server, cursor, req_id }) => {
    const dialect = await session.dialect;
    if (typeof mcp_server === 'string') {
      const name = servers.nameOf(mcp_server, dialect);
      const { prompts, nextCursor } = await promptPage(servers, name, cursor);
      const shown = shownName(servers.require(name), dialect);
      // Left out on the last page, as that of resources.
      const next = typeof nextCursor === 'string' ? { next_cursor: nextCursor } : {};
      return fit('The list of prompts', { prompts: prompts.map(prompt => wirePrompt(prompt, shown)), ...next, req_id });
    }
    if (typeof cursor === 'string') {
      throw new SmcpError(ErrorCode.BadRequest, "A 'cursor' belongs to one MCP server: give its 'mcp_server', too");
    }
    const all: Prompt[] = [];
    let room = messageLimit() - messageSize({ prompts: [], req_id });
    for (const { server, prompts } of await allPrompts(servers, logger)) {
      const listed = prompts.map(prompt => wirePrompt(prompt, shownName(server, dialect)));
      const size = messageSize(listed);
      if (size > room) {
        logger.warn('The prompts of an MCP server are left out: the list would be too large', {
          mcp_server: server.name,
          size,
        });
        continue;
      }
      room -= size;
      for (const prompt of listed) all.push(prompt);
    }
    return { prompts: all, req_id };
  });
  answer('client:get_prompt', async ({ mcp_server, name, arguments: args, timeout, req_id }) => {
    const server = servers.nameOf(mcp_server, await session.dialect);
    const limit = typeof timeout === 'number' ? timeout * 1000 : undefined;
    const wanted = { server, name, args: args ?? undefined, timeout: limit };
    return fit(`The prompt '${name}'`, { ...(await fillPrompt(servers, wanted)), req_id });
  });
}

/** The key of a server in the configuration that the Agent sees. */
function shownName({ name, config }: McpServer, dialect: Dialect): string {
  return dialect === 'plain' ? name : config.bundle_id;
}
