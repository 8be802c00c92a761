import { readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import ignore, { type Ignore } from 'ignore';

/** Decides which files below a folder are shown. */
export class IgnoreRules {
  readonly #root: string;
  readonly #all: boolean;
  readonly #rules = new Map<string, Ignore | undefined>();

  /** @param all shows hidden and ignored files too */
  constructor(root: string, all: boolean) {
    this.#root = root;
    this.#all = all;
  }

  /** Whether a path below the root is hidden, or ignored by a `.gitignore` above it. Parents are checked by the caller. */
  hides(path: string, kind: 'file' | 'folder'): boolean {
    const name = path.slice(path.lastIndexOf(sep) + 1);
    // Office keeps such a file beside each document that is open.
    if (name.startsWith('~$')) return true;
    if (this.#all) return false;
    return name.startsWith('.') || this.#isIgnored(path, kind);
  }

  /** Forgets what the `.gitignore` files said. */
  reset(): void {
    this.#rules.clear();
  }

  #isIgnored(path: string, kind: 'file' | 'folder'): boolean {
    let ignored = false;
    for (const folder of this.#foldersAbove(path)) {
      const rules = this.#rulesOf(folder);
      if (rules === undefined) continue;
      const inside = relative(folder, path).split(sep).join('/') + (kind === 'folder' ? '/' : '');
      const verdict = rules.test(inside);
      if (verdict.ignored) ignored = true;
      else if (verdict.unignored) ignored = false;
    }
    return ignored;
  }

  /** From the root down to the folder that holds `path`. */
  #foldersAbove(path: string): string[] {
    const folders: string[] = [];
    for (let folder = dirname(path); folder.length >= this.#root.length; folder = dirname(folder)) {
      folders.unshift(folder);
      if (folder === dirname(folder)) break;
    }
    return folders;
  }

  #rulesOf(folder: string): Ignore | undefined {
    if (!this.#rules.has(folder)) this.#rules.set(folder, readRules(folder));
    return this.#rules.get(folder);
  }
}

function readRules(folder: string): Ignore | undefined {
  try {
    return ignore().add(readFileSync(join(folder, '.gitignore'), 'utf8'));
  } catch {
    return undefined;
  }
}
