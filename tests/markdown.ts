import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './packages.ts';

/** The Markdown files below a folder of the repository, by their path from its root. */
export function markdownFiles(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.md') && !/(^|\/)(node_modules|dist)\//.test(name))
    .map(name => join(folder, name));
}

/** The anchors of a file's headings, as GitHub makes them. */
export function anchorsOf(path: string): Set<string> {
  const text = readFileSync(join(root, path), 'utf8').replaceAll(/^```.*?^```/gms, '');
  const counts = new Map<string, number>();
  const anchors = [...text.matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) => {
    const slug = slugOf(heading);
    const count = counts.get(slug) ?? 0;
    counts.set(slug, count + 1);
    return count === 0 ? slug : `${slug}-${count}`;
  });
  return new Set(anchors);
}

function slugOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-');
}
