import type { Logger } from '@a2c-smcp/core';
import {
  COMPUTER_TIMEOUT_MS,
  ErrorCode,
  GetPromptRet,
  type Prompt,
  type PromptMessage,
  SmcpError,
} from '@a2c-smcp/protocol';
import { ProtocolError } from '@modelcontextprotocol/client';
import { withoutClaims, withoutItemClaims } from '../claims.ts';
import { describeError } from '../describe-error.ts';
import type { PromptPage } from '../mcp/session/prompt-list.ts';
import type { McpPrompt, RawResult } from '../mcp/session/schemas.ts';
import type { McpSession } from '../mcp/session/session.ts';
import { upstreamError } from '../mcp/session/upstream-error.ts';
import type { McpServer } from '../mcp/supervisor/mcp-server.ts';
import type { McpServers } from '../mcp/supervisor/mcp-servers.ts';

/** How long a list waits for a sleeping server whose prompts are not cached; listing takes time, too. */
const WAKE_TIMEOUT_MS = 10_000;

/** The prompts of one server. */
export interface ServerPrompts {
  server: McpServer;
  prompts: readonly McpPrompt[];
}

/** A prompt of a server and the values of its arguments. */
export interface WantedPrompt {
  server: string;
  name: string;
  args?: Record<string, string> | undefined;
  /** Milliseconds. */
  timeout?: number | undefined;
}

/** A prompt whose arguments are filled in. */
export interface FilledPrompt {
  description?: string;
  messages: PromptMessage[];
}

/** One page of what a server lists. Throws 4014 when there is no such server and 4015 when it has no prompts. */
export async function promptPage(
  servers: McpServers,
  name: string,
  cursor: string | null | undefined,
): Promise<PromptPage> {
  const { prompts } = await sessionOf(servers, name, COMPUTER_TIMEOUT_MS);
  try {
    const page = await prompts.page(cursor);
    return { ...page, prompts: page.prompts.map(withoutClaims) };
  } catch (error) {
    throw upstreamError(error, `MCP server '${name}' could not list its prompts`);
  }
}

/** The prompts of all servers that run or sleep. One that cannot list them in time is left out and logged. */
export async function allPrompts(servers: McpServers, logger: Logger): Promise<ServerPrompts[]> {
  const lists = servers.all.map(async server => {
    try {
      return { server, prompts: (await promptsOf(server)).map(withoutClaims) };
    } catch (error) {
      logger.warn('The prompts of an MCP server could not be listed', {
        mcp_server: server.name,
        reason: describeError(error),
      });
      return { server, prompts: [] };
    }
  });
  return (await Promise.all(lists)).filter(({ prompts }) => prompts.length > 0);
}

/** A prompt as its server fills it in. */
export async function fillPrompt(
  servers: McpServers,
  { server, name, args, timeout }: WantedPrompt,
): Promise<FilledPrompt> {
  const session = await sessionOf(servers, server, timeout ?? COMPUTER_TIMEOUT_MS);
  let answer: RawResult;
  try {
    answer = await session.getPrompt(name, args, { timeout });
  } catch (error) {
    throw promptError(error, `MCP server '${server}' could not give prompt '${name}'`);
  }
  const { description } = answer;
  const messages = GetPromptRet.shape.messages.safeParse(answer.messages);
  if (!messages.success) {
    throw new SmcpError(ErrorCode.Internal, `MCP server '${server}' answered no messages for prompt '${name}'`);
  }
  return {
    ...(typeof description === 'string' && { description }),
    messages: messages.data.map(message => ({
      ...withoutClaims(message),
      content: withoutItemClaims(message.content) as PromptMessage['content'],
    })),
  };
}

/** A prompt on the wire. */
export function wirePrompt(prompt: McpPrompt, server: string): Prompt {
  return { ...prompt, mcp_server: server };
}

/** A sleeping server is woken only if its prompts are not cached. */
async function promptsOf(server: McpServer): Promise<readonly McpPrompt[]> {
  const { session, cached } = server;
  if (session) return session.prompts.all();
  if (!cached?.capabilities.prompts) return [];
  return cached.prompts ?? (await server.ready(AbortSignal.timeout(WAKE_TIMEOUT_MS))).prompts.all();
}

async function sessionOf(servers: McpServers, name: string, timeout: number): Promise<McpSession> {
  const session = await servers
    .require(name)
    .ready(AbortSignal.timeout(timeout))
    .catch(cause => {
      throw new SmcpError(ErrorCode.Internal, `MCP server '${name}' is not available`, { cause });
    });
  if (session.capabilities.prompts) return session;
  throw new SmcpError(ErrorCode.McpCapabilityMissing, `MCP server '${name}' has no prompts`, {
    details: { mcp_server: name, mcp_server_name: name, capability: 'prompts' },
  });
}

/** With the words of the server: an unknown prompt and a missing argument have the same code. */
function promptError(cause: unknown, what: string): SmcpError {
  const error = upstreamError(cause, what);
  if (!(cause instanceof ProtocolError)) return error;
  const { code, details } = error;
  return new SmcpError(code, `${what}: ${cause.message}`, { cause, ...(details && { details }) });
}
