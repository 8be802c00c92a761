import { readdir, realpath, stat } from 'node:fs/promises';
import { basename, dirname, extname, join, relative, resolve, sep } from 'node:path';
import type { Logger } from '@a2c-smcp/core';
import { contains, isInside } from '../file/location.ts';
import { formatOf } from '../formats/formats.ts';
import type { FileVersion } from '../sessions/sessions.ts';
import { IgnoreRules } from './ignore-rules.ts';

/** A folder whose files are shown. */
export interface Folder {
  /** Absolute, without symbolic links. */
  path: string;
  /** Stands before the names of its documents when there are several folders. */
  prefix: string;
  rules: IgnoreRules;
}

/** A file that is shown, and the name under which it is. */
export interface FoundFile {
  docRef: string;
  file: FileVersion;
}

/** Prepares folders for scanning; one inside another is part of it. Throws when one is not there or is a file. */
export async function openFolders(paths: readonly string[], all: boolean, logger: Logger): Promise<Folder[]> {
  const real = await Promise.all(paths.map(path => realpath(resolve(path))));
  const outermost = [...new Set(real)].filter(path => !real.some(other => contains(other, path)));
  const names = new Map<string, number>();
  const folders: Folder[] = [];
  for (const path of outermost) {
    if (!(await stat(path)).isDirectory()) throw new TypeError(`'${path}' is not a folder`);
    const count = (names.get(basename(path)) ?? 0) + 1;
    names.set(basename(path), count);
    const prefix = outermost.length === 1 ? '' : `${basename(path)}${count === 1 ? '' : `-${count}`}/`;
    folders.push({ path, prefix, rules: new IgnoreRules(path, all, logger) });
  }
  return folders;
}

/** Every file to show. */
export async function scan(folders: readonly Folder[]): Promise<FoundFile[]> {
  const found: FoundFile[] = [];
  for (const folder of folders) {
    folder.rules.reset();
    const pending = [folder.path];
    for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
      const entries = (await readdir(path, { withFileTypes: true }).catch(() => [])).map(entry => {
        const path = join(entry.parentPath, entry.name);
        return { path, isFolder: entry.isDirectory(), isLink: entry.isSymbolicLink() };
      });
      const shown = entries.filter(entry => !folder.rules.hides(entry.path, entry.isFolder ? 'folder' : 'file'));
      pending.push(...shown.filter(({ isFolder }) => isFolder).map(entry => entry.path));
      const files = shown.filter(({ isFolder }) => !isFolder);
      const here = await Promise.all(
        files.map(async ({ path: file, isLink }): Promise<FoundFile | undefined> => {
          if (isLink) return toFoundFile(file, folder, folders);
          const version = await fileVersion(file, folders);
          return version && { docRef: docRefOf(folder, file), file: version };
        }),
      );
      for (const file of here) if (file !== undefined) found.push(file);
    }
  }
  return found;
}

/** The name under which a path is or would be shown, and its file if it is to be shown. */
export async function lookUp(
  path: string,
  folders: readonly Folder[],
): Promise<{ docRef: string; file?: FileVersion } | undefined> {
  const folder = folders.find(candidate => contains(candidate.path, path));
  if (folder === undefined) return undefined;
  const docRef = docRefOf(folder, path);
  const above = ancestors(path, folder.path);
  const isHidden = folder.rules.hides(path, 'file') || above.some(parent => folder.rules.hides(parent, 'folder'));
  const found = isHidden ? undefined : await toFoundFile(path, folder, folders);
  return { docRef, ...(found && { file: found.file }) };
}

/** A file as it is now, or nothing if it is gone or of no supported kind. */
export async function fileVersion(path: string, folders: readonly Folder[]): Promise<FileVersion | undefined> {
  const extension = extname(path);
  const type = extension.slice(1).toLowerCase();
  if (formatOf(type) === undefined) return undefined;
  const facts = await stat(path).catch(() => undefined);
  if (facts === undefined || !facts.isFile()) return undefined;
  return {
    path,
    folders: folders.map(folder => folder.path),
    name: basename(path, extension),
    type,
    size: facts.size,
    modified: Math.trunc(facts.mtimeMs),
  };
}

/** A link to a file counts if it stays inside; one to a folder never does, since what stays inside is shown anyway. */
async function toFoundFile(path: string, folder: Folder, folders: readonly Folder[]): Promise<FoundFile | undefined> {
  const file = await fileVersion(path, folders);
  return file !== undefined && (await isInside(file)) ? { docRef: docRefOf(folder, path), file } : undefined;
}

function docRefOf(folder: Folder, path: string): string {
  return folder.prefix + relative(folder.path, path).split(sep).join('/');
}

/** The folders between a path and the root, both excluded. */
function ancestors(path: string, root: string): string[] {
  const parent = dirname(path);
  return parent === root || !contains(root, parent) ? [] : [...ancestors(parent, root), parent];
}
