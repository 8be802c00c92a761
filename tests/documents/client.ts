import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { DocumentLibrary, ListedDocument } from '@a2c-smcp/documents';
import { DPECatalog, DPEDocument, DPEElementDetail, DPEPage } from '@a2c-smcp/protocol';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect } from 'vitest';
import { eventually } from '../eventually.ts';
import { root } from '../packages.ts';
import { bundled } from '../programs.ts';

/** The documents that are made for the project, one of each format. */
export const examples = join(root, 'examples/documents/files');

/** The `a2c-documents` command. */
export const documentsCommand = bundled('a2c-documents');

/** The library as a user's process has it: with workers, which the sources do not have. */
export function builtLibrary(): Promise<typeof import('@a2c-smcp/documents')> {
  return import(pathToFileURL(join(root, 'packages/documents/dist/index.js')).href);
}

/** A folder that a test may write to; it goes with the test. */
export function temporaryFolder({ from }: { from?: string } = {}): Disposable & { path: string } {
  const path = mkdtempSync(join(tmpdir(), 'a2c-documents-'));
  if (from !== undefined) cpSync(from, path, { recursive: true });
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

/** Lists a library until each of its documents was opened. */
export async function listOpened(library: DocumentLibrary): Promise<ListedDocument[]> {
  let documents: ListedDocument[] = [];
  await eventually(async () => {
    ({ documents } = await library.list());
    for (const { description } of documents) expect(description.page_count).toBeGreaterThan(0);
  });
  return documents;
}

interface ClientOptions {
  /** Speaks the MCP of 2026. @default false */
  modern?: boolean;
  /** @default 'documents' */
  authority?: string | undefined;
  /** Options of Node before the command. @default none */
  node?: readonly string[];
}

/** A real MCP client of a real `a2c-documents` process. */
export class DocumentsClient implements AsyncDisposable {
  readonly mcp: Client;
  readonly pid: number;

  private constructor(mcp: Client, pid: number) {
    this.mcp = mcp;
    this.pid = pid;
  }

  /** @param options `authority` is the host of its URIs, undefined for the default of the command */
  static async open(args: string[], options: ClientOptions = {}): Promise<DocumentsClient> {
    const { modern = false, authority, node = [] } = { authority: 'documents', ...options };
    const named = authority === undefined ? [] : ['--authority', authority];
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [...node, documentsCommand, '--no-index', ...named, ...args],
    });
    const mcp = new Client({ name: 'test', version: '1' }, modern ? { versionNegotiation: { mode: 'auto' } } : {});
    await mcp.connect(transport);
    return new DocumentsClient(mcp, transport.pid ?? 0);
  }

  async json(uri: string): Promise<unknown> {
    const { contents } = await this.mcp.readResource({ uri });
    const [content] = contents;
    if (content === undefined || !('text' in content)) throw new TypeError(`No text at '${uri}'`);
    return JSON.parse(content.text);
  }

  /** The catalogue, as soon as each of its documents was opened. */
  async catalog(uri: string): Promise<DPECatalog> {
    let catalog: DPECatalog = { documents: [], total_count: 0 };
    await eventually(async () => {
      catalog = DPECatalog.parse(await this.json(uri));
      for (const { page_count } of catalog.documents) expect(page_count).toBeGreaterThan(0);
    });
    return catalog;
  }

  async document(uri: string): Promise<DPEDocument> {
    return DPEDocument.parse(await this.json(uri));
  }

  async page(uri: string): Promise<DPEPage> {
    return DPEPage.parse(await this.json(uri));
  }

  async element(uri: string): Promise<DPEElementDetail> {
    return DPEElementDetail.parse(await this.json(uri));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.mcp.close();
  }
}
