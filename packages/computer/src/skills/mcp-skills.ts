import { createHash } from 'node:crypto';
import { dirname, isAbsolute } from 'node:path';
import { fieldsOf, within } from '@a2c-smcp/core';
import { FINDER_TIMEOUT_MS, type Resource, ResourceContents } from '@a2c-smcp/protocol';
import type { McpServers } from '../mcp/supervisor/mcp-servers.ts';
import type { ResourceCatalog } from '../resources/catalog.ts';
import type { ServerResources } from '../resources/server-resources.ts';
import { Archives, download } from './archives.ts';
import { frontMatterOf, openServed, readEntry, realRoot, type SkillFolder } from './folder.ts';
import type { SkillFacts } from './front-matter.ts';
import { mcpSkillName } from './names.ts';
import { inMemory, type OpenBytes, without } from './open-bytes.ts';
import { ENTRY_FILE, fileError, insidePath } from './paths.ts';
import { type PublishedSkill, publishedSkills, type SkillOrigin } from './published.ts';
import { ReadCache } from './read-cache.ts';
import { refOf, type SkillPackage } from './skill-package.ts';

/** Milliseconds for which files are opened without listing again. Servers need not announce changes. */
const LIST_AGE_MS = 10_000;

const LEFT_OUT = 'A skill of an MCP server is left out';

export interface McpSkillsOptions {
  servers: McpServers;
  resources: ResourceCatalog;
  /** Folders below which servers may have skills on disk. */
  mountFolders: readonly string[];
}

/** The files of a skill, before its name is known. */
interface LoadedSkill {
  facts: SkillFacts | undefined;
  /** The folder, or the URI of a skill whose files are resources. */
  path: string;
  open: SkillPackage['open'];
}

/** The skills that MCP servers publish as `skill://` resources. Read lazily, when skills are first requested. */
export class McpSkills {
  readonly #options: McpSkillsOptions;
  readonly #archives = new Archives();
  readonly #reads = new ReadCache();
  /** By the list of resources, which is the same array until its server announces another one. */
  #loaded = new WeakMap<readonly Resource[], Promise<SkillPackage[]>>();
  #recent: { skills: readonly SkillPackage[]; expires: number } | undefined;
  readonly #unsubscribe: () => void;

  constructor(options: McpSkillsOptions) {
    this.#options = options;
    this.#unsubscribe = options.resources.events.on('skills', () => this.#invalidate());
  }

  async list(): Promise<SkillPackage[]> {
    const { resources } = this.#options;
    const lists = (await resources.list('skills')).filter(({ resources }) => resources.length > 0);
    const skills = await Promise.all(lists.map(({ source, resources }) => this.#ofServer(source, resources)));
    this.#recent = { skills: skills.flat(), expires: performance.now() + LIST_AGE_MS };
    return skills.flat();
  }

  async find(name: string): Promise<SkillPackage | undefined> {
    const isRecent = this.#recent !== undefined && this.#recent.expires > performance.now();
    const skills = this.#recent && isRecent ? this.#recent.skills : await this.list();
    return skills.find(({ ref }) => ref.name === name);
  }

  async close(): Promise<void> {
    this.#unsubscribe();
    await this.#archives.close();
  }

  #invalidate(): void {
    this.#loaded = new WeakMap();
    this.#recent = undefined;
    this.#reads.clear();
  }

  /** The skills of one server; none while it takes too long, and then its skills are announced. */
  async #ofServer(source: ServerResources, resources: readonly Resource[]): Promise<SkillPackage[]> {
    const loading = this.#loaded.get(resources) ?? this.#load(source, resources);
    this.#loaded.set(resources, loading);
    return within(loading, { timeout: FINDER_TIMEOUT_MS }).catch(() => {
      const report = () => this.#options.resources.changed('skills');
      loading.then(report, () => {});
      return [];
    });
  }

