import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { Computer, type ComputerOptions } from '@a2c-smcp/computer';
import { SmcpServer } from '@a2c-smcp/server';
import { beforeAll, describe, expect, test } from 'vitest';
import { buildPages } from '../build.ts';
import { hasRedis, TestRedis } from '../cluster/redis.ts';
import { openProtectedServer } from '../computer/protected.ts';
import { visit } from '../fixtures/authorization-server.mjs';
import { root } from '../packages.ts';
import { desk, documentsOf, writeScenery } from '../stories/scenery.ts';
import { bringsDesk, frameworks, programOf, type Snippet, snippets } from '../stories/snippets.ts';

const played = snippets.filter(({ code }) => hasRedis || !code.includes('redis:'));
const isSignIn = ({ code }: Snippet) => code.includes('.signIn(');

/** Runs a snippet in a folder, with an office that has what its page takes for granted. */
async function play(snippet: Snippet, service = ''): Promise<void> {
  const cache = join(root, 'node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'snippet-'));
  await using server = await SmcpServer.listen({ port: 0 });
  await using redis = hasRedis && snippet.code.includes('redis:') ? await TestRedis.start() : undefined;
  await using assets = await serveFiles(join(root, 'packages/vrl/wasm'));
  try {
    writeScenery(folder, snippet.page, text => text);
    mkdirSync(join(folder, 'uploads'));
    mkdirSync(join(folder, 'reports'));
    writeFileSync(join(folder, 'reports/plan.md'), '# Plan\n');
    const echo = { parameters: { type: 'object' }, run: ({ text }: Record<string, unknown>) => String(text) };
    const servers: ComputerOptions['servers'] = snippet.code.includes('dpe://')
      ? { desk, documents: documentsOf('com.example.docs') }
      : { desk };
    const skills = { folder: join(folder, 'skills') };
    await using computer = await Computer.open({ name: 'desk', servers, tools: { echo }, skills });
    if (!bringsDesk(snippet)) await computer.join(server.url, { office: 'demo' });
    const program = join(folder, 'program.mjs');
    const addresses = { url: server.url, redis: redis?.url ?? '', assets: assets.url, service };
    writeFileSync(program, programOf(snippet, addresses));
    for (const framework of frameworks) writeModule(join(folder, 'node_modules', framework.name), framework);
    const env = { ...process.env, HOME: join(folder, 'home'), A2C_OPERATOR_KEY: 'k'.repeat(24), A2C_KEYS: 'one,two' };
    const running = promisify(execFile)(process.execPath, [program], { cwd: folder, env, timeout: 60_000 });
    running.child.stdout?.on('data', text => {
      const [, address, code] = /Visit (\S+)(?: and type (\S+))?/.exec(text) ?? [];
      if (address !== undefined) void signIn(address, code);
    });
    await running;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Does what the owner does in a browser. */
async function signIn(address: string, code?: string): Promise<void> {
  const last = await visit(address, { code });
  if (code === undefined) await fetch(last);
}

function writeModule(folder: string, { entry, text }: { entry: string; text: string }): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module', exports: { [entry]: './index.js' } }));
  writeFileSync(join(folder, 'index.js'), text);
}

async function serveFiles(folder: string): Promise<AsyncDisposable & { url: string }> {
  const http = createServer(({ url = '' }, response) => {
    response.setHeader('content-type', 'application/wasm').end(readFileSync(join(folder, basename(url))));
  });
  await once(http.listen(0, '127.0.0.1'), 'listening');
  const { port } = http.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      http.closeAllConnections();
      http.close();
    },
  };
}

// Some snippets serve the console.
beforeAll(buildPages, 120_000);

describe.concurrent('the snippet runs as plain JavaScript', () => {
  test.each(played.filter(snippet => !isSignIn(snippet)))('$page $index', { timeout: 90_000 }, async snippet => {
    await expect(play(snippet)).resolves.toBeUndefined();
  });
});

test.each(played.filter(isSignIn))(
  'the snippet runs as plain JavaScript and signs in: $page $index',
  { timeout: 90_000 },
  async snippet => {
    const { url } = await openProtectedServer();
    await expect(play(snippet, url)).resolves.toBeUndefined();
  },
);
