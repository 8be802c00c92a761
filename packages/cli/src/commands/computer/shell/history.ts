import { appendFile, chmod, mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { looksSecret, readTextFile } from '@a2c-smcp/computer/files';
import { fieldsOf } from '@a2c-smcp/core';
import { replaceFile } from '../../config/edit.ts';

/** Lines that are offered again. The file is cut to them when it has twice as many. */
const MAX_LINES = 500;
const MAX_LINE_LENGTH = 1000;
const OWNER_ONLY = 0o600;

/** The lines of a shell over all its sessions, in a file that only its owner can read. */
export class ShellHistory {
  /** The lines of earlier sessions, the newest first. */
  readonly lines: readonly string[];
  readonly #file: string;
  #last: string | undefined;

  private constructor(file: string, lines: readonly string[]) {
    this.#file = file;
    this.lines = lines.toReversed();
    this.#last = lines.at(-1);
  }

  static async open(file: string): Promise<ShellHistory> {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    const text = await readTextFile(file).catch((error: unknown) => {
      if (fieldsOf(error).code === 'ENOENT') return '';
      throw error;
    });
    if (text !== '') await chmod(file, OWNER_ONLY);
    const all = text.split('\n').filter(isKept);
    const lines = all.slice(-MAX_LINES);
    if (all.length >= 2 * MAX_LINES) await replaceFile(file, `${lines.join('\n')}\n`);
    return new ShellHistory(file, lines);
  }

  /** Adds a line, unless it may hold a secret or repeats the one before. A line that starts with a space is not added. */
  async add(line: string): Promise<void> {
    if (!isKept(line) || line === this.#last) return;
    this.#last = line;
    await appendFile(this.#file, `${line}\n`, { mode: OWNER_ONLY });
  }
}

/** Other programs can write to the file, and a terminal obeys control characters. */
function isKept(line: string): boolean {
  const hasSecret = line.includes('=') && looksSecret(line);
  return /^[^\s\p{Cc}][^\p{Cc}]*$/u.test(line) && line.length <= MAX_LINE_LENGTH && !hasSecret;
}
