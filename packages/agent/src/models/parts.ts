import type { CallToolResult } from '@a2c-smcp/protocol';

/** What a model can be shown of a tool's result. */
export type Part = { type: 'text'; text: string } | { type: 'image'; data: string; mediaType: string };

/** A result as texts and images, in order. What a model cannot take is described in words. */
export function partsOf({ content, structuredContent }: CallToolResult): Part[] {
  const parts = content.map(toPart);
  if (parts.length > 0) return parts;
  const text = structuredContent == null ? 'The tool returned nothing' : JSON.stringify(structuredContent);
  return [{ type: 'text', text }];
}

/** A result as one text; images are described. */
export function textOf(result: CallToolResult): string {
  return partsOf(result).map(describe).join('\n\n');
}

/** The text that stands for a part where only texts may be. */
export function describe(part: Part): string {
  return part.type === 'text' ? part.text : `[image of type ${part.mediaType}]`;
}

/** The image as a URL that carries its own data. */
export function dataUrl({ mediaType, data }: { mediaType: string; data: string }): string {
  return `data:${mediaType};base64,${data}`;
}

type Item = CallToolResult['content'][number];

function toPart(item: Item): Part {
  if (item.type === 'text' && typeof item.text === 'string') return { type: 'text', text: item.text };
  if (item.type === 'resource') return toResourcePart(item);
  if (item.type === 'image' || item.type === 'audio') return toMediaPart(item.type, item.data, mediaTypeOf(item));
  if (item.type === 'resource_link') return { type: 'text', text: `[resource ${item.name ?? ''} ${item.uri}]` };
  return { type: 'text', text: JSON.stringify(item) };
}

function toResourcePart({ resource }: Item): Part {
  if (typeof resource !== 'object' || resource === null) return { type: 'text', text: '[empty resource]' };
  const { text, blob, uri } = resource as { text?: unknown; blob?: unknown; uri?: unknown };
  return typeof text === 'string'
    ? { type: 'text', text }
    : toMediaPart(`resource ${uri}`, blob, mediaTypeOf(resource));
}

function toMediaPart(what: string, data: unknown, mediaType: string): Part {
  if (typeof data === 'string' && mediaType.startsWith('image/')) return { type: 'image', data, mediaType };
  return { type: 'text', text: `[${what} of type ${mediaType}]` };
}

/** Computers built with the Rust SDK write `mime_type`. */
function mediaTypeOf(item: object): string {
  const { mimeType, mime_type } = item as { mimeType?: unknown; mime_type?: unknown };
  return String(mimeType ?? mime_type ?? 'application/octet-stream');
}
