import type { A2CSkillRef } from '@a2c-smcp/protocol';
import { openServed, type SkillFolder } from './folder.ts';
import type { SkillFacts } from './front-matter.ts';
import type { OpenBytes } from './open-bytes.ts';

/** A skill and its files. */
export interface SkillPackage {
  readonly ref: A2CSkillRef;
  /** Opens a file at its present version. Throws 4017. */
  open(path: string): Promise<OpenBytes>;
}

export type Provenance = Pick<A2CSkillRef, 'name' | 'source' | 'path' | 'uri' | 'version'>;

/** A skill as Agents see it. The name comes from its source, not from its front matter. */
export function refOf({ name, source, path, ...more }: Provenance, facts: SkillFacts): A2CSkillRef {
  const { name: _, description, ...others } = facts;
  return { name, source, path, description, ...more, ...others };
}

/** A skill whose files are on disk. */
export function folderPackage(folder: SkillFolder, ref: A2CSkillRef): SkillPackage {
  return { ref, open: path => openServed(folder, path) };
}
