import { build } from 'esbuild';
import { root } from './packages.ts';

/** Bundles an ES module for browsers, as an application would. */
export async function bundleForBrowser(entry: string): Promise<string> {
  const result = await build({
    stdin: { contents: entry, resolveDir: root },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    conditions: ['@a2c-smcp/source'],
    logLevel: 'silent',
  });
  return result.outputFiles[0]?.text ?? '';
}
