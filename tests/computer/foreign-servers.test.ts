import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { Computer } from '@a2c-smcp/computer';
import type { MCPServerConfig } from '@a2c-smcp/protocol';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { root } from '../packages.ts';
import { eventually, openOffice, textOf } from './office.ts';
import { callTool, openServers } from './servers.ts';
import { temporaryFolder } from './temporary.ts';

const everything = join(root, 'node_modules/@modelcontextprotocol/server-everything/dist/index.js');
const filesystem = join(root, 'node_modules/@modelcontextprotocol/server-filesystem/dist/index.js');
const base = { name: 's', default_tool_meta: { auto_apply: true } };
const own: MCPServerConfig = {
  ...base,
  type: 'stdio',
  server_parameters: { command: process.execPath, args: [everything] },
};

const ports: Record<string, number> = {};
const processes: ChildProcess[] = [];

/** Starts server-everything with a transport that is not a child's, and waits until it listens. */
async function serve(transport: 'sse' | 'streamableHttp'): Promise<ChildProcess> {
  const port = ports[transport] ?? (await freePort());
  ports[transport] = port;
  const child = spawn(process.execPath, [everything, transport], { env: { ...process.env, PORT: String(port) } });
  processes.push(child);
  await new Promise<void>(resolve => {
    child.stderr.on('data', text => /listening|running/i.test(String(text)) && resolve());
  });
  return child;
}

function freePort(): Promise<number> {
  return new Promise(resolve => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

beforeAll(async () => void (await Promise.all([serve('sse'), serve('streamableHttp')])), 60_000);
afterAll(() => {
  for (const child of processes) child.kill();
});

const configs: Record<string, () => MCPServerConfig> = {
  stdio: () => own,
  sse: () => ({ ...base, type: 'sse', server_parameters: { url: `http://127.0.0.1:${ports.sse}/sse` } }),
  'streamable HTTP': () => ({
    ...base,
    type: 'streamable',
    server_parameters: { url: `http://127.0.0.1:${ports.streamableHttp}/mcp` },
  }),
};

describe.each(Object.keys(configs))('server-everything over %s', { timeout: 60_000 }, transport => {
  const config = () => configs[transport]!();

  test('lists tools, calls and cancels them, and lists and reads resources', async () => {
    await using office = await openOffice({ servers: { s: config() } });
    const { tools } = await office.ask('client:get_tools');
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['echo', 'get-sum', 'get-tiny-image']));
    expect(textOf(await office.callTool('get-sum', { a: 2, b: 3 }))).toContain('5');
    expect(await office.callTool('get-structured-content', { location: 'Chicago' })).toHaveProperty(
      'structuredContent',
    );
    const image = await office.callTool('get-tiny-image');
    expect(image.content).toContainEqual(expect.objectContaining({ type: 'image', mimeType: 'image/png' }));

    const call = office.callTool('trigger-long-running-operation', { duration: 60, steps: 60 }, { req_id: 'long' });
    const cancelling = setInterval(
      () => office.agent.emit('server:tool_call_cancel', { agent: 'assistant', req_id: 'long' }),
      50,
    );
    expect(await call).toMatchObject({ isError: true, meta: { a2c_cancelled: true } });
    clearInterval(cancelling);

    const { resources } = await office.ask('client:get_resources', { mcp_server: 's' });
    expect(resources.length).toBeGreaterThan(0);
    const uri = resources[0]!.uri;
    const { contents } = await office.ask('client:read_resource', { uri });
    expect(contents).toMatchObject([{ uri }]);
  });

  test('reports updates of watched resources', async () => {
    await using servers = await openServers(config());
    const updates = new Set<string>();
    servers.events.on('resource-updated', ({ uri: updated }) => updates.add(String(updated)));
    const uri = 'demo://resource/dynamic/text/1';
    await servers.require('s').session?.watchResources([uri]);
    await callTool(servers, 's', 'toggle-subscriber-updates');
    await eventually(() => expect([...updates]).toEqual([uri]), 30_000);
  });
});

test.each([
  ['streamable HTTP', 'streamableHttp'],
  ['sse', 'sse'],
] as const)(
  'a server over %s that restarts loses the session, not the call',
  { timeout: 60_000 },
  async (name, transport) => {
    await using computer = await Computer.open({ name: 'desk', servers: { s: configs[name]!() } });
    expect(computer.status()[0]?.state).toBe('ready');
    const [former] = processes.filter(({ spawnargs }) => spawnargs.includes(transport));
    former?.kill('SIGKILL');
    await serve(transport);
    const result = await computer.callTool({ tool: 'get-sum', params: { a: 1, b: 1 }, timeout: 30_000 });
    expect(textOf(result)).toContain('2');
    expect(computer.status()[0]?.restarts).toBeGreaterThan(0);
  },
);

test('server-filesystem reads what it is allowed to and refuses the rest', { timeout: 60_000 }, async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'allowed'));
  writeFileSync(join(folder, 'allowed', 'note.txt'), 'remember the milk');
  writeFileSync(join(folder, 'secret.txt'), 'hidden');
  const args = [filesystem, join(folder, 'allowed')];
  await using computer = await Computer.open({
    name: 'desk',
    servers: { files: { ...own, name: 'files', server_parameters: { command: process.execPath, args } } },
  });
  const read = (path: string) => computer.callTool({ tool: 'read_text_file', params: { path: join(folder, path) } });
  expect(textOf(await read('allowed/note.txt'))).toBe('remember the milk');
  expect(await read('secret.txt')).toMatchObject({ isError: true });
});
