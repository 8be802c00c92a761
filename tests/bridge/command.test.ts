import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { openOffice, RawPeer } from '@a2c-smcp/testing';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { parse } from 'jsonc-parser';
import { describe, expect, test } from 'vitest';
import { a2c, startA2c } from '../cli/a2c.ts';
import { eventually } from '../eventually.ts';
import { root } from '../packages.ts';
import { bundled } from '../programs.ts';
import { ERAS, httpTransport, newClient, textIn, toolNames } from './bridged.ts';

const program = join(root, 'packages/cli/bin/a2c.js');
const desk = { tools: { echo: { run: ({ text }: { text?: string }) => text } } };
describe.each(ERAS)('a2c bridge on standard input and output, for a client of the %s era', era => {
  test(`serves the tools of the office and leaves it when the client goes (${era})`, async () => {
    await using office = await openOffice({ desk });
    const client = newClient(era);
    const args = [bundled('a2c'), 'bridge', '--url', office.url, '--office', 'test'];
    await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: 'ignore' }));
    expect(await toolNames(client)).toEqual(['echo']);
    expect(textIn(await client.callTool({ name: 'echo', arguments: { text: 'hi' } }))).toBe('hi');
    await client.close();
    // The seat is free again.
    await using agent = await RawPeer.connect(office.url);
    await eventually(async () => expect(await agent.enter('agent', 'next', 'test')).toEqual([true, null]));
  });

  test(`a client that only connects does not take the seat (${era})`, async () => {
    await using office = await openOffice({ desk });
    const client = newClient(era);
    const args = [bundled('a2c'), 'bridge', '--url', office.url, '--office', 'test'];
    await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: 'ignore' }));
    if (era === 'legacy') await client.ping();
    await using agent = await RawPeer.join(office.url, 'agent', 'other', 'test');
    const { tools } = await client.listTools();
    expect(tools).toHaveLength(4);
    expect(textIn(await client.callTool({ name: 'office' }))).toContain('already has an agent');
    agent.close();
    await eventually(async () => expect(await toolNames(client)).toEqual(['echo']));
    await client.close();
  });
});

test('a2c bridge ends within a second when its input ends, and prints nothing that is not MCP', async () => {
  await using office = await openOffice({ desk });
  const bridge = spawn(process.execPath, [bundled('a2c'), 'bridge', '--url', office.url, '--office', 'test']);
  const lines = createInterface({ input: bridge.stdout });
  const clientInfo = { name: 'raw', version: '1' };
  const send = (message: object) => bridge.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  send({ id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo } });
  send({ method: 'notifications/initialized' });
  send({ id: 2, method: 'tools/list' });
  const answers: { id?: number; result?: unknown }[] = [];
  for await (const line of lines) {
    answers.push(JSON.parse(line));
    if (answers.some(({ id }) => id === 2)) break;
  }
  expect(answers[0]).toMatchObject({ id: 1, result: { protocolVersion: '2025-06-18' } });
  const start = performance.now();
  bridge.stdin.end();
  const [code] = await once(bridge, 'exit');
  expect(code).toBe(0);
  expect(performance.now() - start).toBeLessThan(1000);
});

describe('a2c bridge --http', () => {
  test.each([['--http=0'], ['--http', '0']])('prints the endpoint and the token with %s %s', async (...words) => {
    await using office = await openOffice({ desk });
    const bridge = startA2c(['bridge', '--url', office.url, '--office', 'test', ...words.filter(Boolean)]);
    await bridge.shows('Bearer');
    const [url = '', header = '', ...more] = bridge.err.split('\n');
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/);
    expect(header).toMatch(/^Authorization: Bearer [\w-]{32}$/);
    expect(more).toEqual([]);
    const client = newClient('legacy');
    await client.connect(httpTransport({ url, token: header.split(' ')[2] ?? '' }));
    expect(await toolNames(client)).toEqual(['echo']);
    await client.close();
    expect((await bridge.stop()).code).toBe(0);
  });

  test('takes the usual port when none is given, and the token of the environment', async () => {
    const env = { A2C_BRIDGE_TOKEN: 'secret' };
    const { out } = await a2c(['bridge', '--http', '--print-config', 'cursor'], { env });
    expect(JSON.parse(out).mcpServers.a2c).toEqual({
      url: 'http://127.0.0.1:7010/mcp',
      headers: { Authorization: 'Bearer secret' },
    });
  });
});

describe('a2c bridge --print-config', () => {
  const words = ['bridge', '--url', 'http://h:1', '--office', 'my office', '--key', 'se"cret', '--read-only'];
  const args = [program, 'bridge', '--url=http://h:1', '--office=my office', '--read-only'];
  const entry = { command: process.execPath, args, env: { A2C_KEY: 'se"cret' } };

  test.each([
    ['claude', { mcpServers: { a2c: entry } }],
    ['claude-code', { mcpServers: { a2c: { type: 'stdio', ...entry } } }],
    ['vscode', { servers: { a2c: { type: 'stdio', ...entry } } }],
    ['cursor', { mcpServers: { a2c: entry } }],
    ['gemini', { mcpServers: { a2c: entry } }],
  ])('prints the entry for %s, with credentials in the environment', async (client, expected) => {
    const { code, out } = await a2c([...words, '--print-config', client]);
    expect(code).toBe(0);
    expect(parse(out)).toEqual(expected);
  });

  test('prints TOML for codex', async () => {
    const { out } = await a2c([...words, '--print-config', 'codex']);
    expect(out.split('\n')).toEqual([
      '[mcp_servers.a2c]',
      `command = ${JSON.stringify(process.execPath)}`,
      `args = [${args.map(word => JSON.stringify(word)).join(', ')}]`,
      'env = { "A2C_KEY" = "se\\"cret" }',
    ]);
  });

  test('prints YAML for goose', async () => {
    const { out } = await a2c([...words, '--print-config', 'goose']);
    expect(out).toContain(`extensions:\n  a2c:\n    enabled: true\n`);
    expect(out).toContain(`    args: ${JSON.stringify(args)}\n    envs: {"A2C_KEY":"se\\"cret"}`);
  });

  test.each([
    [['--print-config', 'emacs'], 'none of claude'],
    [['--print-config', 'claude', '--http', '--http-token', 'x'], 'leave out --http'],
    [['--print-config', 'cursor', '--http'], 'A2C_BRIDGE_TOKEN'],
    [['--prefix', 'sometimes'], 'none of auto'],
  ])('refuses %j', async (more, message) => {
    const { code, err } = await a2c(['bridge', ...more]);
    expect(code).toBe(2);
    expect(err).toContain(message);
  });
});
