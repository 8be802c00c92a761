import * as z from 'zod/mini';
import { MAX_TIMEOUT_S } from '../times.ts';
import { ComputerCallData } from './call.ts';

/** An MCP resource, carried as it came. Malformed annotations are no reason to drop it. */
export const Resource = z.looseObject({
  uri: z.string(),
  annotations: z.optional(z.unknown()),
  _meta: z.optional(z.unknown()),
});
export type Resource = z.infer<typeof Resource>;

/** The contents of a resource, as MCP has them: `text` or base64 `blob`. */
export const ResourceContents = z.looseObject({
  uri: z.string(),
  mimeType: z.nullish(z.string()),
  text: z.nullish(z.string()),
  blob: z.nullish(z.string()),
});
export type ResourceContents = z.infer<typeof ResourceContents>;

/** Asks for one page of an MCP server's resources, unfiltered. */
export const GetResourcesReq = z.extend(ComputerCallData, {
  mcp_server: z.string(),
  cursor: z.nullish(z.string()),
});
export type GetResourcesReq = z.infer<typeof GetResourcesReq>;

export const GetResourcesRet = z.looseObject({
  resources: z.array(Resource),
  next_cursor: z.nullish(z.string()),
  req_id: z.string(),
});
export type GetResourcesRet = z.infer<typeof GetResourcesRet>;

/** Reads a `dpe://` URI of any level; its host selects the MCP server. `timeout` is in seconds. */
export const GetDpeReq = z.extend(ComputerCallData, {
  uri: z.string(),
  timeout: z.nullish(z.int().check(z.minimum(1), z.maximum(MAX_TIMEOUT_S))),
});
export type GetDpeReq = z.infer<typeof GetDpeReq>;

export const GetDpeRet = z.looseObject({
  contents: z.array(ResourceContents),
  req_id: z.string(),
});
export type GetDpeRet = z.infer<typeof GetDpeRet>;

/** Reads a resource of any scheme; without `mcp_server`, from the server that lists it. */
export const ReadResourceReq = z.extend(GetDpeReq, {
  mcp_server: z.nullish(z.string()),
});
export type ReadResourceReq = z.infer<typeof ReadResourceReq>;

export const ReadResourceRet = GetDpeRet.clone();
export type ReadResourceRet = z.infer<typeof ReadResourceRet>;
