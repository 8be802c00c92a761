import { posix } from 'node:path';
import type { DocumentFacts } from '../reader.ts';
import type { PackageParts } from './parts.ts';
import { child, children, readOptionalXml, textOf } from './xml.ts';

/** A reference from one part to another, or out of the file. */
export interface Relation {
  id: string;
  /** The last segment of its type, as in `chart` or `hyperlink`. */
  type: string;
  /** The name of the part, or an address when `external`. */
  target: string;
  external: boolean;
}

/** The relations of a part, by id. */
export async function readRelations(parts: PackageParts, part: string): Promise<Map<string, Relation>> {
  const name = posix.join(posix.dirname(part), '_rels', `${posix.basename(part)}.rels`);
  const root = await readOptionalXml(parts, name);
  const relations = children(root, 'Relationship').map(({ attributes }): Relation => {
    const { Id = '', Type = '', Target = '', TargetMode } = attributes;
    const external = TargetMode === 'External';
    const target = external ? Target : posix.join('/', posix.dirname(part), unrooted(Target, part)).slice(1);
    return { id: Id, type: Type.split('/').at(-1) ?? '', target, external };
  });
  return new Map(relations.map(relation => [relation.id, relation]));
}

/** A target that begins with a slash counts from the root of the package. */
function unrooted(target: string, part: string): string {
  return target.startsWith('/') ? posix.relative(posix.join('/', posix.dirname(part)), target) : target;
}

/** The part that a package is about, as in `word/document.xml`. */
export async function mainPart(parts: PackageParts, usual: string): Promise<string> {
  const roots = await readRelations(parts, '');
  return [...roots.values()].find(({ type }) => type === 'officeDocument')?.target ?? usual;
}

/** Title, keywords and description as Office keeps them beside the contents. */
export async function readCoreFacts(parts: PackageParts): Promise<DocumentFacts> {
  const root = await readOptionalXml(parts, 'docProps/core.xml');
  const title = textOf(child(root, 'title')).trim();
  const summary = textOf(child(root, 'description')).trim() || textOf(child(root, 'subject')).trim();
  const keywords = textOf(child(root, 'keywords'))
    .split(/[,;]/)
    .map(keyword => keyword.trim())
    .filter(Boolean);
  return {
    ...(title !== '' && { title }),
    ...(summary !== '' && { summary }),
    ...(keywords.length > 0 && { keywords }),
  };
}
