import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Computer, type ComputerOptions } from '@a2c-smcp/computer';
import { SmcpServer } from '@a2c-smcp/server';
import { beforeAll, describe, expect, test } from 'vitest';
import { buildPages } from '../build.ts';
import { hasRedis, TestRedis } from '../cluster/redis.ts';
import { root } from '../packages.ts';
import { desk, documentsOf, writeScenery } from '../stories/scenery.ts';
import { bringsDesk, notRunSnippets, programOf, type Snippet, snippets } from '../stories/snippets.ts';

const played = snippets.filter(
  ({ code }) => !notRunSnippets.some(({ part }) => code.includes(part)) && (hasRedis || !code.includes('redis:')),
);

/** Runs a snippet in a folder, with an office that has what its page takes for granted. */
async function play(snippet: Snippet): Promise<void> {
  const cache = join(root, 'node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'snippet-'));
  await using server = await SmcpServer.listen({ port: 0 });
  await using redis = hasRedis && snippet.code.includes('redis:') ? await TestRedis.start() : undefined;
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
    writeFileSync(program, programOf(snippet, { url: server.url, redis: redis?.url ?? '' }));
    const env = { ...process.env, HOME: join(folder, 'home'), A2C_OPERATOR_KEY: 'k'.repeat(24), A2C_KEYS: 'one,two' };
    await promisify(execFile)(process.execPath, [program], { cwd: folder, env, timeout: 60_000 });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

// Some snippets serve the console.
beforeAll(buildPages, 120_000);

describe.concurrent('the snippet runs as plain JavaScript', () => {
  test.each(played)('$page $index', { timeout: 90_000 }, async snippet => {
    await expect(play(snippet)).resolves.toBeUndefined();
  });
});

test.each(notRunSnippets)('a snippet that is only compiled is still there: $part', ({ part }) => {
  expect(snippets.filter(({ code }) => code.includes(part))).not.toEqual([]);
});
