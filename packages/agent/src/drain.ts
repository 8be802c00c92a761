import { clip, isObject, Limiter } from '@a2c-smcp/core';
import {
  type CallToolResult,
  type ContentBlock,
  ErrorCode,
  type OffloadMarkers,
  offloadOf,
  SmcpError,
} from '@a2c-smcp/protocol';
import { type ByteBudget, type FetchPart, MAX_PARTS_IN_FLIGHT, readParts } from './blobs.ts';
import { encodeBase64 } from './bytes.ts';

/** Handles of one result that are read. Each costs a request at least. */
const MAX_HANDLES = 1000;
const MAX_REASON_LENGTH = 500;
const MAX_POINTER_LENGTH = 4096;
const MARKER_PREFIX = 'a2c_';

export interface DrainOptions {
  /** Requests a part of the blob behind a handle. */
  fetch: (handle: string, ...part: Parameters<FetchPart>) => ReturnType<FetchPart>;
  /** Bytes of all blobs of the result. */
  maxBytes: number;
  /** The milliseconds that are left for the next request. */
  left: () => number;
  signal?: AbortSignal | undefined;
}

/**
 * The result with the bytes of its offloaded items back in their places. An item whose bytes cannot be read becomes a
 * text that says so. Rejects only when the signal fires.
 */
export async function drainResult(result: CallToolResult, options: DrainOptions): Promise<CallToolResult> {
  const { maxBytes, signal } = options;
  const budget: ByteBudget = { left: maxBytes, limit: maxBytes };
  const slots = new Limiter(MAX_PARTS_IN_FLIGHT);
  let handles = 0;
  const content = await Promise.all(
    result.content.map(async block => {
      const markers = offloadOf(block);
      if (!markers) return block;
      handles += 1;
      try {
        if (handles > MAX_HANDLES) throw tooMany();
        const data = await readBase64(markers, { ...options, budget, slots });
        for (const copy of markers.a2c_copies ?? []) putBack(result.structuredContent, copy, data);
        return withData(block, data);
      } catch (error) {
        signal?.throwIfAborted();
        return missing(block, markers, error);
      }
    }),
  );
  return { ...result, content };
}

async function readBase64(
  { a2c_blob_handle: handle, a2c_total_size: size, a2c_sha256: sha256 }: OffloadMarkers,
  { fetch, left, signal, budget, slots }: DrainOptions & { budget: ByteBudget; slots: Limiter },
): Promise<string> {
  const part: FetchPart = (offset, timeout) => fetch(handle, offset, timeout);
  const { data } = await readParts(part, { budget, slots, left, signal, expected: { size, sha256 } });
  return encodeBase64(data);
}

/** The item with its bytes, and without the markers. */
function withData(block: ContentBlock, data: string): ContentBlock {
  const { _meta, ...rest } = block as ContentBlock & { resource?: object };
  const own = Object.entries(_meta as object).filter(([key]) => !key.startsWith(MARKER_PREFIX));
  const carrier = isObject(rest.resource) ? { resource: { ...rest.resource, blob: data } } : { data };
  return { ...rest, ...carrier, ...(own.length > 0 ? { _meta: Object.fromEntries(own) } : {}) } as ContentBlock;
}

/** A text instead of the item. It keeps the handle for `readBlob`. */
function missing(block: ContentBlock, markers: OffloadMarkers, error: unknown): ContentBlock {
  const { mimeType = block.resource?.mimeType, type } = block;
  const facts = [mimeType, markers.a2c_total_size === undefined ? undefined : `${markers.a2c_total_size} bytes`];
  const known = facts.filter(fact => typeof fact === 'string').join(', ');
  const reason = clip(error instanceof Error ? error.message : String(error), MAX_REASON_LENGTH);
  const text = `[The ${type}${known && ` (${known})`} is missing, because it could not be fetched: ${reason}]`;
  return { type: 'text', text, _meta: { ...markers } };
}

/** Puts a text where a JSON Pointer leads and the text was taken out. */
function putBack(content: unknown, pointer: string, data: string): void {
  if (pointer.length > MAX_POINTER_LENGTH) return;
  const keys = pointer.split('/').map(key => key.replaceAll('~1', '/').replaceAll('~0', '~'));
  const last = keys.pop() ?? '';
  let place: unknown = content;
  for (const key of keys.slice(1)) place = fieldOf(place, key);
  if (fieldOf(place, last) === '') (place as Record<string, unknown>)[last] = data;
}

function fieldOf(value: unknown, key: string): unknown {
  const hasField = typeof value === 'object' && value !== null && Object.hasOwn(value, key);
  return hasField ? (value as Record<string, unknown>)[key] : undefined;
}

function tooMany(): SmcpError {
  return new SmcpError(ErrorCode.TooLarge, `The result has more than ${MAX_HANDLES} handles`);
}
