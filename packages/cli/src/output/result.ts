import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { authHintOf, errorCodeOf } from '@a2c-smcp/agent';
import type { CallToolResult } from '@a2c-smcp/protocol';
import { safeText } from './table.ts';

type Block = CallToolResult['content'][number];

/** A result as lines for a person. What is not text is named with its size. */
export function resultLines(result: CallToolResult): string[] {
  const lines = result.content.map(describe);
  const isBare = lines.length === 0 && result.structuredContent !== undefined;
  const hint = authHintOf(result);
  const code = errorCodeOf(result);
  return [
    ...(isBare ? [JSON.stringify(result.structuredContent, null, 2)] : lines),
    ...(hint === undefined ? [] : [safeText(hint)]),
    ...(code === undefined ? [] : [`error ${code}: see docs/errors.md`]),
  ];
}

/** Writes images, audio and attached files of a result into a folder, and returns the paths. */
export async function saveBlobs(result: CallToolResult, folder: string): Promise<string[]> {
  const blobs = result.content.flatMap(block => blobOf(block) ?? []);
  if (blobs.length > 0) await mkdir(folder, { recursive: true });
  const paths = blobs.map(async ({ kind, mimeType, data }, index) => {
    const path = join(folder, `${kind}-${index + 1}.${extensionOf(mimeType)}`);
    await writeFile(path, Buffer.from(data, 'base64'));
    return path;
  });
  return Promise.all(paths);
}

function describe(block: Block): string {
  if (typeof block.text === 'string') return safeText(block.text);
  const blob = blobOf(block);
  if (blob) {
    const size = Math.round((blob.data.length * 3) / 4 / 1024);
    return `[${blob.kind} ${safeText(blob.mimeType)}, ${size} KiB: --save DIR writes it to a file]`;
  }
  const inner = block.resource;
  if (isObject(inner) && typeof inner.text === 'string') return safeText(inner.text);
  if (typeof block.uri === 'string') return `[link ${safeText(block.uri)}]`;
  return safeText(JSON.stringify(block));
}

function blobOf(block: Block): { kind: string; mimeType: string; data: string } | undefined {
  const source = isObject(block.resource) ? block.resource : block;
  const data = source.data ?? source.blob;
  if (typeof data !== 'string') return undefined;
  const { mimeType = 'application/octet-stream' } = source;
  return { kind: block.type.replace(/\W/g, ''), mimeType: String(mimeType), data };
}

function extensionOf(mimeType: string): string {
  const [, type = 'bin'] = /^[\w.+-]+\/([\w.-]+)/.exec(mimeType) ?? [];
  return { jpeg: 'jpg', 'octet-stream': 'bin', plain: 'txt', mpeg: 'mp3' }[type] ?? type.replace(/^x-/, '');
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
