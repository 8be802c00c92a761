import { fieldsOf } from '@a2c-smcp/core';
import { type DpeUri, ErrorCode, parseDpeUri, type ResourceContents, SmcpError } from '@a2c-smcp/protocol';
import { ProtocolError } from '@modelcontextprotocol/client';
import type { ResourceCatalog } from './catalog.ts';
import { hostsOf } from './hosts.ts';
import { isResourceNotFound, type ReadOptions, readResource } from './read.ts';

/** The codes of this protocol with which an MCP server may say what it does not have. */
const DOCUMENT_CODES: readonly number[] = [
  ErrorCode.DocumentNotFound,
  ErrorCode.PageOutOfRange,
  ErrorCode.ElementNotFound,
];

/**
 * The contents of a `dpe://` URI of any level, as the first MCP server that publishes documents under its host gives
 * them. The server receives the URI as it is, query and all. Throws 4204 for an invalid one, 4201 to 4203 for what
 * does not exist.
 */
export async function readDpe(
  catalog: ResourceCatalog,
  uri: string,
  { timeout }: Pick<ReadOptions, 'timeout'> = {},
): Promise<ResourceContents[]> {
  const address = parseDpeUri(uri);
  const server = await findServer(catalog, address.host);
  try {
    return await readResource(catalog, uri, { server, timeout });
  } catch (error) {
    throw documentError(error, address);
  }
}

/** The known hosts decide; only an unknown one makes the servers list again. */
async function findServer(catalog: ResourceCatalog, host: string): Promise<string> {
  const known = catalog.shown.find(source => source.urisOf('finder').hosts.has(host));
  if (known) return known.server;
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
