import type { Dirent } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { basename, extname, join, relative, resolve, sep } from 'node:path';
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

/** Prepares folders for scanning. Throws when one is not there or is a file. */
export async function openFolders(paths: readonly string[], all: boolean): Promise<Folder[]> {
  const real = await Promise.all(paths.map(path => realpath(resolve(path))));
  const unique = [...new Set(real)];
  const names = new Map<string, number>();
  const folders: Folder[] = [];
  for (const path of unique) {
    if (!(await stat(path)).isDirectory()) throw new TypeError(`'${path}' is not a folder`);
    const count = (names.get(basename(path)) ?? 0) + 1;
    names.set(basename(path), count);
    const prefix = unique.length === 1 ? '' : `${basename(path)}${count === 1 ? '' : `-${count}`}/`;
    folders.push({ path, prefix, rules: new IgnoreRules(path, all) });
  }
  return folders;
}

/** Every file to show, by its reference. Links that lead out of the folders are not followed. */
export async function scan(folders: readonly Folder[]): Promise<Map<string, FoundFile>> {
  const found = new Map<string, FoundFile>();
  const visited = new Set<string>();
  for (const folder of folders) {
    folder.rules.reset();
    const pending = [folder.path];
    for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
      const real = await realpath(path).catch(() => undefined);
      if (real === undefined || visited.has(real)) continue;
      visited.add(real);
      for (const entry of await entriesOf(path)) {
        const child = join(path, entry.name);
        const kind = await kindOf(entry, child, folders);
        if (kind === undefined || folder.rules.hides(child, kind)) continue;
        if (kind === 'folder') pending.push(child);
        else {
          const version = await fileVersion(child);
          if (version !== undefined)
            found.set(docRefOf(folder, child), { docRef: docRefOf(folder, child), file: version });
        }
      }
    }
  }
  return found;
}

/** A file as it is now, or nothing if it is gone or of no supported kind. */
export async function fileVersion(path: string): Promise<FileVersion | undefined> {
  const extension = extname(path);
  const type = extension.slice(1).toLowerCase();
  if (formatOf(type) === undefined) return undefined;
  const facts = await stat(path).catch(() => undefined);
  if (facts === undefined || !facts.isFile()) return undefined;
  return { path, name: basename(path, extension), type, size: facts.size, modified: Math.trunc(facts.mtimeMs) };
}

/** Whether a path, links resolved, is still below one of the folders. */
export async function isInside(path: string, folders: readonly Folder[]): Promise<boolean> {
  const real = await realpath(path).catch(() => undefined);
  return real !== undefined && folders.some(folder => real === folder.path || real.startsWith(folder.path + sep));
}

function docRefOf(folder: Folder, path: string): string {
  return folder.prefix + relative(folder.path, path).split(sep).join('/');
}

async function entriesOf(path: string): Promise<Dirent[]> {
  return readdir(path, { withFileTypes: true }).catch(() => []);
}

async function kindOf(entry: Dirent, path: string, folders: readonly Folder[]): Promise<'file' | 'folder' | undefined> {
  if (entry.isDirectory()) return 'folder';
  if (entry.isFile()) return 'file';
  if (!entry.isSymbolicLink() || !(await isInside(path, folders))) return undefined;
  const target = await stat(path).catch(() => undefined);
  return target?.isDirectory() ? 'folder' : target?.isFile() ? 'file' : undefined;
}
