import { fieldsOf } from '@a2c-smcp/core';
import { COMPUTER_TIMEOUT_MS, ErrorCode, ReadResourceRet, SmcpError } from '@a2c-smcp/protocol';
import {
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  SdkError,
  SdkErrorCode,
} from '@modelcontextprotocol/client';
import { withoutClaims } from '../claims.ts';
import type { ResourceList } from '../mcp/session/session.ts';
import type { ResourceCatalog } from './catalog.ts';

export interface ReadOptions {
  /** The MCP server to read from. Without one, the server that lists the URI or has a template for it. */
  server?: string | null | undefined;
  /** Milliseconds. */
  timeout?: number | undefined;
}

/** One page of what a server lists, unfiltered. */
export async function listPage(
  catalog: ResourceCatalog,
  name: string,
  cursor: string | null | undefined,
): Promise<ResourceList> {
  const { session } = await catalog.of(name, COMPUTER_TIMEOUT_MS);
  try {
    const { resources, nextCursor } = await session.resourcePage(cursor);
    return { resources: resources.map(withoutClaims), nextCursor };
  } catch (error) {
    throw upstreamError(error, `MCP server '${name}' could not list its resources`);
  }
}

/** The contents of a resource as its MCP server gives them. */
export async function readResource(
  catalog: ResourceCatalog,
  uri: string,
  { server, timeout }: ReadOptions = {},
): Promise<ReadResourceRet['contents']> {
  const name = server || (await catalog.find(uri));
  const source = await catalog.of(name, timeout ?? COMPUTER_TIMEOUT_MS);
  let answer: unknown;
  try {
    answer = await source.read(uri, { timeout });
  } catch (error) {
    throw upstreamError(error, `MCP server '${name}' could not read '${uri}'`);
  }
  const read = ReadResourceRet.shape.contents.safeParse(fieldsOf(answer).contents);
  if (read.success) return read.data.map(withoutClaims);
  throw new SmcpError(ErrorCode.Internal, `MCP server '${name}' answered no contents for '${uri}'`);
}

function upstreamError(cause: unknown, what: string): SmcpError {
  if (isTimeout(cause)) {
    return new SmcpError(ErrorCode.Timeout, `${what} in time`, { cause });
  }
  if (!(cause instanceof ProtocolError)) return new SmcpError(ErrorCode.Internal, what, { cause });
  const details = { upstream_code: cause.code };
  if (isResourceNotFound(cause)) return new SmcpError(ErrorCode.NotFound, `${what}: not found`, { details, cause });
  if (cause.code === ProtocolErrorCode.InvalidParams)
    return new SmcpError(ErrorCode.BadRequest, `${what}: invalid request`, { details, cause });
  return new SmcpError(ErrorCode.Internal, what, { details, cause });
}

/** Whether an MCP server did not answer in time. */
export function isTimeout(error: unknown): boolean {
  return error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout;
}

/** Whether an MCP server said that a resource does not exist, in one of the ways that servers do. */
export function isResourceNotFound(error: unknown): boolean {
  if (error instanceof ResourceNotFoundError) return true;
  return error instanceof ProtocolError && error.code === ProtocolErrorCode.ResourceNotFound;
}
