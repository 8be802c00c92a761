import { type DefaultTheme, defineConfig } from 'vitepress';
import { home } from './home.ts';
import { linkRepository, repositoryUrl } from './links.ts';
import { writeForPrograms } from './llms.ts';
import { addressOf, apiSection, type Section, sectionsOf, translatedPages } from './pages.ts';
import { boostDocument, wordsOf } from './search.ts';
import { slugOf } from './slug.ts';
import { strictLogger } from './strict-logger.ts';

const base = process.env.DOCS_BASE ?? '/';
const english = [...sectionsOf(''), apiSection()];
const chinese = [...sectionsOf('zh/'), apiSection()];

/** Three roles: two dots that meet in one. */
const icon = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><path d="M6 16h20M16 16l8-9M16 16l8 9" stroke="#35806f" stroke-width="2.5" fill="none"/><g fill="#2c6e63"><circle cx="6" cy="16" r="4"/><circle cx="16" cy="16" r="4"/><circle cx="25" cy="6" r="4"/><circle cx="27" cy="16" r="4"/><circle cx="25" cy="26" r="4"/></g></svg>',
)}`;

export default defineConfig({
  title: 'A2C-SMCP',
  description: 'Remote machines for AI agents: Agent, Server and Computer over Socket.IO.',
  base,
  head: [['link', { rel: 'icon', href: icon }]],
  // The folder names of the repository: `README.md` is the index of its folder.
  rewrites: { 'README.md': 'index.md', ':folder/README.md': ':folder/index.md' },
  locales: {
    root: { label: 'English', lang: 'en', themeConfig: { nav: navOf(english), sidebar: sidebarOf(english) } },
    zh: {
      label: '简体中文',
      lang: 'zh-CN',
      description: '让 AI Agent 使用远程机器：基于 Socket.IO 的 Agent、Server 与 Computer。',
      themeConfig: {
        nav: navOf(chinese),
        sidebar: sidebarOf(chinese),
        outline: { level: [2, 3], label: '本页内容' },
        docFooter: { prev: '上一页', next: '下一页' },
        darkModeSwitchLabel: '外观',
        lightModeSwitchTitle: '切换到浅色模式',
        darkModeSwitchTitle: '切换到深色模式',
        sidebarMenuLabel: '目录',
        returnToTopLabel: '回到顶部',
        langMenuLabel: '切换语言',
      },
    },
  },
  themeConfig: {
    outline: { level: [2, 3] },
    socialLinks: [{ icon: 'github', link: repositoryUrl }],
    search: {
      provider: 'local',
      options: {
        miniSearch: {
          options: { tokenize: wordsOf },
          searchOptions: {
            combineWith: 'AND',
            fuzzy: 0.1,
            prefix: true,
            boost: { title: 4, titles: 2, text: 1 },
            boostDocument,
          },
        },
        locales: {
          zh: {
            translations: {
              button: { buttonText: '搜索', buttonAriaLabel: '搜索' },
              modal: {
                displayDetails: '显示详情',
                resetButtonTitle: '清除',
                backButtonTitle: '返回',
                noResultsText: '没有结果：',
                footer: { selectText: '选择', navigateText: '移动', closeText: '关闭' },
              },
            },
          },
        },
      },
    },
  },
  markdown: {
    anchor: { slugify: slugOf },
    config(md) {
      linkRepository(md);
      const fence = md.renderer.rules.fence;
      md.renderer.rules.fence = (tokens, index, ...rest) => {
        const token = tokens[index];
        if (token?.info.trim() !== 'mermaid') return fence?.(tokens, index, ...rest) ?? '';
        return `<Diagram source="${encodeURIComponent(token.content)}" />`;
      };
    },
  },
  vite: {
    customLogger: process.argv.includes('build') ? strictLogger : undefined,
    // Diagrams and the search index are large and loaded only when they are needed.
    build: { chunkSizeWarningLimit: 5000 },
    define: { TRANSLATED_PAGES: JSON.stringify(translatedPages().map(addressOf)) },
  },
  transformPageData({ relativePath, frontmatter }) {
    const fronts = { 'index.md': home.en, 'zh/index.md': home.zh };
    const front = fronts[relativePath as keyof typeof fronts];
    if (front === undefined) return undefined;
    const { name, text } = front.hero;
    return { title: name, titleTemplate: text, frontmatter: { ...frontmatter, layout: 'home', ...front } };
  },
  buildEnd: ({ outDir }) => writeForPrograms(outDir, base, [...english, ...chinese.slice(0, 1)]),
});

function navOf(sections: readonly Section[]): DefaultTheme.NavItem[] {
  return sections.map(({ title, pages }) => ({ text: title, link: addressOf(pages[0]?.path ?? '') }));
}

function sidebarOf(sections: readonly Section[]): DefaultTheme.SidebarItem[] {
  return sections.map(({ title, pages }, index) => ({
    text: title,
    collapsed: index > 1,
    items: pages.map(page => ({ text: page.title, link: addressOf(page.path) })),
  }));
}
