import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { slugOf } from '../docs/.vitepress/slug.ts';
import { root } from './packages.ts';

/** The Markdown files below a folder of the repository, by their path from its root. */
export function markdownFiles(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map(name => join(folder, name))
    .filter(path => path.endsWith('.md') && !/(^|\/)(node_modules|dist)\/|^docs\/api\//.test(path));
}

/** The text of a file without its code blocks. */
export function proseOf(path: string): string {
  return readFileSync(join(root, path), 'utf8').replaceAll(/^```.*?^```/gms, '');
}

/** The anchors of a file's headings, as GitHub makes them. */
export function anchorsOf(path: string): Set<string> {
  const text = proseOf(path);
  const counts = new Map<string, number>();
  const anchors = [...text.matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) => {
    const slug = slugOf(heading);
    const count = counts.get(slug) ?? 0;
    counts.set(slug, count + 1);
    return count === 0 ? slug : `${slug}-${count}`;
  });
  return new Set(anchors);
}

/** The sections of a file by the text of their headings, each without the sections below it. */
export function sectionsOf(path: string): Map<string, string> {
  const text = readFileSync(join(root, path), 'utf8');
  const [, ...parts] = text.split(/^#{1,6} /m);
  return new Map(parts.map(part => [part.slice(0, part.indexOf('\n')), part]));
}

/** The rows of all tables in a text that have these columns, by column. */
export function tableRows<Column extends string>(text: string, columns: readonly Column[]): Record<Column, string>[] {
  const tables = text.match(/(?:^\|.*\n)+/gm) ?? [];
  return tables.flatMap(table => {
    const [head = [], , ...rows] = table.trim().split('\n').map(cellsOf);
    const places = columns.map(column => head.indexOf(column));
    if (places.includes(-1)) return [];
    return rows.map(row => Object.fromEntries(columns.map((column, i) => [column, row[places[i] ?? 0] ?? ''])));
  }) as Record<Column, string>[];
}

function cellsOf(row: string): string[] {
  return row
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map(cell => cell.trim());
}