  async #load(source: ServerResources, resources: readonly Resource[]): Promise<SkillPackage[]> {
    const loaded = await Promise.all(
      publishedSkills(resources).map(published => source.limiter.run(() => this.#loadSkill(source, published))),
    );
    // A server that could not be read now may be readable when it is asked again.
    if (loaded.includes(undefined)) this.#loaded.delete(resources);
    const byName = new Map<string, SkillPackage>();
    for (const skill of loaded) if (skill && !byName.has(skill.ref.name)) byName.set(skill.ref.name, skill);
    return [...byName.values()];
  }

  async #loadSkill(
    source: ServerResources,
    { uri, version, origin }: PublishedSkill,
  ): Promise<SkillPackage | undefined> {
    const { servers, resources } = this.#options;
    const leaveOut = (problem: string, error?: unknown) => {
      resources.warnings.warn(
        LEFT_OUT,
        { mcp_server: source.server, uri, problem },
        error === undefined ? {} : { error },
      );
      return undefined;
    };
    if (!origin) return leaveOut("its '_meta' does not say where its files are");
    try {
      const { facts, path, open } = await this.#files(source, uri, origin);
      if (!facts) return leaveOut('its SKILL.md needs front matter with a description');
      const id = servers.require(source.server).config.bundle_id;
      const name = mcpSkillName(id, facts.name ?? '');
      if (name === undefined) return leaveOut('its SKILL.md needs a name of lower-case letters, digits and hyphens');
      const provenance = { name, source: `mcp:${id}`, path, uri, ...(version === undefined ? {} : { version }) };
      return { ref: refOf(provenance, facts), open };
    } catch (error) {
      return leaveOut('its files cannot be read', error);
    }
  }

  async #files(source: ServerResources, uri: string, origin: SkillOrigin): Promise<LoadedSkill> {
    switch (origin.mode) {
      case 'resources': {
        const open = (path: string) => this.#openResource(source, origin.files, path);
        await using entry = await this.#readResource(source, origin.files, ENTRY_FILE);
        return { facts: (await frontMatterOf(entry)).facts, path: uri, open };
      }
      case 'mounted': {
        const { mountFolders } = this.#options;
        if (!isAbsolute(origin.folder)) throw new Error('The folder of a mounted skill must be absolute');
        if (mountFolders.length === 0) throw new Error("No folder is allowed: name some in 'skills.mountFolders'");
        return loadFolder({ root: origin.folder, allowed: mountFolders });
      }
      case 'archive': {
        const read = (signal: AbortSignal) => this.#readArchive(source, origin.uri, signal);
        const root = await this.#archives.folderOf({ ...origin, read });
        return loadFolder({ root, allowed: [dirname(root)] });
      }
    }
  }

  /** An archive is a resource of its server, or an address on the web: of a remote server only on its own origin. */
  async #readArchive(source: ServerResources, uri: string, signal: AbortSignal): Promise<Buffer> {
    if (!/^https?:/i.test(uri)) return within(readWhole(source, uri), { signal });
    const { config } = this.#options.servers.require(source.server);
    if ('url' in config.server_parameters && !isSameOrigin(String(config.server_parameters.url), uri)) {
      throw new Error(`The archive '${uri}' is not on the origin of its MCP server`);
    }
    return download(uri, signal);
  }

  async #openResource(source: ServerResources, files: ReadonlyMap<string, string>, path: string): Promise<OpenBytes> {
    const inside = insidePath(path);
    const bytes = await this.#readResource(source, files, inside);
    return inside === ENTRY_FILE ? without(bytes, (await frontMatterOf(bytes)).length) : bytes;
  }

  async #readResource(source: ServerResources, files: ReadonlyMap<string, string>, path: string): Promise<OpenBytes> {
    const uri = files.get(path);
    if (uri === undefined) throw fileError('not_found', path);
    const { bytes, sha256 } = await this.#reads.get(`${source.server}\n${uri}`, async () => {
      const bytes = await readWhole(source, uri).catch(cause => {
        throw fileError('unavailable', path, { cause });
      });
      return { bytes, sha256: createHash('sha256').update(bytes).digest('hex') };
    });
    return inMemory(bytes, sha256);
  }
}

async function loadFolder(folder: SkillFolder): Promise<LoadedSkill> {
  const { facts } = await readEntry(folder);
  return { facts, path: await realRoot(folder), open: path => openServed(folder, path) };
}

/** All contents of a resource as bytes. */
async function readWhole(source: ServerResources, uri: string): Promise<Buffer> {
  const { contents } = fieldsOf(await source.read(uri));
  const parts = (Array.isArray(contents) ? contents : []).map(item => {
    const read = ResourceContents.safeParse(item);
    const { text, blob } = read.success ? read.data : {};
    return typeof blob === 'string' ? Buffer.from(blob, 'base64') : Buffer.from(String(text ?? ''), 'utf8');
  });
  return Buffer.concat(parts);
}

function isSameOrigin(home: string, url: string): boolean {
  return URL.canParse(home) && URL.canParse(url) && new URL(home).origin === new URL(url).origin;
}
