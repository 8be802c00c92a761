import { ErrorCode, ReadResourceRet, SmcpError } from '@a2c-smcp/protocol';
import {
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  SdkError,
  SdkErrorCode,
} from '@modelcontextprotocol/client';
import { withoutClaims } from '../claims.ts';
import type { McpConnection, ResourceList } from '../mcp/connection.ts';
import type { McpServer } from '../mcp/mcp-server.ts';
import type { McpServers } from '../mcp/servers.ts';
import type { Session } from '../mcp/session.ts';
import { matchesTemplate } from './uri-template.ts';

/** Milliseconds to wait for a server that is starting; a Server of the protocol waits 30 s for us. */
const PATIENCE = 25_000;

export interface ReadOptions {
  /** The MCP server to read from. Without one, the server that lists the URI or has a template for it. */
  server?: string | null | undefined;
  /** Milliseconds. */
  timeout?: number | undefined;
}

/** One page of what a server lists, unfiltered. */
export async function listPage(
  servers: McpServers,
  name: string,
  cursor: string | null | undefined,
): Promise<ResourceList> {
  const connection = await connectionTo(servers.require(name), PATIENCE);
  try {
    const { resources, nextCursor } = await connection.resourcePage(cursor);
    return { resources: resources.map(withoutClaims), nextCursor };
  } catch (error) {
    throw upstreamError(error, `MCP server '${name}' could not list its resources`);
  }
}

/** The contents of a resource as its MCP server gives them. */
export async function readResource(
  servers: McpServers,
  uri: string,
  { server, timeout }: ReadOptions = {},
): Promise<ReadResourceRet['contents']> {
  const source = server ? servers.require(server) : await findSource(servers, uri);
  const connection = await connectionTo(source, timeout ?? PATIENCE);
  let answer: unknown;
  try {
    answer = await connection.readResource(uri, timeout === undefined ? {} : { timeout });
  } catch (error) {
    throw upstreamError(error, `MCP server '${source.name}' could not read '${uri}'`);
  }
  const read = ReadResourceRet.shape.contents.safeParse(Reflect.get(Object(answer), 'contents'));
  if (read.success) return read.data.map(withoutClaims);
  throw new SmcpError(ErrorCode.Internal, `MCP server '${source.name}' answered no contents for '${uri}'`);
}

async function connectionTo(server: McpServer, patience: number): Promise<McpConnection> {
  const { connection } = await server.ready(AbortSignal.timeout(patience)).catch(cause => {
    throw new SmcpError(ErrorCode.Internal, `MCP server '${server.name}' is not available`, { cause });
  });
  if (connection.capabilities.resources) return connection;
  throw new SmcpError(ErrorCode.McpCapabilityMissing, `MCP server '${server.name}' has no resources`, {
    details: { mcp_server: server.name, mcp_server_name: server.name, capability: 'resources' },
  });
}

/** The first server whose list holds the URI, else the first that has a template for it. */
async function findSource(servers: McpServers, uri: string): Promise<McpServer> {
  const candidates = servers.all.filter(({ connection }) => connection?.capabilities.resources);
  const isListed = async (session: Session) => (await session.resources()).some(resource => resource.uri === uri);
  const isTemplate = async (session: Session) =>
    (await session.resourceTemplates()).some(({ uriTemplate }) => matchesTemplate(uriTemplate, uri));
  const found = (await first(candidates, isListed)) ?? (await first(candidates, isTemplate));
  if (found) return found;
  throw new SmcpError(ErrorCode.NotFound, `No MCP server on this computer has the resource '${uri}'`);
}

/** All are asked at once; one that fails to answer is passed over. */
async function first(
  servers: McpServer[],
  test: (session: Session) => Promise<boolean>,
): Promise<McpServer | undefined> {
  const verdicts = servers.map(async ({ session }) => session !== undefined && (await test(session)));
  const settled = await Promise.all(verdicts.map(verdict => verdict.catch(() => false)));
  return servers[settled.indexOf(true)];
}

function upstreamError(cause: unknown, what: string): SmcpError {
  if (cause instanceof SdkError && cause.code === SdkErrorCode.RequestTimeout) {
    return new SmcpError(ErrorCode.Timeout, `${what} in time`, { cause });
  }
  if (!(cause instanceof ProtocolError)) return new SmcpError(ErrorCode.Internal, what, { cause });
  const details = { upstream_code: cause.code };
  if (isResourceNotFound(cause)) return new SmcpError(ErrorCode.NotFound, `${what}: not found`, { details, cause });
  if (cause.code === ProtocolErrorCode.InvalidParams)
    return new SmcpError(ErrorCode.BadRequest, `${what}: invalid request`, { details, cause });
  return new SmcpError(ErrorCode.Internal, what, { details, cause });
}

/** Whether an MCP server said that a resource does not exist, in one of the ways that servers do. */
export function isResourceNotFound(error: unknown): boolean {
  if (error instanceof ResourceNotFoundError) return true;
  return error instanceof ProtocolError && error.code === ProtocolErrorCode.ResourceNotFound;
}
