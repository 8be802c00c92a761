import * as z from 'zod/mini';
import { ComputerCallData } from './call.ts';

const Size = z.int().check(z.nonnegative());

/** Fetches a part of bytes that a Computer has behind a handle. */
export const GetBlobReq = z.extend(ComputerCallData, {
  /** Opaque. Belongs to the Computer that gave it, and may expire at any time. */
  blob_handle: z.string(),
  /** Bytes before this part. @default 0 */
  chunk_offset: z.nullish(Size),
  /** The most bytes that the Agent wants at once; the Computer may send fewer. */
  max_chunk_bytes: z.nullish(z.int().check(z.positive())),
});
export type GetBlobReq = z.infer<typeof GetBlobReq>;

export const GetBlobRet = z.looseObject({
  blob_handle: z.string(),
  mime_type: z.string(),
  /** Bytes of the whole. */
  total_size: Size,
  /** Of the whole, as lower-case hexadecimal digits. */
  sha256: z.string(),
  chunk_offset: Size,
  /** True if this part is the last one. */
  eof: z.boolean(),
  /** Base64. */
  blob: z.string(),
  req_id: z.string(),
});
export type GetBlobRet = z.infer<typeof GetBlobRet>;

/** Sends a part of a file to a Computer. Parts are sent in order, each after the answer to the one before. */
export const PutBlobReq = z.extend(ComputerCallData, {
  /** From the answer to the first part, which has none. */
  upload_id: z.nullish(z.string()),
  /** Bytes that the Computer has received so far. */
  chunk_offset: Size,
  /** True if this part is the last one. */
  eof: z.boolean(),
  /** Base64. */
  blob: z.string(),
  /** With the first part only: bytes of the whole. */
  total_size: z.nullish(z.int()),
  /** With the first part only: of the whole. */
  sha256: z.nullish(z.string()),
  /** With the first part only: a file name to keep, as far as it is harmless. */
  name_hint: z.nullish(z.string()),
});
export type PutBlobReq = z.infer<typeof PutBlobReq>;

export const PutBlobRet = z.looseObject({
  upload_id: z.string(),
  chunk_offset: Size,
  /** After the last part: the absolute path of the file on the Computer, for the arguments of a tool call. */
  landing_path: z.nullish(z.string()),
  /** After the last part. */
  total_size: z.nullish(Size),
  /** After the last part, computed by the Computer. */
  sha256: z.nullish(z.string()),
  req_id: z.string(),
});
export type PutBlobRet = z.infer<typeof PutBlobRet>;
