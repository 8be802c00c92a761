import { computed } from '@preact/signals';
import { stored } from './stored.ts';
import { en } from './strings/en.ts';
import { zhCN } from './strings/zh-CN.ts';

/** All texts of the console in one language. */
export type Strings = typeof en;

export const LANGUAGES = { en: 'English', 'zh-CN': '简体中文' } as const;
export type Language = keyof typeof LANGUAGES;

const texts: Record<Language, Strings> = { en, 'zh-CN': zhCN };

/** The first language of the browser that there are texts for. */
export function preferred(languages: readonly string[]): Language {
  const known = languages.map(language => {
    if (/^zh\b/i.test(language)) return 'zh-CN';
    return /^en\b/i.test(language) ? 'en' : undefined;
  });
  return known.find(language => language !== undefined) ?? 'en';
}

export const language = stored<Language>('language', preferred(navigator.languages));

/** The texts in the chosen language; components that read it are drawn again when that changes. */
export const strings = computed(() => texts[language.value] ?? en);
