import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';
import { anchorsOf, markdownFiles, proseOf } from './markdown.ts';
import { root } from './packages.ts';

/** English pages whose Chinese page is missing or behind, each with the reason. They are not compared. */
const untranslated: Record<string, string> = {};

const originals = ['README.md', 'docs/README.md', ...markdownFiles('docs/guide')];
const compared = originals.filter(original => untranslated[original] === undefined);

test('every guide has a Chinese page, and every Chinese page its original', () => {
  expect(compared.filter(original => !existsSync(join(root, chineseOf(original))))).toEqual([]);
  expect(Object.keys(untranslated).filter(original => !originals.includes(original))).toEqual([]);
  const chinese = markdownFiles('docs/zh');
  expect(chinese.filter(page => !originals.map(chineseOf).includes(page))).toEqual([]);
});

test.each(compared)('%s and its Chinese page have the same headings, tables, code and links', original => {
  expect(outlineOf(chineseOf(original)), `${chineseOf(original)} does not follow ${original}`).toEqual(
    outlineOf(original),
  );
});

function chineseOf(original: string): string {
  return original === 'README.md' ? 'README.zh-CN.md' : original.replace('docs/', 'docs/zh/');
}

function originalOf(page: string): string {
  return page.replace('README.zh-CN.md', 'README.md').replace('docs/zh/', 'docs/');
}

/** Everything of a page that does not depend on its language, section by section. */
function outlineOf(page: string) {
  const snippets = [...readFileSync(join(root, page), 'utf8').matchAll(/^```(\w*)\n(.*?)^```/gms)];
  return {
    snippets: snippets.map(([, language = '', code = '']) => [language, withoutComments(language, code)]),
    sections: proseOf(page)
      .split(/^(?=#)/m)
      .map(prose => sectionOf(page, prose)),
  };
}

function sectionOf(page: string, prose: string) {
  const plain = prose.replaceAll(/\]\([^)]*\)|`[^`]+`/g, '');
  return {
    level: /^#*/.exec(prose)?.[0].length,
    rows: (prose.match(/^\|/gm) ?? []).length,
    items: (prose.match(/^ *(-|\d+\.) /gm) ?? []).length,
    // The order of words differs between the languages.
    code: [...new Set(prose.replaceAll(/\]\([^)]*\)/g, '').match(/`[^`]+`/g))].sort(),
    links: [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => targetOf(page, link)).sort(),
    numbers: [...new Set(plain.match(/\d[\d,.]*(?<=\d)/g))].sort(),
  };
}

/** Where a link leads, the same for both languages: the original page and the number of the heading. */
function targetOf(page: string, link: string): string {
  if (/^https?:/.test(link)) return link;
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? page : normalize(join(dirname(page), path));
  if (anchor === undefined) return originalOf(target);
  return `${originalOf(target)}#${[...anchorsOf(target)].indexOf(decodeURI(anchor))}`;
}

function withoutComments(language: string, code: string): string {
  const comment = ['sh', 'bash', 'nginx', 'yaml'].includes(language) ? /(^|\s)#.*$/gm : /(^|\s)\/\/.*$|\/\*.*?\*\//gm;
  return ['', 'markdown'].includes(language) ? code : code.replaceAll(comment, '').replaceAll(/[ \t]+$/gm, '');
}
