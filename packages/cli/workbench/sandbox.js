import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';

const MAX_FILE_BYTES = 256 * 1024;

/** The files of one folder. Files outside it cannot be read, neither by `..` nor through links. */
export class Sandbox {
  #folder;

  constructor(folder) {
    this.#folder = resolve(folder);
  }

  /** All files, as lines of size and path. */
  async list() {
    const entries = await readdir(this.#folder, { recursive: true, withFileTypes: true });
    const files = entries
      .filter(entry => entry.isFile())
      .map(entry => join(entry.parentPath ?? entry.path, entry.name));
    const lines = files.toSorted().map(async file => {
      const { size } = await stat(file);
      return `${String(size).padStart(8)}  ${relative(this.#folder, file)}`;
    });
    return (await Promise.all(lines)).join('\n') || 'The folder is empty.';
  }

  async read(path) {
    const folder = await realpath(this.#folder);
    const file = await realpath(resolve(folder, path)).catch(() => {
      throw new Error(`There is no file '${path}': list_files shows all files`);
    });
    if (!file.startsWith(folder + sep)) throw new Error(`'${path}' is outside the folder`);
    const { size } = await stat(file);
    if (size > MAX_FILE_BYTES) throw new Error(`'${path}' has ${size} bytes, more than ${MAX_FILE_BYTES}`);
    return readFile(file, 'utf8');
  }
}
