import { join } from 'node:path';
import { type Logger, readJson } from '@a2c-smcp/core';
import type { PriorDiscovery, ServerCapabilities } from '@modelcontextprotocol/client';
import * as z from 'zod';
import type { IdentifiedConfig } from '../../config/bundle-id.ts';
import { hashOf, type Origin } from '../../config/origin.ts';
import { describeError } from '../../describe-error.ts';
import { preparePrivateFolder, readPrivateFile, replacePrivateFile } from '../../inputs/private-file.ts';
import { McpPrompt, McpTool } from '../session/schemas.ts';
import type { McpSession, ResourceSession } from '../session/session.ts';
import { fingerprint } from './start-part.ts';

/** The tools of one server have 4 MiB at most; the rest is for the URIs of its resources. */
const MAX_FILE_BYTES = 16 * 1024 * 1024;

const Verdict = z.union([
  z.object({ kind: z.literal('legacy') }),
  z.object({ kind: z.literal('modern'), discover: z.looseObject({}) }),
]);

const StoredCatalog = z.object({
  version: z.literal(1),
  fingerprint: z.string(),
  tools: z.array(McpTool),
  prompts: z.array(McpPrompt).optional(),
  resources: z.array(z.string()),
  templates: z.array(z.string()),
  capabilities: z.looseObject({ resources: z.looseObject({}).optional() }),
  verdict: Verdict,
});

/** The listing of an MCP server from its last session, used while it has none. */
export interface ServerCatalog {
  tools: readonly McpTool[];
  /** Undefined if it has not listed them. */
  prompts?: readonly McpPrompt[] | undefined;
  /** URIs. */
  resources: readonly string[];
  /** URI templates. */
  templates: readonly string[];
  capabilities: ServerCapabilities;
  /** The era of its protocol, which the next session need not probe. */
  verdict: PriorDiscovery;
}

/** The MCP server that a catalog is of. */
export interface CataloguedServer {
  config: IdentifiedConfig;
  origin: Origin;
}

/** Lists what a server has. One that does not list its prompts or resources keeps those of the former catalog. */
export async function collectCatalog(
  session: McpSession,
  publisher: ResourceSession,
  former: ServerCatalog | undefined,
): Promise<ServerCatalog> {
  const live = collectLiveLists(session, publisher, former);
  const prompts = session.prompts.all().catch(() => former?.prompts);
  // Not every server with resources answers the request for templates.
  const templates = publisher.resourceTemplates().then(
    list => list.map(({ uriTemplate }) => uriTemplate),
    () => [],
  );
  return { ...(await live), prompts: await prompts, templates: await templates };
}

/** Those lists of a server that the Computer asks for in any case. Others have to wait for it. */
export async function collectLiveLists(
  session: McpSession,
  publisher: ResourceSession,
  former: ServerCatalog | undefined,
): Promise<ServerCatalog> {
  const resources = await publisher.resources().then(
    list => list.map(({ uri }) => uri),
    () => former?.resources ?? [],
  );
  const { tools, verdict } = session;
  return { tools, resources, templates: [], capabilities: publisher.capabilities, verdict };
}

/** The catalogs of MCP servers in a folder for their owner alone, a file for each. Without a folder there are none. */
export class CatalogFiles {
  readonly #folder: string | undefined;
  readonly #logger: Logger;

  constructor(folder: string | undefined, logger: Logger) {
    this.#folder = folder;
    this.#logger = logger;
  }

  /** True if a catalog outlives the Computer. */
  get areKept(): boolean {
    return this.#folder !== undefined;
  }

  /** The catalog of a server; undefined if there is none of this configuration, or it cannot be trusted. */
  async read(server: CataloguedServer): Promise<ServerCatalog | undefined> {
    const file = this.#fileOf(server);
    if (file === undefined) return undefined;
    try {
      await preparePrivateFolder(file);
      const text = await readPrivateFile(file, MAX_FILE_BYTES);
      if (text === undefined) return undefined;
      const stored = StoredCatalog.safeParse(readJson(text));
      if (!stored.success) throw new Error(`'${file}' is damaged: it is replaced when the MCP server has started`);
      return stored.data.fingerprint === fingerprint(server.config) ? (stored.data as ServerCatalog) : undefined;
    } catch (error) {
      this.#warn('The cached lists of an MCP server cannot be used, and it is started', server, error);
      return undefined;
    }
  }

  async write(server: CataloguedServer, catalog: ServerCatalog): Promise<void> {
    const file = this.#fileOf(server);
    if (file === undefined) return;
    try {
      const text = JSON.stringify({ version: 1, fingerprint: fingerprint(server.config), ...catalog });
      if (Buffer.byteLength(text) > MAX_FILE_BYTES) throw new Error('They take more than 16 MiB');
      await preparePrivateFolder(file);
      await replacePrivateFile(file, text);
    } catch (error) {
      this.#warn('The lists of an MCP server could not be cached', server, error);
    }
  }

  /** A changed configuration replaces the file of the former. */
  #fileOf({ config, origin }: CataloguedServer): string | undefined {
    return this.#folder && join(this.#folder, `${hashOf(JSON.stringify([origin, config.name]))}.json`);
  }

  #warn(message: string, { config }: CataloguedServer, error: unknown): void {
    this.#logger.warn(message, { mcp_server: config.name, reason: describeError(error) });
  }
}
