import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { root } from '../packages.ts';

const sources = ['packages/documents/src', 'packages/core/src', 'packages/protocol/src'].map(folder =>
  join(root, folder),
);
const cache = join(root, 'node_modules/.cache/a2c-documents');
const HOUR = 3_600_000;

/**
 * The `a2c-documents` binary as JavaScript, made from the sources, since Node 20 does not run TypeScript. Test files that
 * need it share one, named after what the sources say.
 *
 * @returns the file to run with Node
 */
export async function bundleDocuments(): Promise<string> {
  const folder = join(cache, digestOf(sources));
  if (!existsSync(folder)) {
    removeOld();
    mkdirSync(cache, { recursive: true });
    const draft = mkdtempSync(join(cache, 'draft-'));
    await bundle(draft);
    try {
      renameSync(draft, folder);
    } catch {
      // Another test file was faster.
      rmSync(draft, { recursive: true });
    }
  }
  return join(folder, 'main.js');
}

/** The library as a user's process has it: with workers, which the sources do not have. */
export async function bundledLibrary(): Promise<typeof import('@a2c-smcp/documents')> {
  return import(pathToFileURL(join(dirname(await bundleDocuments()), 'index.js')).href);
}

/** Bundles our own sources only, so that dependencies are loaded as a user's installation loads them. */
async function bundle(outdir: string): Promise<void> {
  const [documents = ''] = sources;
  await build({
    entryPoints: {
      main: join(documents, 'main.ts'),
      index: join(documents, 'index.ts'),
      worker: join(documents, 'sessions/worker.ts'),
      'index-worker': join(documents, 'search/index-worker.ts'),
    },
    outdir,
    outExtension: { '.js': '.js' },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    conditions: ['@a2c-smcp/source'],
    plugins: [
      {
        name: 'dependencies stay outside',
        setup({ onResolve }) {
          onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
            kind === 'entry-point' || path.startsWith('@a2c-smcp/') ? undefined : { external: true },
          );
        },
      },
    ],
  });
}

function digestOf(folders: readonly string[]): string {
  const hash = createHash('sha256');
  for (const folder of folders) {
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(name => name.endsWith('.ts'));
    for (const name of files.toSorted()) hash.update(name).update(readFileSync(join(folder, name)));
  }
  return hash.digest('hex').slice(0, 16);
}

/** What is younger may be in use by another run. */
function removeOld(): void {
  if (!existsSync(cache)) return;
  for (const name of readdirSync(cache)) {
    const path = join(cache, name);
    const isOld = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0) > HOUR;
    if (isOld) rmSync(path, { recursive: true, force: true });
  }
}
