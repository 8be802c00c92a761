import { computed, effect, signal } from '@preact/signals';
import { stored } from './stored.ts';

export type Theme = 'system' | 'light' | 'dark';

/** The person's choice; `system` follows the browser. */
export const theme = stored<Theme>('theme', 'system');

const systemIsDark = signal(false);

/** True if the page is dark now. */
export const isDark = computed(() => theme.value === 'dark' || (theme.value === 'system' && systemIsDark.value));

/** Keeps the page in the chosen theme. */
export function startTheme(): void {
  const query = matchMedia('(prefers-color-scheme: dark)');
  systemIsDark.value = query.matches;
  query.addEventListener('change', () => {
    systemIsDark.value = query.matches;
  });
  effect(() => {
    document.documentElement.dataset.theme = isDark.value ? 'dark' : 'light';
  });
}
