import { asText } from '@a2c-smcp/core';
import type { CallToolResult, ContentBlock } from '@a2c-smcp/protocol';

/** A piece of a result that a model can take. */
export type Part = { type: 'text'; text: string } | ImagePart;

export interface ImagePart {
  type: 'image';
  /** In base64. */
  data: string;
  mediaType: string;
}

/** A result as texts and images, in order. Blocks that a model cannot take are described in words. */
export function partsOf({ content, structuredContent }: CallToolResult): Part[] {
  const parts = content.map(toPart);
  if (parts.length > 0) return parts;
  return [text(structuredContent == null ? 'The tool returned nothing' : JSON.stringify(structuredContent))];
}

/** A result as one text; images are described. */
export function describeResult(result: CallToolResult): string {
  return partsOf(result).map(describe).join('\n\n');
}

/** A result as one text that says whether the tool failed, for models without a field for that. */
export function answerText(result: CallToolResult): string {
  return result.isError ? `${FAILED}: ${describeResult(result)}` : describeResult(result);
}

export const FAILED = 'The tool failed';

/** The text of a part; an image is described. */
export function describe(part: Part): string {
  return part.type === 'text' ? part.text : `[image of type ${part.mediaType}]`;
}

/** The image as a `data:` URL. */
export function dataUrl({ mediaType, data }: { mediaType: string; data: string }): string {
  return `data:${mediaType};base64,${data}`;
}

// The fields of a block are checked again: nothing else holds an MCP server to them.
function toPart(block: ContentBlock): Part {
  switch (block.type) {
    case 'text':
      return text(typeof block.text === 'string' ? block.text : JSON.stringify(block));
    case 'image':
    case 'audio':
      return toMediaPart(block.type, block.data, block.mimeType);
    case 'resource': {
      const { text: body, blob, uri, mimeType } = block.resource ?? {};
      if (typeof body === 'string') return text(body);
      return uri === undefined ? text('[empty resource]') : toMediaPart(`resource ${asText(uri)}`, blob, mimeType);
    }
    case 'resource_link':
      return text(`[resource ${asText(block.name ?? '')} ${asText(block.uri)}]`);
    default:
      return text(JSON.stringify(block));
  }
}

function toMediaPart(name: string, data: unknown, mimeType: unknown): Part {
  const mediaType = asText(mimeType ?? 'application/octet-stream');
  // Providers refuse an image without data, and the whole conversation with it.
  if (typeof data === 'string' && data !== '' && mediaType.startsWith('image/'))
    return { type: 'image', data, mediaType };
  return text(`[${name} of type ${mediaType}]`);
}

function text(value: string): Part {
  return { type: 'text', text: value };
}
