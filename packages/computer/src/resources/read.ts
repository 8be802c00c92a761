import { fieldsOf } from '@a2c-smcp/core';
import {
  COMPUTER_TIMEOUT_MS,
  type DpeUri,
  documentUri,
  ErrorCode,
  parseDpeUri,
  ReadResourceRet,
  type ResourceContents,
  SmcpError,
} from '@a2c-smcp/protocol';
import { ProtocolError } from '@modelcontextprotocol/client';
import { withoutClaims } from '../claims.ts';
import type { ResourceList } from '../mcp/session/session-options.ts';
import { isResourceNotFound, upstreamError } from '../mcp/session/upstream-error.ts';
import type { ResourceCatalog } from './catalog.ts';
import { hostsOf } from './hosts.ts';

/** The codes of this protocol with which an MCP server may say what it does not have. */
const DOCUMENT_CODES: readonly number[] = [
  ErrorCode.DocumentNotFound,
  ErrorCode.PageOutOfRange,
  ErrorCode.ElementNotFound,
];

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

/**
 * The contents of a `dpe://` URI of any level, as the first MCP server under its host that lists the document gives
 * them, or else the first under its host. The server receives the URI as it is, query and all. Throws 4204 for an invalid one, 4201 to 4203 for what
 * does not exist.
 */
export async function readDpe(
  catalog: ResourceCatalog,
  uri: string,
  { timeout }: Pick<ReadOptions, 'timeout'> = {},
): Promise<ResourceContents[]> {
  const address = parseDpeUri(uri);
  const server = await findServer(catalog, uri, address);
  try {
    return await readResource(catalog, uri, { server, timeout });
  } catch (error) {
    throw documentError(error, address);
  }
}

/** The known hosts decide; only an unknown one makes the servers list again. */
async function findServer(catalog: ResourceCatalog, uri: string, { host, docRef }: DpeUri): Promise<string> {
  const [first, ...others] = catalog.shown.filter(source => source.urisOf('finder').hosts.has(host));
  if (first && (others.length === 0 || docRef === undefined)) return first.server;
  if (first) {
    const document = documentUri(uri);
    return ([first, ...others].find(source => source.urisOf('finder').uris.has(document)) ?? first).server;
  }
  const lists = await catalog.list('finder');
  const found = lists.find(({ resources }) => hostsOf(resources.map(({ uri }) => uri)).has(host));
  if (found) return found.source.server;
  throw new SmcpError(ErrorCode.DocumentNotFound, `No MCP server on this computer has documents under '${host}'`, {
    details: { host },
  });
}

function documentError(error: unknown, address: DpeUri): unknown {
  const cause = error instanceof SmcpError ? error.cause : undefined;
  if (!(cause instanceof ProtocolError)) return error;
  const data = fieldsOf(cause.data);
  if (DOCUMENT_CODES.includes(cause.code)) return new SmcpError(cause.code, cause.message, { details: data, cause });
  if (isResourceNotFound(cause)) return notFound(address, documentDetails(data), cause);
  const details = { upstream_code: cause.code };
  return new SmcpError(ErrorCode.Internal, 'The MCP server could not read the document', { details, cause });
}

/** The details that the protocol names, where they have its types. MCP's own error may have any others. */
function documentDetails({ doc_ref, element_id, page_index, page_count, uri }: Record<string, unknown>): object {
  const texts = Object.entries({ doc_ref, element_id, uri }).filter(([, value]) => typeof value === 'string');
  const numbers = Object.entries({ page_index, page_count }).filter(([, value]) => typeof value === 'number');
  return Object.fromEntries([...texts, ...numbers]);
}

/** The error for the thing that the level of the URI names. */
function notFound({ level, docRef, page, element }: DpeUri, data: object, cause: Error): SmcpError {
  const document = docRef === undefined ? {} : { doc_ref: docRef };
  switch (level) {
    case 2:
      return new SmcpError(ErrorCode.PageOutOfRange, `Document '${docRef}' has no page ${page}`, {
        details: { ...document, page_index: page, ...data },
        cause,
      });
    case 3:
      return new SmcpError(ErrorCode.ElementNotFound, `Document '${docRef}' has no element '${element}'`, {
        details: { ...document, element_id: element, ...data },
        cause,
      });
    default:
      return new SmcpError(ErrorCode.DocumentNotFound, `There is no document '${docRef ?? ''}'`, {
        details: { ...document, ...data },
        cause,
      });
  }
}
