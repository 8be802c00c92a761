import { clip } from '@a2c-smcp/core';
import { type A2CSkillRef, ErrorCode, SmcpError } from '@a2c-smcp/protocol';
import type { PartWanted, SpooledPart } from '../blobs/spool.ts';
import type { McpServers } from '../mcp/supervisor/mcp-servers.ts';
import type { ResourceCatalog } from '../resources/catalog.ts';
import { BlobHandles } from './blob-handles.ts';
import { McpSkills } from './mcp-skills.ts';
import { isTextType, mimeTypeOf } from './mime-types.ts';
import { isSkillName } from './names.ts';
import type { OpenBytes } from './open-bytes.ts';
import { ENTRY_FILE, insidePath } from './paths.ts';
import type { SkillPackage } from './skill-package.ts';
import { UserSkills } from './user-skills.ts';

/** Text up to this many bytes is in the answer itself. */
const MAX_BODY_BYTES = 32 * 1024;
const MAX_SHOWN_NAME_LENGTH = 400;

/** Where a Computer has skills from, besides its MCP servers. */
export interface SkillsOptions {
  /** Has a folder with a `SKILL.md` for each skill. It must exist, and is watched. */
  folder?: string;
  /** Folders in which MCP servers may have skills on disk, and to which links in `folder` may lead. @default none */
  mountFolders?: readonly string[];
}

/** The parts of a Computer that skills need. */
export interface SkillsContext {
  options: SkillsOptions;
  servers: McpServers;
  resources: ResourceCatalog;
}

/** A file of a skill: short text is in `body`, everything else behind `handle`. */
export interface SkillFile {
  path: string;
  mimeType: string;
  /** Bytes of what is served. */
  size: number;
  sha256: string;
  body?: string;
  /** For `readPart`. */
  handle?: string;
}

/** The skills of a Computer. Changes are emitted by the catalogue of resources, as those of other views. */
export class Skills {
  readonly #context: SkillsContext;
  readonly #handles = new BlobHandles();
  readonly #published: McpSkills;
  #user: UserSkills | undefined;

  constructor(context: SkillsContext) {
    const { options, servers, resources } = context;
    this.#context = context;
    this.#published = new McpSkills({ servers, resources, mountFolders: options.mountFolders ?? [] });
  }

  /** Reads and watches the folder of the options. Throws a `ConfigError` when there is none. */
  async start(): Promise<void> {
    const { options, resources } = this.#context;
    const { folder, mountFolders = [] } = options;
    if (folder === undefined) return;
    const onChanged = () => resources.changed('skills');
    this.#user = await UserSkills.open({ folder, mountFolders, onChanged, warnings: resources.warnings });
  }

  /** All skills that can be read at the moment. */
  async list(): Promise<A2CSkillRef[]> {
    const [own = [], published] = await Promise.all([this.#user?.list(), this.#published.list()]);
    return [...own, ...published].map(({ ref }) => ref);
  }

  /**
   * Reads a file of a skill. Throws 4016, 4014 or 4017.
   *
   * @param office whose Agents may use the handle in the answer
   */
  async read(name: string, path: string | undefined, office: string): Promise<SkillFile> {
    const shown = path || ENTRY_FILE;
    const skill = await this.#find(name);
    await using bytes = await skill.open(shown);
    const mimeType = mimeTypeOf(insidePath(shown));
    const file = { path: shown, mimeType, size: bytes.size, sha256: await this.#handles.digest(bytes) };
    const body = await textOf(bytes, mimeType);
    if (body !== undefined) return { ...file, body };
    const id = JSON.stringify([name, insidePath(shown)]);
    const open = async () => (await this.#find(name)).open(shown);
    return { ...file, handle: this.#handles.handleFor({ id, mimeType, open }, office) };
  }

  /** Reads a part of a file that `read` gave a handle for. Throws 4018. */
  readPart(handle: string, wanted: PartWanted, office: string): Promise<SpooledPart> {
    return this.#handles.read(handle, wanted, office);
  }

  async close(): Promise<void> {
    await this.#user?.close();
    await this.#published.close();
  }

  async #find(name: string): Promise<SkillPackage> {
    const details = { name: clip(name, MAX_SHOWN_NAME_LENGTH) };
    if (!isSkillName(name)) {
      const message = `'${details.name}' is no name of a skill: take it from the list of skills`;
      throw new SmcpError(ErrorCode.InvalidSkillName, message, { details });
    }
    const skill = await this.#lookUp(name);
    if (skill) return skill;
    throw new SmcpError(ErrorCode.McpServerNotFound, `No skill '${name}' on this computer`, { details });
  }

  /** Skills of plugins have names of two parts; this Computer has no plugins. */
  #lookUp(name: string): Promise<SkillPackage | undefined> | undefined {
    if (name.startsWith('mcp:')) return this.#published.find(name);
    return name.includes(':') ? undefined : this.#user?.find(name);
  }
}

/** The bytes as text, if they are short and of a text type. Text that is not UTF-8 must not lose bytes. */
async function textOf(bytes: OpenBytes, mimeType: string): Promise<string | undefined> {
  if (bytes.size > MAX_BODY_BYTES || !isTextType(mimeType)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await bytes.read(0, bytes.size));
  } catch {
    return undefined;
  }
}
