import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { describe, expect, test } from 'vitest';
import { root } from './packages.ts';

async function bundleForBrowser(entry: string): Promise<string> {
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

describe('in a browser', () => {
  test('the protocol package bundles without anything of Node, and works', async () => {
    const code = await bundleForBrowser(`
      export { buildDpeUri, call, GetFinderReq, parseDpeUri, parseWindowUri, serve } from '@a2c-smcp/protocol';
    `);
    expect(code).not.toMatch(/["']node:/);
    expect(code).not.toMatch(/\brequire\(/);
    const { parseDpeUri, GetFinderReq } = await import(`data:text/javascript,${encodeURIComponent(code)}`);
    expect(parseDpeUri('dpe://h/doc/pages/1')).toMatchObject({ level: 2, page: 1 });
    expect(GetFinderReq.safeParse({ agent: 'a' }).success).toBe(false);
  });

  test('the VRL engine bundles without anything of Node, and works', async () => {
    const code = await bundleForBrowser(`export { VrlEngine } from '@a2c-smcp/vrl';`);
    expect(code).not.toMatch(/["']node:/);
    expect(code).not.toMatch(/\brequire\(/);
    expect(code).toMatch(/new URL\("\.\.\/wasm\/vrl\.wasm",\s*import\.meta\.url\)/);
    const { VrlEngine } = await import(`data:text/javascript,${encodeURIComponent(code)}`);
    const engine = await VrlEngine.load(readFileSync(join(root, 'packages/vrl/wasm/vrl.wasm')));
    expect(engine.compile('.b = .a').run({ a: 1 }).event).toEqual({ a: 1, b: 1 });
  });

  test('what is not used is left out', async () => {
    const small = await bundleForBrowser(`export { parseWindowUri } from '@a2c-smcp/protocol';`);
    expect(small.length).toBeLessThan(5000);
  });
});
