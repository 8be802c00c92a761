import { computed, effect, signal } from '@preact/signals';
import { stored } from './stored.ts';
import { en } from './strings/en.ts';

/** All texts of the console in one language. */
export type Strings = typeof en;

export const LANGUAGES = { en: 'English', 'zh-CN': '简体中文' } as const;
export type Language = keyof typeof LANGUAGES;

/** Texts that are loaded when their language is chosen. */
const others: Record<Exclude<Language, 'en'>, () => Promise<Strings>> = {
  'zh-CN': () => import('./strings/zh-CN.ts').then(({ zhCN }) => zhCN),
};
const texts = signal<Partial<Record<Language, Strings>>>({ en });

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
export const strings = computed(() => texts.value[language.value] ?? en);

effect(() => {
  if (language.value !== 'en') void load(language.value);
});

/** Resolves when the texts of the chosen language are there. Without them the console speaks English. */
export async function languageLoaded(): Promise<void> {
  if (language.peek() !== 'en') await load(language.peek() as keyof typeof others);
}

async function load(name: keyof typeof others): Promise<void> {
  if (texts.peek()[name]) return;
  try {
    const loaded = await others[name]();
    texts.value = { ...texts.peek(), [name]: loaded };
  } catch {
    // English is shown meanwhile.
  }
}
