import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { queryTerms, spaceCjk } from '@a2c-smcp/core';
import type { Database } from 'node-sqlite3-wasm';
import { passageOf, toMatch } from './query.ts';

/** A CommonJS module whose exports Node cannot name. */
const sqlite: typeof import('node-sqlite3-wasm') = createRequire(import.meta.url)('node-sqlite3-wasm');

/** Incremented whenever texts or tables change, so that older indexes are dropped. */
const FORMAT = 1;
/** Bytes of the file; further documents are not added. */
const MAX_BYTES = 2 * 1024 * 1024 * 1024;
/** KiB of pages of the database that are held in memory. */
const CACHE_KIB = 16 * 1024;
/** A word in the path of a file or the title of a page counts as much as this many in the text. */
const [PATH_WEIGHT, TITLE_WEIGHT] = [6, 3];
const MAX_RESULTS = 100;
/** Parts of pages that are looked at: several may be of one page. */
const MAX_ROWS = 500;
/** A long page is several texts, so that a table of a million rows is found by one of them. */
const TEXT_CHARACTERS = 32 * 1024;

const schema = `
  PRAGMA locking_mode = EXCLUSIVE;
  PRAGMA journal_mode = TRUNCATE;
  PRAGMA synchronous = OFF;
  PRAGMA cache_size = -${CACHE_KIB};
  CREATE TABLE IF NOT EXISTS files (id INTEGER PRIMARY KEY, path TEXT UNIQUE, version TEXT);
  CREATE TABLE IF NOT EXISTS pages (id INTEGER PRIMARY KEY, file INTEGER, page INTEGER, title TEXT, text TEXT);
  CREATE INDEX IF NOT EXISTS pages_of_file ON pages (file);
  CREATE VIRTUAL TABLE IF NOT EXISTS words USING fts5 (
    path, title, text, content = '', contentless_delete = 1, tokenize = "porter unicode61 remove_diacritics 2"
  );
  PRAGMA user_version = ${FORMAT};
`;

/** The text of a page for the index. */
export interface PageText {
  page: number;
  title: string;
  text: string;
}

/** Some pages of a document. It counts as indexed when the last part was added. */
export interface DocumentPart extends IndexedFile {
  docRef: string;
  pages: readonly PageText[];
  /** Replaces the document. */
  isFirst: boolean;
  isLast: boolean;
}

/** A page that mentions the query. */
export interface SearchHit {
  path: string;
  page: number;
  title: string;
  passage: string;
  /** Higher is better; comparable within one answer only. */
  score: number;
}

interface Wanted {
  limit: number;
  /** All files, if it is undefined. */
  paths: readonly string[] | undefined;
}

/** Documents by version, as the index has them. */
export interface IndexedFile {
  path: string;
  version: string;
}

/**
 * The full text of documents in SQLite, by page. It lives in a file, of which a small part is in memory; without a path, or
 * while another process uses the file, in a temporary one.
 */
export class SearchIndex {
  readonly #path: string;
  readonly #release: () => void;
  #database: Database;

  constructor(path?: string) {
    const claimed = path === undefined ? undefined : claim(path);
    const folder = claimed === undefined ? mkdtempSync(join(tmpdir(), 'a2c-search-')) : undefined;
    this.#path = folder === undefined || claimed !== undefined ? (path ?? '') : join(folder, 'index.sqlite');
    this.#release = claimed ?? (() => rmSync(folder ?? '', { recursive: true, force: true }));
    this.#database = this.#open();
  }

  files(): IndexedFile[] {
    return this.#database.all('SELECT path, version FROM files') as unknown as IndexedFile[];
  }

  /** True if the file of the index has reached its limit. */
  get isFull(): boolean {
    const { page_count: count } = this.#database.get('PRAGMA page_count') as { page_count: number };
    const { page_size: size } = this.#database.get('PRAGMA page_size') as { page_size: number };
    return count * size > MAX_BYTES;
  }

