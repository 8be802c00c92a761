import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The folder with all pages. */
export const docs = join(import.meta.dirname, '..');

/** A page by its path in `docs`, such as `guide/start.md`. */
export interface Page {
  path: string;
  /** The text of the link to it. */
  title: string;
  /** The first paragraph, without its links. */
  summary: string;
}

export interface Section {
  title: string;
  pages: Page[];
}

/** The sections of an index page in their order, each with the pages that it links. `folder` is empty or `zh/`. */
export function sectionsOf(folder: string): Section[] {
  const [, ...sections] = read(`${folder}README.md`).split(/^## /m);
  return sections.map(text => {
    const [title = ''] = text.split(/[:：\n]/);
    // The index of a folder stands for all pages that it links.
    const pages = linksOf(text, folder).flatMap(page => (isIndex(page) ? [page, ...pagesOf(page.path)] : [page]));
    return { title, pages };
  });
}

/** The generated pages of the programming interface. */
export function apiSection(): Section {
  if (!existsSync(join(docs, 'api'))) throw new Error("The folder 'docs/api' is missing: run 'npm run docs' instead");
  return { title: 'API', pages: pagesOf('api/README.md') };
}

/** The pages in Chinese, without the folder. */
export function translatedPages(): string[] {
  return readdirSync(join(docs, 'zh'), { recursive: true, encoding: 'utf8' }).filter(name => name.endsWith('.md'));
}

/** Where a page is on the site. */
export function addressOf(path: string): string {
  return `/${path.replace(/(^|\/)README\.md$/, '$1').replace(/\.md$/, '.html')}`;
}

export function read(path: string): string {
  return readFileSync(join(docs, path), 'utf8');
}

function isIndex({ path }: Page): boolean {
  return path.endsWith('README.md');
}

/** The pages that the index of a folder links in the same folder. */
function pagesOf(index: string): Page[] {
  const folder = dirname(index);
  const pages = linksOf(read(index).split(/^## (?!Modules)/m)[0] ?? '', folder);
  return pages.filter(page => page.path.startsWith(`${folder}/`) && !isIndex(page));
}

function linksOf(text: string, folder: string): Page[] {
  return [...text.matchAll(/\[([^\]]+)\]\(([^)#:]+\.md)\)/g)].map(([, title = '', link = '']) => {
    const path = join(folder, link);
    return { path, title: title.replaceAll('`', ''), summary: summaryOf(path) };
  });
}

function summaryOf(path: string): string {
  const [, paragraph = ''] = /^# .+\n+((?:.+\n)*)/m.exec(read(path)) ?? [];
  return paragraph
    .trim()
    .replaceAll('\n', ' ')
    .replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1');
}
