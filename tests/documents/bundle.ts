import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { root } from '../packages.ts';

const sources = join(root, 'packages/documents/src');

/** The `a2c-documents` binary as JavaScript, made from the sources, since Node 20 does not run TypeScript. */
export interface Bundle extends Disposable {
  /** The file to run with Node. */
  main: string;
}

/** Bundles our own sources only, so that dependencies are loaded as a user's installation loads them. */
export async function bundleDocuments(): Promise<Bundle> {
  const cache = join(root, 'node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  const outdir = mkdtempSync(join(cache, 'documents-'));
  await build({
    entryPoints: { main: join(sources, 'main.ts'), worker: join(sources, 'sessions/worker.ts') },
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
  return { main: join(outdir, 'main.js'), [Symbol.dispose]: () => rmSync(outdir, { recursive: true, force: true }) };
}
