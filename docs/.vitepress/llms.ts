import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { docs, type Section } from './pages.ts';

/** Writes what programs read: `llms.txt`, each page as Markdown, and the JSON Schemas. */
export function writeForPrograms(site: string, base: string, sections: readonly Section[]): void {
  const lists = sections.map(({ title, pages }) => {
    const lines = pages.map(page => `- [${page.title}](${base}${page.path})${page.summary ? `: ${page.summary}` : ''}`);
    return `## ${title}\n\n${lines.join('\n')}\n`;
  });
  const head =
    '# A2C-SMCP\n\n> An AI Agent uses the tools of remote machines: Agent, Server and Computer over Socket.IO.\n';
  writeFileSync(join(site, 'llms.txt'), [head, ...lists].join('\n'));
  for (const { path } of sections.flatMap(({ pages }) => pages)) {
    mkdirSync(dirname(join(site, path)), { recursive: true });
    cpSync(join(docs, path), join(site, path));
  }
  cpSync(join(docs, 'reference/schema'), join(site, 'reference/schema'), { recursive: true });
}
