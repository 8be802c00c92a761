import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { VrlEngine } from '@a2c-smcp/vrl';
import { describe, expect, test } from 'vitest';
import { root } from '../packages.ts';

const folder = join(root, 'packages/vrl/wasm');
const wasm = readFileSync(join(folder, 'vrl.wasm'));
const manifest = JSON.parse(readFileSync(join(folder, 'vrl.json'), 'utf8'));

describe('the checked-in module', () => {
  test('the checked-in module matches its manifest', () => {
    expect(manifest).toMatchObject({ size: wasm.length, sha256: createHash('sha256').update(wasm).digest('hex') });
  });

  test('the checked-in module contains the locked version of VRL', () => {
    const lock = readFileSync(join(folder, 'Cargo.lock'), 'utf8');
    expect(lock).toContain(`name = "vrl"\nversion = "${manifest.vrl}"`);
  });

  test('the checked-in module has at most 6 MB compressed, and browsers can instantiate it synchronously', () => {
    expect(gzipSync(wasm).length).toBeLessThan(6_000_000);
    expect(wasm.length).toBeLessThan(8 * 1024 * 1024);
  });

  test('the checked-in module contains no paths of the machine that built it', () => {
    const sources = wasm.toString('latin1').match(/\/[\w./+-]+\.(rs|c|h)\b/g) ?? [];
    const absolute = sources.filter(path => /^\/(root|home|Users|tmp|var|work|builds?)\//.test(path));
    expect(absolute).toEqual([]);
  });

  test('the checked-in module imports only functions of its host', async () => {
    const imports = WebAssembly.Module.imports(await WebAssembly.compile(wasm));
    expect(new Set(imports.map(({ module }) => module))).toEqual(new Set(['host']));
  });

  test('the engine can be loaded from bytes and from URLs', async () => {
    for (const source of [wasm, new URL(`data:application/wasm;base64,${wasm.toString('base64')}`)]) {
      const engine = await VrlEngine.load(source);
      expect(engine.compile('.a = 1').run({}).event).toEqual({ a: 1 });
    }
  });
});
