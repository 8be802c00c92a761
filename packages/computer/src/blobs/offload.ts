import { isObject, type Logger, MAX_NESTING_DEPTH, messageSize } from '@a2c-smcp/core';
import type { CallToolResult, ContentBlock, OffloadMarkers } from '@a2c-smcp/protocol';
import { decodedSize } from './base64.ts';
import type { SpooledBlob } from './spool.ts';

export interface OffloadOptions {
  /** Bytes of a message that the Server takes. */
  limit: number;
  /** Bytes of a message that the Agent takes for sure: items are offloaded until it fits, as far as there are any. */
  aim: number;
  /** Decoded bytes of an item that go out in the result if the Agent drains. */
  inlineBudget: number;
  /** True if the Agent fetches bytes behind handles by itself. */
  drains: boolean;
  /** Keeps the bytes of a base64 text. */
  put: (base64: string, mimeType: string) => Promise<SpooledBlob>;
  /** The result that takes the place of one that does not fit. */
  refuse: (size: number, limit: number) => CallToolResult;
  logger: Logger;
}

/** A base64 text in a result: the field of an item, and copies of it in the structured content. */
interface Carrier {
  index: number;
  base64: string;
  mimeType: string;
  /** JSON Pointers into `structuredContent`. */
  copies: string[];
}

/** Bytes of an item that are added when it is offloaded: the markers, and a text for Agents that do not drain. */
const MARKERS_BYTES = 512;

/** The base64 text of an item, if it has one. */
function base64In(block: ContentBlock): string | undefined {
  const text = block.type === 'resource' ? block.resource?.blob : block.data;
  return typeof text === 'string' && (block.type === 'resource' || isMedia(block)) ? text : undefined;
}

/**
 * The result with handles instead of the bytes that do not fit into a message, the largest first, and of those that are
 * above the budget of an Agent that drains. Never rejects.
 */
export async function offload(result: CallToolResult, options: OffloadOptions): Promise<CallToolResult> {
  const { limit, aim, inlineBudget, refuse } = options;
  const carriers = carriersOf(result).toSorted((a, b) => b.base64.length - a.base64.length);
  // The long texts are not serialised: base64 takes as many bytes as it has characters.
  const whole = carriers.reduce((sum, carrier) => sum + costOf(carrier), messageSize(without(result, carriers)));
  let size = whole;
  const large: Carrier[] = [];
  for (const carrier of carriers) {
    const isWanted = options.drains && decodedSize(carrier.base64) > inlineBudget;
    if (!isWanted && (size <= aim || costOf(carrier) <= MARKERS_BYTES)) continue;
    large.push(carrier);
    size += MARKERS_BYTES - costOf(carrier);
  }
  const blobs = size <= limit ? await spoolAll(large, options) : new Map<string, SpooledBlob>();
  const spooled = large.filter(({ base64 }) => blobs.has(base64));
  const sent = spooled.reduce((sum, carrier) => sum + MARKERS_BYTES - costOf(carrier), whole);
  if (sent > limit) return refuse(whole, limit);
  const offloaded = without(result, spooled, ({ base64, copies }) => markersOf(blobs.get(base64), copies));
  return options.drains ? offloaded : withNotes(offloaded, spooled, limit);
}

/** Bytes of a message that a text and its copies take. */
function costOf({ base64, copies }: Carrier): number {
  return base64.length * (1 + copies.length);
}

/** The blobs by their base64 text. One that cannot be kept stays in the result. */
async function spoolAll(
  carriers: readonly Carrier[],
  { put, logger }: OffloadOptions,
): Promise<Map<string, SpooledBlob>> {
  const spooled = new Map<string, SpooledBlob>();
  for (const { base64, mimeType } of carriers) {
    if (spooled.has(base64)) continue;
    try {
      spooled.set(base64, await put(base64, mimeType));
    } catch (error) {
      logger.warn('The bytes of a result could not be kept apart', { size: decodedSize(base64), error });
    }
  }
  return spooled;
}

