import { mkdir, open } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { asText, isObject } from '@a2c-smcp/core';
import type { CallToolResult } from '@a2c-smcp/protocol';

const MAX_KIND_LENGTH = 20;
const MAX_EXTENSION_LENGTH = 5;
const MAX_NAME_LENGTH = 100;
const EXTENSIONS = new Map([
  ['jpeg', 'jpg'],
  ['plain', 'txt'],
  ['mpeg', 'mp3'],
  ['markdown', 'md'],
  ['javascript', 'js'],
]);

/** One block of a result. */
export type Block = CallToolResult['content'][number];

/** An image, a sound or a file in a result. */
export interface Attachment {
  /** The type of its block, as in `image`. */
  kind: string;
  mimeType: string;
  bytes: Buffer;
  /** True if it is text that can be shown. */
  isText: boolean;
  /** The name of the file that a resource is. */
  name?: string;
}

export function attachmentOf(block: Block): Attachment | undefined {
  const isResource = isObject(block.resource);
  const source: Record<string, unknown> = isObject(block.resource) ? block.resource : block;
  const data = source.data ?? source.blob;
  const isText = isResource && typeof source.text === 'string';
  if (typeof data !== 'string' && !isText) return undefined;
  const { mimeType = isText ? 'text/plain' : 'application/octet-stream' } = source;
  const name = isResource ? nameOf(asText(source.uri)) : undefined;
  return {
    kind: block.type.replace(/\W/g, '').slice(0, MAX_KIND_LENGTH) || 'file',
    mimeType: asText(mimeType),
    bytes: typeof data === 'string' ? Buffer.from(data, 'base64') : Buffer.from(String(source.text)),
    isText: typeof data !== 'string',
    ...(name ? { name } : {}),
  };
}

/**
 * Writes the attachments of a result into a folder, and returns their paths. A resource keeps the name in its URI. Existing
 * files are not overwritten and existing links not followed: the next free number is taken.
 */
export async function saveAttachments(content: readonly Block[], folder: string): Promise<Map<Block, string>> {
  const attachments = content.flatMap(block => {
    const attachment = attachmentOf(block);
    return attachment ? [{ block, attachment }] : [];
  });
  if (attachments.length > 0) await mkdir(folder, { recursive: true });
  const paths = new Map<Block, string>();
  let unnamed = 0;
  for (const { block, attachment } of attachments) {
    const { kind, mimeType, bytes, name } = attachment;
    const extension = extensionOf(mimeType);
    const base = name === undefined ? kind : name.slice(0, name.length - extname(name).length);
    const suffix = (name && extname(name)) || `.${extension}`;
    for (let number = 1; !paths.has(block); number++) {
      const count = name === undefined ? `-${++unnamed}` : number === 1 ? '' : `-${number}`;
      const path = join(folder, `${base}${count}${suffix}`);
      if (await createFile(path, bytes)) paths.set(block, path);
    }
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

/** The last part of a URI as the name of a file: no folders, no hidden files, nothing that a shell could mistake. */
function nameOf(uri: string): string {
  const [path = ''] = uri.split(/[?#]/, 1);
  const [last = ''] = path.split('/').slice(-1);
  const name = decoded(last)
    .replace(/[^\p{L}\p{N}\p{M} ._()+-]/gu, '_')
    .replace(/^[. -]+/, '')
    .trim();
  const extension = extname(name).slice(0, MAX_NAME_LENGTH / 2);
  return name.slice(0, name.length - extname(name).length).slice(0, MAX_NAME_LENGTH - extension.length) + extension;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The last part of a MIME type where that is a usual extension, as in `image/png`, `image/svg+xml`, `audio/x-wav`. */
function extensionOf(mimeType: string): string {
  const [, type = ''] = /^[\w.+-]+\/(?:x-)?([a-z0-9]+)(?:\+\w+)?$/i.exec(mimeType.split(';', 1)[0] ?? '') ?? [];
  const extension = EXTENSIONS.get(type) ?? type;
  return extension.length >= 1 && extension.length <= MAX_EXTENSION_LENGTH ? extension : 'bin';
}
