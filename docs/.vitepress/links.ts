import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { MarkdownRenderer } from 'vitepress';
import { docs } from './pages.ts';

const root = join(docs, '..');
const { repository } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** The repository in a browser. */
export const repositoryUrl: string = repository.url.replace(/^git\+|\.git$/g, '');

/** Lets links to a package lead to its API, and others that leave `docs`, and links to folders, to the repository. */
export function linkRepository(md: MarkdownRenderer): void {
  md.core.ruler.push('repository', ({ tokens, env }) => {
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      const href = token.type === 'link_open' ? (token.attrGet('href') ?? '') : '';
      const target = outsideLink(env.realPath ?? env.path, href);
      if (target !== undefined) token.attrSet('href', target);
    }
  });
}

function outsideLink(page: string, href: string): string | undefined {
  if (href === '' || /^(#|\/|[a-z]+:)/.test(href)) return undefined;
  const [, path = '', anchor = ''] = /^([^#]*)(#.*)?$/.exec(href) ?? [];
  const file = join(dirname(page), decodeURI(path));
  if (!existsSync(file)) return undefined;
  const [, name = ''] = /^packages\/([^/]+)(?:\/README\.md)?\/?$/.exec(relative(root, file)) ?? [];
  const api = join(docs, 'api', `${name}.md`);
  if (existsSync(api)) return relative(dirname(page), api) + anchor;
  const isFolder = statSync(file).isDirectory();
  if (!isFolder && !relative(docs, file).startsWith('..')) return undefined;
  return `${repositoryUrl}/${isFolder ? 'tree' : 'blob'}/main/${relative(root, file)}${anchor}`;
}