  remove(paths: readonly string[]): void {
    this.#transaction(() => {
      for (const path of paths) this.#removeFile(path);
    });
  }

  /** Adds pages in one transaction, which costs more than the pages of a small document. */
  add(parts: readonly DocumentPart[]): void {
    this.#transaction(() => {
      for (const part of parts) this.#addPart(part);
    });
  }

  /** The best pages, of some files or of all: those with all terms, or, if there are none, those with any of them. */
  search(query: string, limit: number, paths?: readonly string[]): SearchHit[] {
    const terms = queryTerms(query);
    if (terms.length === 0) return [];
    const all = this.#match(terms, 'AND', { limit, paths });
    return all.length > 0 ? all : this.#match(terms, 'OR', { limit, paths });
  }

  close(): void {
    this.#database.close();
    this.#release();
  }

  #match(terms: readonly string[], operator: 'AND' | 'OR', { limit, paths }: Wanted): SearchHit[] {
    const ofPaths = `AND rowid IN (SELECT pages.id FROM pages JOIN files ON files.id = pages.file
                                   WHERE files.path IN (SELECT value FROM json_each(?)))`;
    const rows = this.#database.all(
      `SELECT files.path AS path, pages.id AS id, pages.page AS page, pages.title AS title, found.score AS score
       FROM (SELECT rowid, bm25(words, ${PATH_WEIGHT}, ${TITLE_WEIGHT}, 1) AS score FROM words
             WHERE words MATCH ? ${paths ? ofPaths : ''} ORDER BY score LIMIT ?) AS found
       JOIN pages ON pages.id = found.rowid JOIN files ON files.id = pages.file ORDER BY found.score`,
      [toMatch(terms, operator), ...(paths ? [JSON.stringify(paths)] : []), MAX_ROWS],
    ) as unknown as (Omit<SearchHit, 'passage'> & { id: number })[];
    const best = new Map<string, (typeof rows)[number]>();
    for (const row of rows) {
      const key = `${row.path}\n${row.page}`;
      if (!best.has(key)) best.set(key, row);
    }
    return [...best.values()].slice(0, Math.min(limit, MAX_RESULTS)).map(({ id, path, page, title, score }) => {
      // One text at a time is in memory.
      const text = String(this.#database.get('SELECT text FROM pages WHERE id = ?', [id])?.text ?? '');
      return { path, page, title, passage: passageOf(text, terms), score: Math.round(-score * 1000) / 1000 };
    });
  }

  #addPart({ path, version, docRef, pages, isFirst, isLast }: DocumentPart): void {
    if (isFirst) {
      this.#removeFile(path);
      this.#database.run("INSERT INTO files (path, version) VALUES (?, '')", [path]);
    }
    const file = this.#fileId(path);
    if (file === undefined) return;
    for (const { page, title, text } of this.isFull ? [] : pages) {
      for (const passage of cutText(text)) this.#addText({ page, title, text: passage }, file, docRef);
    }
    if (isLast) this.#database.run('UPDATE files SET version = ? WHERE id = ?', [version, file]);
  }

  #addText({ page, title, text }: PageText, file: number, docRef: string): void {
    const { lastInsertRowid: id } = this.#database.run(
      'INSERT INTO pages (file, page, title, text) VALUES (?, ?, ?, ?)',
      [file, page, title, text],
    );
    const row = [id, spaceCjk(docRef), spaceCjk(title), spaceCjk(text)];
    this.#database.run('INSERT INTO words (rowid, path, title, text) VALUES (?, ?, ?, ?)', row);
  }

  #fileId(path: string): number | undefined {
    const row = this.#database.get('SELECT id FROM files WHERE path = ?', [path]);
    return typeof row?.id === 'number' ? row.id : undefined;
  }

  #removeFile(path: string): void {
    const id = this.#fileId(path);
    if (id === undefined) return;
    this.#database.run('DELETE FROM words WHERE rowid IN (SELECT id FROM pages WHERE file = ?)', [id]);
    this.#database.run('DELETE FROM pages WHERE file = ?', [id]);
    this.#database.run('DELETE FROM files WHERE id = ?', [id]);
  }

  #transaction(action: () => void): void {
    this.#database.exec('BEGIN');
    try {
      action();
      this.#database.exec('COMMIT');
    } catch (error) {
      if (this.#database.inTransaction) this.#database.exec('ROLLBACK');
      throw error;
    }
  }

  /** A file that is damaged or of another format is replaced. */
  #open(): Database {
    mkdirSync(dirname(this.#path), { recursive: true });
    try {
      return this.#prepare();
    } catch {
      rmSync(this.#path, { force: true });
      return this.#prepare();
    }
  }

  #prepare(): Database {
    const database = new sqlite.Database(this.#path);
    try {
      const { user_version: format } = database.get('PRAGMA user_version') as { user_version: number };
      if (format !== 0 && format !== FORMAT) throw new TypeError('The index has another format');
      database.exec(schema);
      // Documents whose indexing was interrupted.
      database.run("DELETE FROM files WHERE version = ''");
      database.exec('DELETE FROM words WHERE rowid IN (SELECT id FROM pages WHERE file NOT IN (SELECT id FROM files))');
      database.exec('DELETE FROM pages WHERE file NOT IN (SELECT id FROM files)');
      return database;
    } catch (error) {
      database.close();
      throw error;
    }
  }
}

/**
 * Claims the file for this process, and removes the lock that a process which crashed has left. Returns a function that
 * gives it back, or undefined if another process has it.
 */
function claim(path: string): (() => void) | undefined {
  const owner = `${path}.owner`;
  try {
    mkdirSync(dirname(path), { recursive: true });
    const other = Number(readOptional(owner));
    if (other > 0 && other !== process.pid && isRunning(other)) return undefined;
    writeFileSync(owner, String(process.pid), { mode: 0o600 });
    rmSync(`${path}.lock`, { recursive: true, force: true });
    return () => rmSync(owner, { force: true });
  } catch {
    return undefined;
  }
}

/** Cuts a long text between lines or words where it can. An empty text is one, too, since a file is found by its name. */
function cutText(text: string): string[] {
  const texts: string[] = [];
  let from = 0;
  while (text.length - from > TEXT_CHARACTERS) {
    const border = text.slice(from + TEXT_CHARACTERS / 2, from + TEXT_CHARACTERS).search(/\s\S*$/);
    const end = from + (border < 0 ? TEXT_CHARACTERS : TEXT_CHARACTERS / 2 + border);
    texts.push(text.slice(from, end));
    from = end;
  }
  return [...texts, text.slice(from)];
}

function readOptional(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
