import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { refuse, send } from './respond.ts';

/** The built pages. Both `src/http` and `dist/http` lead there. */
const FOLDER = fileURLToPath(new URL('../../dist/site/', import.meta.url));

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
};

interface SiteFile {
  type: string;
  etag: string;
  plain: Buffer;
  gzip: Buffer;
}

/** The files of the pages, in memory: a request can name no other. */
export class Site {
  readonly #files: ReadonlyMap<string, SiteFile>;

  private constructor(files: ReadonlyMap<string, SiteFile>) {
    this.#files = files;
  }

  /** True if the pages were built. */
  static get isBuilt(): boolean {
    return existsSync(join(FOLDER, 'index.html'));
  }

  /** Throws when the pages were not built. */
  static load(folder = FOLDER): Site {
    try {
      const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(name => extname(name) !== '');
      return new Site(new Map(names.map(name => [name.replaceAll('\\', '/'), load(join(folder, name))])));
    } catch (cause) {
      throw new Error("The pages of the console are not built: 'npm run build' does so", { cause });
    }
  }

  /** Answers with a file; the empty path is the page itself. */
  serve(path: string, request: IncomingMessage, response: ServerResponse): void {
    const file = this.#files.get(path === '' ? 'index.html' : path);
    if (file) this.#send(file, path, request, response);
    else refuse(response, 404, 'There is no such page');
  }

  #send(file: SiteFile, path: string, request: IncomingMessage, response: ServerResponse): void {
    // Vite puts the sum of a file into its name.
    const isHashed = path.startsWith('assets/');
    const headers = {
      etag: file.etag,
      vary: 'accept-encoding',
      'cache-control': isHashed ? 'public, max-age=31536000, immutable' : 'no-store',
    };
    if (request.headers['if-none-match'] === file.etag) {
      send(response, 304, headers);
      return;
    }
    const isZipped = /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''));
    const body = isZipped ? file.gzip : file.plain;
    const encoding = isZipped ? { 'content-encoding': 'gzip' } : {};
    const sized = { ...headers, ...encoding, 'content-type': file.type, 'content-length': body.length };
    send(response, 200, sized, request.method === 'HEAD' ? '' : body);
  }
}

function load(path: string): SiteFile {
  const plain = readFileSync(path);
  const etag = `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`;
  return { type: TYPES[extname(path)] ?? 'application/octet-stream', etag, plain, gzip: gzipSync(plain) };
}
