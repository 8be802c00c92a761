import { mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import { authHintOf, errorCodeOf } from '@a2c-smcp/agent';
import { fieldsOf, isObject } from '@a2c-smcp/core';
import type { CallToolResult } from '@a2c-smcp/protocol';
import { prettyJson } from './json.ts';
import { briefLine, safeText } from './table.ts';

const MAX_KIND_LENGTH = 20;
const MAX_MIME_TYPE_LENGTH = 100;
const MAX_EXTENSION_LENGTH = 5;
const EXTENSIONS = new Map([
  ['jpeg', 'jpg'],
  ['plain', 'txt'],
  ['mpeg', 'mp3'],
  ['markdown', 'md'],
]);

type Block = CallToolResult['content'][number];

/** A result as lines for a person. Blocks without text are shown as their kind and size. */
export function resultLines(result: CallToolResult): string[] {
  const lines = result.content.map(describe);
  const isBare = lines.length === 0 && result.structuredContent !== undefined;
  const hint = authHintOf(result);
  const code = errorCodeOf(result);
  return [
    ...(isBare ? [prettyJson(result.structuredContent)] : lines),
    ...(hint === undefined ? [] : [safeText(hint)]),
    ...(code === undefined ? [] : [`error ${code}: see docs/reference/errors.md`]),
  ];
}

/**
 * Writes images, audio and attached files of a result into a folder, and returns the paths. Existing
 * files are not overwritten and existing links not followed: the next free number is taken.
 */
export async function saveBlobs(result: CallToolResult, folder: string): Promise<string[]> {
  const blobs = result.content.flatMap(block => blobOf(block) ?? []);
  if (blobs.length > 0) await mkdir(folder, { recursive: true });
  const paths: string[] = [];
  let number = 0;
  for (const { kind, mimeType, data } of blobs) {
    let path: string;
    do path = join(folder, `${kind}-${++number}.${extensionOf(mimeType)}`);
    while (!(await createFile(path, Buffer.from(data, 'base64'))));
    paths.push(path);
  }
  return paths;
}

/** Writes a new file. Returns false if the name is taken. */
async function createFile(path: string, data: Buffer): Promise<boolean> {
  try {
    await using file = await open(path, 'wx');
    await file.writeFile(data);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

function describe(block: Block): string {
  if (typeof block.text === 'string') return safeText(block.text);
  const blob = blobOf(block);
  if (blob) {
    const size = Math.round((blob.data.length * 3) / 4 / 1024);
    return `[${blob.kind} ${briefLine(blob.mimeType, MAX_MIME_TYPE_LENGTH)}, ${size} KiB: --save DIR writes it to a file]`;
  }
  const { text } = fieldsOf(block.resource);
  if (typeof text === 'string') return safeText(text);
  if (typeof block.uri === 'string') return `[link ${safeText(block.uri)}]`;
  return safeText(JSON.stringify(block));
}

function blobOf(block: Block): { kind: string; mimeType: string; data: string } | undefined {
  const source: Record<string, unknown> = isObject(block.resource) ? block.resource : block;
  const data = source.data ?? source.blob;
  if (typeof data !== 'string') return undefined;
  const { mimeType = 'application/octet-stream' } = source;
  return { kind: block.type.replace(/\W/g, '').slice(0, MAX_KIND_LENGTH) || 'file', mimeType: String(mimeType), data };
}

/** The last part of a MIME type where that is a usual extension, as in `image/png`, `image/svg+xml`, `audio/x-wav`. */
function extensionOf(mimeType: string): string {
  const [, type = ''] = /^[\w.+-]+\/(?:x-)?([a-z0-9]+)(?:\+\w+)?$/i.exec(mimeType.split(';', 1)[0] ?? '') ?? [];
  const extension = EXTENSIONS.get(type) ?? type;
  return extension.length >= 1 && extension.length <= MAX_EXTENSION_LENGTH ? extension : 'bin';
}
