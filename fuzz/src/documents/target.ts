import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Random } from '../random.ts';
import type { Target } from '../target.ts';
import { mutate } from './mutate.ts';
import { FuzzedServer } from './server.ts';

const folders = ['../../../examples/documents/files', '../../../tests/documents/samples', '../../samples'];

/** A small document of each format. */
const samples = folders.flatMap(folder => {
  const path = fileURLToPath(new URL(folder, import.meta.url));
  return readdirSync(path)
    .toSorted()
    .map(name => join(path, name));
});
/** The time limit of the server, and what its start and a loaded machine add. */
const READ_TIMEOUT_MS = 60_000;
/** A sound document is read within a second, and a loaded machine adds to that. */
const MAX_CONTROL_MS = 3000;
/** Pictures with more bytes are handed over with fewer pixels. */
const MAX_PICTURE_BYTES = 5 * 1024 * 1024;
/** JSON-RPC errors that a damaged document may be answered with. */
const EXPECTED_ERRORS = new Set([4201, 4202, 4203, 4204, 413]);

/** `a2c-documents` with mutants of the sample documents, each listed and read at three levels beside a sound one. */
export async function openDocuments(): Promise<Target> {
  const folder = mkdtempSync(join(tmpdir(), 'a2c-fuzz-'));
  const server = await FuzzedServer.start(folder);
  let cases = 0;
  let givenUp = 0;
  let slowest = 0;

  /** Reads the mutant and, at the same time, the sound document. Returns what is wrong. */
  const use = async (name: string): Promise<string | undefined> => {
    const begin = performance.now();
    const control = readControl(server, folder, cases).then(problem => {
      const took = Math.round(performance.now() - begin);
      slowest = Math.max(slowest, took);
      return problem ?? (took > MAX_CONTROL_MS ? `A sound document took ${took} ms` : undefined);
    });
    const [said, harm] = await Promise.all([readAll(server, name), control]);
    if (/was given up/.test(said.text)) givenUp += 1;
    return server.isAlive ? (harm ?? problemOf(said)) : 'The server ended';
  };

  return {
    parallel: 1,

    async run(random: Random) {
      cases += 1;
      const sample = random.pick(samples);
      const type = extname(sample).slice(1);
      const name = `case-${cases}.${type}`;
      const path = join(folder, name);
      const mutant = mutate(readFileSync(sample), random);
      const isLarge = /^(png|jpg|webp)$/.test(type) && random.chance(0.5);
      writeFileSync(path, isLarge ? Buffer.concat([mutant, Buffer.alloc(MAX_PICTURE_BYTES)]) : mutant);
      const problem = await use(name);
      if (problem !== undefined) {
        const kept = join(tmpdir(), `a2c-fuzz-${process.pid}-${name}`);
        copyFileSync(path, kept);
        throw new Error(`${problem}; the file is ${kept}`);
      }
      rmSync(path);
    },

    async settle() {
      return `${givenUp} given up, a sound document in ${slowest} ms at most`;
    },

    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

interface Said {
  text: string;
  error?: unknown;
}

/** Lists the documents; reads one of them, its first page and the first element and picture of that; searches all. */
async function readAll(server: FuzzedServer, name: string): Promise<Said> {
  const uri = `dpe://documents/${name}`;
  try {
    await server.list(READ_TIMEOUT_MS);
    const document = await server.read(uri, READ_TIMEOUT_MS);
    const page = await server.read(`${uri}/pages/0?format=markdown`, READ_TIMEOUT_MS);
    const all = Array.isArray(page.elements) ? page.elements : [];
    const read: unknown[] = [];
    for (const { element_id } of new Set([all[0], all.find(({ category }) => category === 'image')].filter(Boolean))) {
      read.push(await server.read(`${uri}/elements/${encodeURIComponent(element_id)}`, READ_TIMEOUT_MS));
    }
    await server.search('coffee 付款', READ_TIMEOUT_MS);
    return { text: JSON.stringify([document, page, ...read]) };
  } catch (error) {
    return { text: '', error };
  }
}

function problemOf({ error }: Said): string | undefined {
  if (error === undefined) return undefined;
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return typeof code === 'number' && EXPECTED_ERRORS.has(code) ? undefined : String(error);
}

/** Changes the sound document, so that no cache answers, and reads it. Returns what is wrong. */
async function readControl(server: FuzzedServer, folder: string, number: number): Promise<string | undefined> {
  const text = `sound ${number}`;
  writeFileSync(join(folder, 'control.txt'), `${text}\n`);
  try {
    const page = JSON.stringify(await server.read('dpe://documents/control.txt/pages/0', READ_TIMEOUT_MS));
    return page.includes(text) ? undefined : `A sound document of '${text}' was read as ${page}`;
  } catch (error) {
    return `A sound document was not read: ${error}`;
  }
}
