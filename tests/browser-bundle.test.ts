import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { bundleForBrowser } from './bundle.ts';
import { root } from './packages.ts';

describe('in a browser', () => {
  test('the protocol and core packages bundle without anything of Node, and work', async () => {
    const code = await bundleForBrowser(`
      export { buildDpeUri, GetFinderReq, parseDpeUri, parseWindowUri } from '@a2c-smcp/protocol';
      export { call, serve } from '@a2c-smcp/core';
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

  test('the Agent with all below it bundles without anything of Node, in 52 kB', async () => {
    const code = await bundleForBrowser(`export { Agent } from '@a2c-smcp/agent';`);
    expect(code).toContain('client:tool_call');
    expect(code).not.toMatch(/["']node:/);
    expect(code).not.toMatch(/\brequire\(/);
    expect(gzipSync(code).length).toBeLessThanOrEqual(52_000);
  });

  test('loading the Agent needs no random numbers, timers or requests, which Cloudflare Workers refuse then', async () => {
    const code = await bundleForBrowser(`
      import { Agent } from '@a2c-smcp/agent';
      import { chatTools } from '@a2c-smcp/agent/openai';
      globalThis.loaded = [typeof Agent, typeof chatTools];
    `);
    const refuse = (name: string) => () => {
      throw new Error(`${name} is not allowed while modules are loaded`);
    };
    const names = ['setTimeout', 'setInterval', 'fetch', 'queueMicrotask', 'WebSocket'];
    const world = {
      ...Object.fromEntries(names.map(name => [name, refuse(name)])),
      crypto: { randomUUID: refuse('randomUUID'), getRandomValues: refuse('getRandomValues') },
      ...{ TextEncoder, TextDecoder, URL, URLSearchParams, AbortController, AbortSignal, Blob, performance },
      loaded: undefined,
    };
    runInNewContext(code, Object.assign(world, { self: world }));
    expect(world.loaded).toEqual(['function', 'function']);
  });

  test('sums and base64 are the same without Node', async () => {
    const code = await bundleForBrowser(`
      import { createSha256, decodeBase64, encodeBase64, nodeModule } from './packages/agent/src/bytes.ts';
      globalThis.bytes = { createSha256, decodeBase64, encodeBase64, nodeModule };
    `);
    const world = { atob, btoa, Uint8Array, bytes: {} as typeof import('../packages/agent/src/bytes.ts') };
    runInNewContext(code, world);
    const { bytes } = world;
    expect(bytes.nodeModule('fs')).toBeUndefined();
    for (const length of [0, 1, 2, 3, 32_767, 100_000]) {
      const random = randomBytes(length);
      const sum = bytes.createSha256();
      sum.update(random.subarray(0, 10));
      sum.update(random.subarray(10));
      expect(sum.hex()).toBe(createHash('sha256').update(random).digest('hex'));
      const text = bytes.encodeBase64(new Uint8Array(random));
      expect(text).toBe(random.toString('base64'));
      expect(Buffer.from(bytes.decodeBase64(text) ?? [1]).equals(random)).toBe(true);
    }
    for (const broken of ['A', 'AAA', 'AA=A', '====', 'AA A', 'AAA-', 'AA\n='])
      expect(bytes.decodeBase64(broken)).toBeUndefined();
  });

  test.each(['openai', 'anthropic'])('the adapter for %s needs nothing but itself', async provider => {
    const code = await bundleForBrowser(`export * from '@a2c-smcp/agent/${provider}';`);
    expect(code).not.toMatch(/["']node:/);
    expect(gzipSync(code).length).toBeLessThan(20_000);
  });
});