function carriersOf({ content, structuredContent }: CallToolResult): Carrier[] {
  const carriers: Carrier[] = [];
  for (const [index, block] of content.entries()) {
    const base64 = base64In(block);
    if (base64 === undefined || base64 === '') continue;
    const mimeType = block.mimeType ?? block.resource?.mimeType;
    const type = typeof mimeType === 'string' ? mimeType : 'application/octet-stream';
    carriers.push({ index, base64, mimeType: type, copies: [] });
  }
  const visit = (value: unknown, pointer: string, levels: number): void => {
    // Of two items with one text, the first has all copies.
    if (typeof value === 'string') carriers.find(({ base64 }) => base64 === value)?.copies.push(pointer);
    if (typeof value !== 'object' || value === null || levels === 0) return;
    for (const [key, field] of Object.entries(value)) visit(field, `${pointer}/${escapeKey(key)}`, levels - 1);
  };
  visit(structuredContent, '', MAX_NESTING_DEPTH);
  return carriers;
}

/** The result without the texts of the carriers, and with markers in their items. Shares everything else. */
function without(
  result: CallToolResult,
  carriers: readonly Carrier[],
  mark: (carrier: Carrier) => Partial<OffloadMarkers> = () => ({}),
): CallToolResult {
  if (carriers.length === 0) return result;
  const content = [...result.content];
  const taken = new Set<string>();
  for (const carrier of carriers) {
    const block = content[carrier.index] as ContentBlock & Record<string, unknown>;
    const _meta = { ...(isObject(block._meta) ? block._meta : {}), ...mark(carrier) };
    const bare = block.type === 'resource' ? { resource: { ...block.resource, blob: '' } } : { data: '' };
    content[carrier.index] = { ...block, ...bare, _meta } as ContentBlock;
    for (const copy of carrier.copies) taken.add(copy);
  }
  if (taken.size === 0) return { ...result, content };
  return { ...result, content, structuredContent: emptied(result.structuredContent, '', taken) };
}

/** A value with the empty text at some places. */
function emptied(value: unknown, pointer: string, places: ReadonlySet<string>): unknown {
  if (places.has(pointer)) return '';
  if (Array.isArray(value)) return value.map((entry, index) => emptied(entry, `${pointer}/${index}`, places));
  if (!isObject(value)) return value;
  const fields = Object.entries(value).map(([key, field]) => [
    key,
    emptied(field, `${pointer}/${escapeKey(key)}`, places),
  ]);
  return Object.fromEntries(fields);
}

function markersOf(blob: SpooledBlob | undefined, copies: string[]): Partial<OffloadMarkers> {
  if (!blob) return {};
  const { handle, size, sha256 } = blob;
  const markers = { a2c_blob_handle: handle, a2c_total_size: size, a2c_sha256: sha256 };
  return copies.length > 0 ? { ...markers, a2c_copies: copies } : markers;
}

/** A text after each item for an Agent that may see nothing but an empty one. */
function withNotes(result: CallToolResult, carriers: readonly Carrier[], limit: number): CallToolResult {
  const large = new Map(carriers.map(carrier => [carrier.index, carrier]));
  const content = result.content.flatMap((block, index) => {
    const carrier = large.get(index);
    if (!carrier) return [block];
    const facts = `${carrier.mimeType}, ${decodedSize(carrier.base64)} bytes`;
    const reason = `it does not fit into a message of ${limit} bytes. Its '_meta' has a handle for client:get_blob`;
    return [block, { type: 'text' as const, text: `[The ${block.type} (${facts}) is left out: ${reason}]` }];
  });
  return { ...result, content };
}

function isMedia({ type }: ContentBlock): boolean {
  return type === 'image' || type === 'audio';
}

/** A key in a JSON Pointer. */
function escapeKey(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}
