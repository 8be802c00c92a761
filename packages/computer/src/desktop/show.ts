import type { Published } from '../views/published.ts';
import { collectWindows } from './collect.ts';
import { fitDesktop, organizeDesktop } from './organize.ts';

/** What to show of a desktop. */
export interface DesktopQuery {
  /** How many windows at most. Absent or null: all. Zero or less: none. */
  size?: number | null;
  /** Only the window with this URI. */
  window?: string | null;
  /** How many characters all windows together may have. */
  maxChars?: number;
}

/** The desktop of all servers that publish windows, the most important window first. */
export async function showDesktop(
  published: Published,
  { size, window, maxChars }: DesktopQuery,
  history: readonly string[],
): Promise<string[]> {
  if (typeof size === 'number' && size <= 0) return [];
  const desktops = organizeDesktop(await collectWindows(published, window), size, history);
  return maxChars === undefined ? desktops : fitDesktop(desktops, maxChars);
}
