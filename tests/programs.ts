import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { root } from './packages.ts';

const folder = join(root, 'node_modules/.cache/a2c-smcp-tests');
const DAY_MS = 86_400_000;

/** Programs that tests start hundreds of times, by the name of their bundle. */
const sources = {
  a2c: 'packages/cli/dist/main.js',
  'a2c-documents': 'packages/documents/dist/main.js',
  'asking-mcp-server': 'tests/fixtures/asking-mcp-server.mjs',
  'modern-mcp-server': 'tests/fixtures/modern-mcp-server.mjs',
  'showing-mcp-server': 'tests/fixtures/showing-mcp-server.mjs',
};

/** The path of a program. It is a bundle, which starts in half of the time: Node loads some files in place of 300. */
export function bundled(name: keyof typeof sources): string {
  return join(folder, `${name}.mjs`);
}

/** Bundles the programs. They are compiled by then. */
export async function bundlePrograms(): Promise<void> {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: sources,
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    minifyWhitespace: true,
    write: false,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    mainFields: ['module', 'main'],
    external: ['@napi-rs/keyring'],
    // Dependencies in CommonJS load modules of Node.
    banner: { js: "import { createRequire as r } from 'node:module'; const require = r(import.meta.url);" },
    plugins: [placed],
    logLevel: 'error',
  });
  mkdirSync(folder, { recursive: true });
  // Another run may be starting the former ones. What the programs import comes after them in the list.
  for (const { path, contents } of outputFiles.toReversed()) {
    const draft = `${path}-${process.pid}`;
    writeFileSync(draft, contents);
    renameSync(draft, path);
  }
  for (const path of readdirSync(folder).map(name => join(folder, name))) {
    if (statSync(path).mtimeMs < Date.now() - DAY_MS) rmSync(path);
  }
}

/** Lets modules find the files beside them: workers, pages, templates. */
const placed: Plugin = {
  name: 'placed',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/](packages|node_modules)[\\/].*\.m?js$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8');
      if (!text.includes('import.meta.url')) return undefined;
      return { contents: text.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href)) };
    });
  },
};
