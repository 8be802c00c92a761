import { open, rename, rm, stat } from 'node:fs/promises';
import { type Logger, SerialQueue } from '@a2c-smcp/core';
import { hashOf } from '../config/origin.ts';
import { holderOf, takeLockFile } from '../inputs/lock-file.ts';
import { createPrivateFile, preparePrivateFolder, readPrivateFile } from '../inputs/private-file.ts';
import { endOf, rotatedName } from './audit-files.ts';
import { type AuditEntry, CHAIN_START } from './line.ts';

export interface AuditOptions {
  /** Gets one line of JSON per tool call. Made for its owner alone; older parts are `FILE.1`, `FILE.2`, … */
  file: string;
  /** How arguments are recorded: as text with secrets masked, or as a hash only. @default 'text' */
  arguments?: 'text' | 'sum';
  /** Bytes after which a new file is begun. @default 16 MiB */
  maxBytes?: number;
  /** Older files that are kept. @default 9 */
  keep?: number;
}

const MAX_BYTES = 16 * 1024 * 1024;
const KEEP = 9;
/** Lines that wait to be written; the disk may be slow or full. */
const MAX_PENDING = 10_000;

/**
 * An append-only record of tool calls. Each line has the sum of the one before, so that a line that was changed, removed
 * or added is found.
 */
export class AuditLog {
  readonly #options: AuditOptions;
  readonly #logger: Logger;
  readonly #writes = new SerialQueue();
  #pending: AuditEntry[] = [];
  #seq: number;
  #prev: string;
  #isFailing = false;

  private constructor(options: AuditOptions, logger: Logger, { seq, prev }: { seq: number; prev: string }) {
    this.#options = options;
    this.#logger = logger;
    this.#seq = seq;
    this.#prev = prev;
  }

  /** Continues the chain of the file. Throws when another process writes to it, or when others have access to it. */
  static async open(options: AuditOptions, logger: Logger): Promise<AuditLog> {
    const { file } = options;
    await preparePrivateFolder(file);
    await takeLock(file);
    try {
      if (!(await createPrivateFile(file, ''))) await completeLastLine(file);
      const { seq, sum } = (await endOf(file)) ?? { seq: 0, sum: CHAIN_START };
      return new AuditLog(options, logger, { seq, prev: sum });
    } catch (error) {
      await rm(lockOf(file), { force: true });
      throw error;
    }
  }

  /** Writes in the background. */
  record(entry: AuditEntry): void {
    const { arguments: wanted = 'text' } = this.#options;
    this.#append(wanted === 'text' ? entry : withoutText(entry));
  }

  #append(entry: AuditEntry): void {
    if (this.#pending.length >= MAX_PENDING) {
      this.#fail(new Error(`More than ${MAX_PENDING} calls wait to be recorded`));
      return;
    }
    this.#pending.push(entry);
    if (this.#pending.length === 1) void this.#writes.run(() => this.#write()).catch(error => this.#fail(error));
  }

  /** Resolves when everything is written, and lets others write to the file. */
  async close(): Promise<void> {
    await this.#writes.run(() => this.#write()).catch(error => this.#fail(error));
    await rm(lockOf(this.#options.file), { force: true });
  }

  async #write(): Promise<void> {
    const entries = this.#pending;
    if (entries.length === 0) return;
    this.#pending = [];
    const { file, maxBytes = MAX_BYTES } = this.#options;
    const { size } = await stat(file).catch(() => ({ size: 0 }));
    if (size >= maxBytes) await this.#rotate();
    const handle = await open(file, 'a', 0o600);
    try {
      await handle.appendFile(entries.map(entry => this.#chained(entry)).join(''));
      this.#isFailing = false;
    } finally {
      await handle.close();
    }
  }

  #chained(entry: AuditEntry): string {
    this.#seq += 1;
    const text = JSON.stringify({ seq: this.#seq, prev: this.#prev, ...entry });
    this.#prev = hashOf(text);
    return `${text}\n`;
  }

  async #rotate(): Promise<void> {
    const { file, keep = KEEP } = this.#options;
    await rm(rotatedName(file, keep), { force: true });
    for (let number = keep - 1; number >= 0; number--) {
      await rename(rotatedName(file, number), rotatedName(file, number + 1)).catch(ignoreMissing);
    }
  }

  /** Once per outage: a full disk must not fill the log too. */
  #fail(error: unknown): void {
    if (!this.#isFailing) this.#logger.error('Tool calls could not be recorded', { file: this.#options.file, error });
    this.#isFailing = true;
  }
}

function withoutText({ arguments: _, ...entry }: AuditEntry): AuditEntry {
  return entry;
}

/** True if a process writes to an audit file. */
export async function isRecording(file: string): Promise<boolean> {
  return (await holderOf(lockOf(file)).catch(() => undefined)) !== undefined;
}

function lockOf(file: string): string {
  return `${file}.lock`;
}

/** Two writers would break the chain. The lock of a process that has ended does not count. */
async function takeLock(file: string): Promise<void> {
  const holder = await takeLockFile(lockOf(file));
  if (holder === process.pid) throw new Error(`'${file}' is used twice: choose another file for the second Computer`);
  if (holder === undefined) return;
  throw new Error(`Process ${holder} records tool calls in '${file}': choose another file, or end it`);
}

/** A process that was killed may have left half a line. */
async function completeLastLine(file: string): Promise<void> {
  // Also checks who has access.
  const text = await readPrivateFile(file);
  if (text === undefined || text === '' || text.endsWith('\n')) return;
  const handle = await open(file, 'a');
  try {
    await handle.appendFile('\n');
  } finally {
    await handle.close();
  }
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}
