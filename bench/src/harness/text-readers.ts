import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { DocumentReaderSettings } from '../processes/document-reader.ts';
import { announce, cacheFolder, installNpm } from './install.ts';
import { Participant } from './participant.ts';

/** A file as a program read it. */
export interface Reading {
  /** Empty if it could not be read. */
  text: string;
  /** Milliseconds. */
  cpu: number;
  /** The most bytes of memory so far. */
  peak: number;
}

/** A program that turns documents into text, as a process. */
export interface TextReader extends AsyncDisposable {
  name: string;
  read(path: string): Promise<Reading>;
}

/** The last releases that run on Node 20 and Python 3.10. */
const PYTHON_PACKAGES = ['markitdown[docx,pptx,xlsx,pdf]==0.1.8', 'pypandoc_binary==1.15'];
const OFFICEPARSER_RELEASE = '7.8.0';

/** Our ways to read: the library as an Agent uses it, and the function that reads a file in the calling thread. */
export const ourReaders = ['function', 'ours'] as const;
export type OurReader = (typeof ourReaders)[number];

export function isOurs(name: string): boolean {
  return ourReaders.some(reader => reader === name);
}

export async function startOurReaders(folder: string): Promise<TextReader[]> {
  return [
    await nodeReader('ours', { folder, reader: 'library' }),
    await nodeReader('function', { folder, reader: 'function' }),
  ];
}

/**
 * The programs that we are compared with. Those that are missing are installed into the cache folder of the user, which
 * needs a network; those that cannot be installed are named in `missing`.
 */
export async function startOtherReaders(folder: string): Promise<{ readers: TextReader[]; missing: string[] }> {
  const readers: TextReader[] = [];
  const missing: string[] = [];
  const packages = installNpm({ officeparser: OFFICEPARSER_RELEASE });
  if (packages === undefined) missing.push('officeparser');
  else readers.push(await nodeReader('officeparser', { folder, reader: { officeparser: packages } }));
  const python = installPython();
  if (python === undefined) missing.push('markitdown', 'pandoc');
  else readers.push(pythonReader(python, 'markitdown'), pythonReader(python, 'pandoc'));
  return { readers, missing };
}

async function nodeReader(name: string, settings: DocumentReaderSettings): Promise<TextReader> {
  const process = await Participant.start('document-reader', settings);
  return {
    name,
    read: path => process.ask<Reading>(path).catch(() => ({ text: '', cpu: Number.NaN, peak: Number.NaN })),
    [Symbol.asyncDispose]: () => process.end(),
  };
}

/** Gets paths as lines, and answers each with a line of JSON. */
function pythonReader(python: string, name: 'markitdown' | 'pandoc'): TextReader {
  const script = fileURLToPath(new URL('../../python/read.py', import.meta.url));
  const process: ChildProcessWithoutNullStreams = spawn(python, [script, name]);
  process.stderr.resume();
  const lines = createInterface({ input: process.stdout })[Symbol.asyncIterator]();
  return {
    name,
    read: async path => {
      process.stdin.write(`${path}\n`);
      const { value } = await lines.next();
      return JSON.parse(value);
    },
    [Symbol.asyncDispose]: async () => void process.kill(),
  };
}

function installPython(): string | undefined {
  const folder = cacheFolder('python');
  const python = join(folder, 'bin', 'python');
  const isThere = () => spawnSync(python, ['-c', 'import markitdown, pypandoc']).status === 0;
  if (isThere()) return python;
  announce(PYTHON_PACKAGES.join(' and '), folder);
  spawnSync('python3', ['-m', 'venv', folder]);
  spawnSync(python, ['-m', 'pip', 'install', '--quiet', ...PYTHON_PACKAGES]);
  return isThere() ? python : undefined;
}
