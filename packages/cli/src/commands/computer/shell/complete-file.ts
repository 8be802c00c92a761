import { type Dirent, readdirSync } from 'node:fs';

/**
 * The words that a word can become whose path after `@` or `key=@` is not complete: folders end with `/`. Paths with spaces
 * are left out, since they end a word. None for other words.
 */
export function completeFile(word: string): string[] {
  const [, start, folder = '', name = ''] = /^((?:[^=@]+=)?@)(.*\/)?([^/]*)$/.exec(word) ?? [];
  if (start === undefined) return [];
  const isShown = (entry: string) => entry.startsWith(name) && (name !== '' || !entry.startsWith('.'));
  const found = entriesOf(folder === '' ? '.' : folder).filter(entry => isShown(entry.name) && !/\s/.test(entry.name));
  return found.map(entry => `${start}${folder}${entry.name}${entry.isDirectory() ? '/' : ''}`).sort();
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    // The folder does not exist or cannot be read.
    return [];
  }
}
