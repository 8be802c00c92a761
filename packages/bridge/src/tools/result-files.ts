import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ErrorCode } from '@a2c-smcp/agent';
import { isObject } from '@a2c-smcp/core';
import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/server';
import { sizeProblem } from '../message-size.ts';
import { errorResult } from './results.ts';

/** Characters of a long text that stay in the result. */
const PREVIEW_LENGTH = 20_000;
/** Smaller parts stay in the result: files of them would make it hardly shorter. */
const MIN_FILE_BYTES = 64 * 1024;
/** Bytes of all files. The oldest make room for new ones. */
const MAX_TOTAL_BYTES = 1024 * 1024 * 1024;
/** Extensions by media type, where it does not end with one. */
const EXTENSIONS: Record<string, string> = {
  'text/plain': 'txt',
  'image/jpeg': 'jpg',
  'text/markdown': 'md',
  'audio/mpeg': 'mp3',
};

/** A part of a result that can be a file. */
interface FilePart {
  bytes: Buffer;
  mimeType: string;
  /** The beginning, of a text. */
  preview?: string;
}

interface SavedFile {
  path: string;
  size: number;
}

/**
 * Saves the parts of results that are too large for MCP clients as files, and links them. A client on the same machine reads
 * them; all of them are removed at the end.
 */
export class ResultFiles implements AsyncDisposable {
  readonly #parent: string | undefined;
  #folder: Promise<string> | undefined;
  #files: SavedFile[] = [];

  /** @param parent the folder for the folder of the files; undefined: that for temporary ones */
  constructor(parent?: string) {
    this.#parent = parent;
  }

  /** The result, or one that fits: its largest parts are links to files then. */
  async fit(result: CallToolResult): Promise<CallToolResult> {
    if (sizeProblem(result) === undefined) return result;
    const blocks = result.content.map(block => ({ block, part: partOf(block), shown: [block] }));
    const largest = blocks.toSorted((a, b) => (b.part?.bytes.length ?? 0) - (a.part?.bytes.length ?? 0));
    for (const each of largest) {
      if (!each.part || each.part.bytes.length < MIN_FILE_BYTES) break;
      each.shown = linkTo(await this.#save(each.part), each.part);
      const shorter = { ...result, content: blocks.flatMap(({ shown }) => shown) };
      if (sizeProblem(shorter) === undefined) return shorter;
    }
    return errorResult(sizeProblem(result) ?? '', ErrorCode.TooLarge);
  }

  async close(): Promise<void> {
    const folder = await this.#folder?.catch(() => undefined);
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #save({ bytes, mimeType }: FilePart): Promise<SavedFile> {
    // Only this user may enter it.
    this.#folder ??= mkdtemp(join(this.#parent ?? tmpdir(), 'a2c-bridge-'));
    const path = join(await this.#folder, `${randomUUID().slice(0, 8)}.${extensionOf(mimeType)}`);
    await writeFile(path, bytes, { mode: 0o600, flag: 'wx' });
    const file = { path, size: bytes.length };
    this.#files.push(file);
    await this.#makeRoom();
    return file;
  }

  async #makeRoom(): Promise<void> {
    let total = this.#files.reduce((sum, { size }) => sum + size, 0);
    while (total > MAX_TOTAL_BYTES && this.#files.length > 1) {
      const [oldest, ...rest] = this.#files;
      this.#files = rest;
      total -= oldest?.size ?? 0;
      if (oldest) await rm(oldest.path, { force: true });
    }
  }
}

function partOf(block: Record<string, unknown>): FilePart | undefined {
  const source = isObject(block.resource) ? block.resource : block;
  const mimeType = typeof source.mimeType === 'string' ? source.mimeType : undefined;
  const data = source.data ?? source.blob;
  if (typeof data === 'string') {
    return { bytes: Buffer.from(data, 'base64'), mimeType: mimeType ?? 'application/octet-stream' };
  }
  if (typeof source.text !== 'string') return undefined;
  const preview = source.text.slice(0, PREVIEW_LENGTH);
  return { bytes: Buffer.from(source.text), mimeType: mimeType ?? 'text/plain', preview };
}

/** A text for models whose client knows no links, and the link. */
function linkTo({ path, size }: SavedFile, { mimeType, preview }: FilePart): ContentBlock[] {
  const sized = `${(size / 1024 / 1024).toFixed(1)} MiB of ${mimeType}`;
  const text = `${sized}, too large for an answer, are in the file '${path}' until the bridge ends`;
  const uri = pathToFileURL(path).href;
  return [
    ...(preview === undefined ? [] : [{ type: 'text' as const, text: `${preview}\n… (this is the beginning)` }]),
    { type: 'text', text },
    { type: 'resource_link', uri, name: path.slice(-40), mimeType, size },
  ];
}

function extensionOf(mimeType: string): string {
  const [type = ''] = mimeType.toLowerCase().split(';');
  return EXTENSIONS[type] ?? /\/(?:x-)?(\w{1,8})$/.exec(type)?.[1] ?? 'bin';
}
