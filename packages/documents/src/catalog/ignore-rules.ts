import { readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import type { Logger } from '@a2c-smcp/core';
import ignore, { type Ignore } from 'ignore';

/** Every file is compared with every rule, so those after these in one `.gitignore` are not applied. */
const MAX_RULES = 1000;
const MAX_RULES_BYTES = 256 * 1024;

/** The rules of one `.gitignore` at one moment. */
interface FolderRules {
  version: string;
  rules: Ignore | undefined;
}

/** Decides which files below a folder are shown. */
export class IgnoreRules {
  readonly #root: string;
  readonly #all: boolean;
  readonly #logger: Logger;
  readonly #rules = new Map<string, FolderRules>();
  /** Folders whose rules were checked since the last reset. */
  readonly #checked = new Set<string>();

  /** @param all shows hidden and ignored files too */
  constructor(root: string, all: boolean, logger: Logger) {
    this.#root = root;
    this.#all = all;
    this.#logger = logger;
  }

  /** True if a path below the root is hidden, or ignored by a `.gitignore` above it. Parents are checked by the caller. */
  hides(path: string, kind: 'file' | 'folder'): boolean {
    const name = path.slice(path.lastIndexOf(sep) + 1);
    // Office keeps such a file beside each document that is open.
    if (name.startsWith('~$')) return true;
    if (this.#all) return false;
    return name.startsWith('.') || this.#isIgnored(path, kind);
  }

  /** Checks each `.gitignore` again when it is next needed. */
  reset(): void {
    this.#checked.clear();
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
    const known = this.#rules.get(folder);
    if (known !== undefined && this.#checked.has(folder)) return known.rules;
    this.#checked.add(folder);
    const path = join(folder, '.gitignore');
    const facts = statSync(path, { throwIfNoEntry: false });
    const version = facts?.isFile() ? `${facts.size} ${facts.mtimeMs}` : '';
    if (known?.version === version) return known.rules;
    const rules = version === '' ? undefined : this.#read(path, facts?.size ?? 0);
    this.#rules.set(folder, { version, rules });
    return rules;
  }

  #read(path: string, size: number): Ignore | undefined {
    try {
      if (size > MAX_RULES_BYTES) throw new RangeError(`it has more than ${MAX_RULES_BYTES} bytes`);
      const lines = readFileSync(path, 'utf8').split('\n');
      if (lines.length > MAX_RULES)
        this.#logger.warn('Rules of a .gitignore are ignored: it has too many', { path, rules: MAX_RULES });
      return ignore().add(lines.slice(0, MAX_RULES));
    } catch (error) {
      this.#logger.warn('A .gitignore cannot be read', { path, error });
      return undefined;
    }
  }
}
