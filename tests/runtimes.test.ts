import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Agent, textOf } from '@a2c-smcp/agent';
import { Computer } from '@a2c-smcp/computer';
import { SmcpServer } from '@a2c-smcp/server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bundleForBrowser } from './bundle.ts';
import { temporaryFolder } from './computer/temporary.ts';
import { eventually } from './eventually.ts';
import { root } from './packages.ts';

const run = promisify(execFile);
// Not below node_modules, where Deno does not find packages of a workspace.
const folder = join(root, 'dist/runtimes');

/** Runtimes beside Node, each with the words that start a script. */
const runtimes = [
  { name: 'Bun', program: 'bun', words: [] },
  { name: 'Deno', program: 'deno', words: ['run', '--allow-all', '--node-modules-dir=manual', '--no-lock'] },
].filter(({ program }) => isInstalled(program));

const echo = {
  description: 'Repeats a text',
  schema: { type: 'object' },
  run: async ({ text }: { text?: string }) => String(text),
};

const agentScript = `
import { Agent, textOf } from '@a2c-smcp/agent';
for (const transports of [['polling', 'websocket'], ['websocket'], ['polling']]) {
  const agent = await Agent.connect(process.argv[2], { name: 'other', office: 'demo', transports });
  const { computer } = await agent.waitFor({ tool: 'echo' }, { timeout: 20_000 });
  const calls = Array.from({ length: 50 }, (_, n) => agent.callTool({ computer, tool: 'echo', params: { text: 'n' + n } }));
  console.log(transports.join(), (await Promise.all(calls)).filter((result, n) => textOf(result) === 'n' + n).length);
  await agent.close();
}
`;

const officeScript = `
import { Computer } from '@a2c-smcp/computer';
import { SmcpServer } from '@a2c-smcp/server';
const echo = { description: 'Repeats a text', schema: { type: 'object' }, run: async ({ text }) => String(text) };
const server = await SmcpServer.listen({ port: 0 });
const computer = await Computer.open({ name: 'desk', tools: { echo } });
await computer.join(server.url, { office: 'demo' });
console.log(server.url);
process.stdin.resume().on('end', async () => {
  await computer.close();
  await server.close();
});
`;

describe.runIf(runtimes.length > 0)('in other runtimes', { timeout: 60_000 }, () => {
  beforeAll(async () => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'agent.mjs'), agentScript);
    writeFileSync(join(folder, 'office.mjs'), officeScript);
  }, 120_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test.each(runtimes)('an Agent in $name calls tools over both transports', async ({ program, words }) => {
    await using server = await SmcpServer.listen({ port: 0 });
    await using computer = await Computer.open({ name: 'desk', tools: { echo } });
    await computer.join(server.url, { office: 'demo' });
    const { stdout } = await run(program, [...words, join(folder, 'agent.mjs'), server.url]);
    expect(stdout.trim().split('\n')).toEqual(['polling,websocket 50', 'websocket 50', 'polling 50']);
  });

  test.each(runtimes)('a Server and a Computer in $name serve an Agent', async ({ program, words }) => {
    const office = run(program, [...words, join(folder, 'office.mjs')]);
    const url = await new Promise<string>(resolve =>
      office.child.stdout?.once('data', data => resolve(String(data).trim())),
    );
    for (const transport of ['polling', 'websocket'] as const) {
      await using agent = await Agent.connect(url, { name: 'node', office: 'demo', transports: [transport] });
      await agent.waitFor({ tool: 'echo' }, { timeout: 20_000 });
      expect(textOf(await agent.callTool({ computer: 'desk', tool: 'echo', params: { text: 'hi' } }))).toBe('hi');
    }
    office.child.stdin?.end();
    await office;
  });
});

/** Answers a request with what a tool says. */
const worker = `
import { Agent, textOf } from '@a2c-smcp/agent';
export default {
  async fetch(request) {
    const url = new URL(request.url).searchParams.get('url');
    const agent = await Agent.connect(url, { name: 'worker', office: 'demo' });
    const { computer } = await agent.waitFor({ tool: 'echo' }, { timeout: 20_000 });
    const result = await agent.callTool({ computer, tool: 'echo', params: { text: 'from a worker' } });
    await agent.close();
    return new Response(textOf(result));
  },
};
`;

/** workerd is the runtime of Cloudflare Workers. Without `internet` a Worker reaches public addresses only. */
const workerdConfig = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = (modules = [(name = "w", esModule = embed "worker.js")], compatibilityDate = "2026-10-01")),
    (name = "internet", network = (allow = ["local"])),
  ],
  sockets = [(name = "http", http = (), service = "main")],
);
`;

test.runIf(isInstalled('workerd'))('an Agent in a Cloudflare Worker calls a tool', { timeout: 60_000 }, async () => {
  const place = temporaryFolder();
  writeFileSync(join(place, 'worker.js'), await bundleForBrowser(worker));
  writeFileSync(join(place, 'config.capnp'), workerdConfig);
  await using server = await SmcpServer.listen({ port: 0 });
  await using computer = await Computer.open({ name: 'desk', tools: { echo } });
  await computer.join(server.url, { office: 'demo' });
  const address = `127.0.0.1:${await freePort()}`;
  const workerd = spawn('workerd', ['serve', join(place, 'config.capnp'), `--socket-addr=http=${address}`], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  try {
    await eventually(async () => {
      const response = await fetch(`http://${address}/?url=${encodeURIComponent(server.url)}`);
      expect(await response.text()).toBe('from a worker');
    });
  } finally {
    workerd.kill();
    await once(workerd, 'exit');
  }
});

function isInstalled(program: string): boolean {
  return spawnSync(program, ['--version']).status === 0;
}

async function freePort(): Promise<number> {
  const listener = createServer().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const address = listener.address();
  await new Promise(resolve => listener.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}
