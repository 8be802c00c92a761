import { fieldsOf } from '@a2c-smcp/core';
import type { Resource } from '@a2c-smcp/protocol';
import { type ArchiveFormat, isArchiveFormat } from './unpack.ts';

/** Skills that one MCP server may publish. */
export const MAX_SKILLS_PER_SERVER = 100;
const MAX_URI_LENGTH = 2048;
const MAX_VERSION_LENGTH = 100;

/** How an MCP server gives the files of a skill. */
export type SkillOrigin =
  /** As resources below the root, by their path inside the skill. */
  | { mode: 'resources'; files: ReadonlyMap<string, string> }
  /** In a folder of this machine. */
  | { mode: 'mounted'; folder: string }
  | { mode: 'archive'; uri: string; format: ArchiveFormat; sha256: string | undefined };

/** A skill that an MCP server publishes. */
export interface PublishedSkill {
  /** Of its root. */
  uri: string;
  version?: string;
  /** Undefined when the server's declaration lacks something. */
  origin: SkillOrigin | undefined;
}

/**
 * The skills among the `skill://` resources of one MCP server: those that say in their `_meta` where the files are, and
 * that are not a part of another one.
 */
export function publishedSkills(resources: readonly Resource[]): PublishedSkill[] {
  const declared = resources.filter(({ uri, _meta }) => {
    const { source } = fieldsOf(_meta);
    const isMode = source === 'resources' || source === 'mounted' || source === 'archive';
    return isMode && uri.length <= MAX_URI_LENGTH && /^skill:\/\/[^/?#]+\/[^/?#]/i.test(uri);
  });
  const uris = declared.map(({ uri }) => uri);
  const roots = declared.filter(({ uri }) => !uris.some(other => isPart(uri, other)));
  return roots.slice(0, MAX_SKILLS_PER_SERVER).map(({ uri, _meta }) => {
    const { version, ...meta } = fieldsOf(_meta);
    const text = typeof version === 'string' || typeof version === 'number' ? String(version) : undefined;
    const shown = text === undefined ? {} : { version: text.slice(0, MAX_VERSION_LENGTH) };
    return { uri, ...shown, origin: originOf(meta, uri, resources) };
  });
}

function originOf(
  { source, mount_dir, archive_uri, archive_format, archive_sha256 }: Record<string, unknown>,
  root: string,
  resources: readonly Resource[],
): SkillOrigin | undefined {
  if (source === 'resources') return { mode: 'resources', files: filesBelow(root, resources) };
  if (source === 'mounted') return typeof mount_dir === 'string' ? { mode: 'mounted', folder: mount_dir } : undefined;
  if (typeof archive_uri !== 'string' || !isArchiveFormat(archive_format)) return undefined;
  const sha256 = typeof archive_sha256 === 'string' ? archive_sha256 : undefined;
  return { mode: 'archive', uri: archive_uri, format: archive_format, sha256 };
}

function filesBelow(root: string, resources: readonly Resource[]): ReadonlyMap<string, string> {
  const below = resources.filter(({ uri }) => isPart(uri, root));
  return new Map(below.map(({ uri }) => [decoded(uri.slice(root.length + 1)), uri]));
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function isPart(uri: string, root: string): boolean {
  return uri.startsWith(`${root}/`);
}
