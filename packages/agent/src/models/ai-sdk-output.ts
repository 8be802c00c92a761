import type { CallToolResult } from '@a2c-smcp/protocol';
import type { ToolResultPart } from 'ai';
import { describeResult, type ImagePart, partsOf } from './parts.ts';

/** A result as the AI SDK sends it to a model. */
export function toModelOutput(
  result: CallToolResult,
  { hasFileParts }: { hasFileParts: boolean },
): ToolResultPart['output'] {
  if (result.isError) return { type: 'error-text', value: describeResult(result) };
  const parts = partsOf(result);
  // Providers send text as it is, and other contents as JSON unless they know them.
  if (parts.every(({ type }) => type === 'text')) return { type: 'text', value: describeResult(result) };
  const image = hasFileParts ? filePart : imagePart;
  return { type: 'content', value: parts.map(part => (part.type === 'text' ? part : image(part))) };
}

function imagePart({ data, mediaType }: ImagePart) {
  return { type: 'image-data' as const, data, mediaType };
}

function filePart({ data, mediaType }: ImagePart) {
  // The types are those of version 6.
  return { type: 'file', mediaType, data: { type: 'data', data } } as unknown as ReturnType<typeof imagePart>;
}
