import { resolve } from 'node:path';
import { Computer, type ComputerEvents } from '@a2c-smcp/computer';
import { recordingLogger, scriptedServer } from '@a2c-smcp/testing';
import { describe, expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { root } from '../packages.ts';
import { bundled } from '../programs.ts';
import { textOf } from './office.ts';

type LogEvent = ComputerEvents['log'];

const sdkServer = (script: string, mcp_protocol: 'legacy' | 'auto' = 'legacy') => ({
  type: 'stdio' as const,
  mcp_protocol,
  default_tool_meta: { auto_apply: true },
  server_parameters: { command: process.execPath, args: [resolve(root, script)] },
});
const everything = sdkServer('node_modules/@modelcontextprotocol/server-everything/dist/index.js');
const notification = (params: object) => ({ method: 'notifications/message', params });

/** A Computer with one MCP server, the lines that it logs, and those it emits. */
async function open(
  server: ReturnType<typeof scriptedServer>,
  options: Partial<Parameters<typeof Computer.open>[0]> = {},
) {
  const logger = recordingLogger();
  const computer = await Computer.open({ name: 'desk', servers: { s: server }, logger, ...options });
  const events: LogEvent[] = [];
  computer.on('log', line => events.push(line));
  const messages = () => events.filter(({ source }) => source === 'message');
  return { computer, logger, events, messages, [Symbol.asyncDispose]: () => computer.close() };
}

describe('log messages of an MCP server', () => {
  test('each level of a log message has its level in the log of the Computer', async () => {
    await using desk = await open(scriptedServer({ tools: ['send'] }));
    const levels = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'];
    const messages = levels.map(level => notification({ level, logger: 'part', data: level }));
    await desk.computer.callTool({ tool: 'send', params: { messages } });
    await eventually(() => expect(desk.messages().map(({ level }) => level)).toEqual(levels));
    const logged = desk.logger.lines.filter(({ message }) => message === 'MCP server log');
    expect(logged.map(({ level }) => level)).toEqual(['debug', 'info', 'info', 'warn', ...Array(4).fill('error')]);
    expect(logged[3]?.fields).toEqual({ mcp_server: 's', logger: 'part', text: 'warning' });
    expect(desk.messages()[3]).toEqual({
      ...{ server: 's', source: 'message', level: 'warning', logger: 'part', text: 'warning' },
    });
  });

  test('secrets in a log message are masked, data that is no text becomes JSON, and long texts are cut', async () => {
    const server = scriptedServer({ tools: ['send'] });
    Object.assign(server.server_parameters, { env: { API_TOKEN: 'canary-4711-canary' } });
    await using desk = await open(server);
    const data = [
      'at canary-4711-canary',
      { key: ['canary-4711-canary'], n: 1 },
      `${'x'.repeat(8185)}canary-4711-canary`,
    ];
    const messages = data.map(each => notification({ level: 'info', logger: 'canary-4711-canary', data: each }));
    await desk.computer.callTool({ tool: 'send', params: { messages } });
    await eventually(() => expect(desk.messages()).toHaveLength(3));
    expect(desk.messages().map(({ text }) => text)).toEqual([
      'at ***',
      '{"key":["***"],"n":1}',
      `${'x'.repeat(8185)}***`,
    ]);
    expect(JSON.stringify([desk.computer.logs('s'), desk.events, desk.logger.lines])).not.toContain('canary');
  });

  test('standard error and log messages are kept together, and stderr() has the former only', async () => {
    await using desk = await open(scriptedServer({ tools: ['send', 'say'] }));
    await desk.computer.callTool({ tool: 'say', params: { text: 'to stderr' } });
    await eventually(() => expect(desk.computer.stderr('s')).toEqual(['to stderr']));
    const messages = [notification({ level: 'notice', data: 'to the client' })];
    await desk.computer.callTool({ tool: 'send', params: { messages } });
    await eventually(() =>
      expect(desk.computer.logs('s')).toEqual([
        { source: 'stderr', level: 'debug', text: 'to stderr' },
        { source: 'message', level: 'notice', text: 'to the client' },
      ]),
    );
    expect(desk.computer.stderr('s')).toEqual(['to stderr']);
    expect(desk.events.map(({ server, source }) => [server, source])).toEqual([
      ['s', 'stderr'],
      ['s', 'message'],
    ]);
  });

  test('a malformed log message is dropped, and the server goes on', async () => {
    await using desk = await open(scriptedServer({ tools: ['send', 'echo'] }));
    const odd = [{ level: 'loud', data: 'x' }, { data: 'x' }, undefined].map(params => ({
      ...{ method: 'notifications/message', params },
    }));
    const messages = [...odd, notification({ level: 'info', data: 'well-formed' })];
    await desk.computer.callTool({ tool: 'send', params: { messages } });
    await eventually(() => expect(desk.messages().map(({ text }) => text)).toEqual(['well-formed']));
    expect(textOf(await desk.computer.callTool({ tool: 'echo' }))).toBe('{}');
  });

  test('a flood of long log messages leaves time for the calls of others and a bounded part of itself', async () => {
    const flood = notification({ level: 'debug', data: 'x'.repeat(4000) });
    const good = scriptedServer({ tools: ['echo'] });
    const bad = scriptedServer({ tools: ['flood'], flood });
    Object.assign(bad.server_parameters, { env: { API_TOKEN: 'canary-4711-canary' } });
    await using desk = await open(bad, { servers: { s: bad, good } });
    await desk.computer.callTool({ tool: 'flood' });
    await eventually(() => expect(desk.messages().length).toBeGreaterThanOrEqual(1000));
    const start = Date.now();
    for (let count = 0; count < 20; count++) {
      expect(await desk.computer.callTool({ tool: 'echo', timeout: 20_000 })).not.toHaveProperty('isError');
    }
    const seconds = (Date.now() - start) / 1000;
    expect(desk.messages().length).toBeLessThanOrEqual(1001 * (seconds + 3) + 1000);
    expect(desk.computer.logs('s')).toHaveLength(200);
  });
});

describe('the level that an MCP server is asked for', () => {
  const levels = (computer: Computer) => computer.logs('s').map(({ level }) => level);
  const log = (computer: Computer, level: string) =>
    computer.callTool({ tool: 'log', params: { level, data: 'x', logger: 'part' } });

  test.each(['legacy', 'auto'] as const)(
    'an MCP server is asked for log messages from info on, or from serverLogLevel on (%s)',
    async era => {
      const server = sdkServer(bundled('asking-mcp-server'), era);
      await using usual = await open(server);
      for (const level of ['debug', 'info', 'error']) await log(usual.computer, level);
      await eventually(() => expect(levels(usual.computer)).toEqual(['info', 'error']));
      await using verbose = await open(server, { serverLogLevel: 'debug' });
      for (const level of ['debug', 'info', 'error']) await log(verbose.computer, level);
      await eventually(() => expect(levels(verbose.computer)).toEqual(['debug', 'info', 'error']));
    },
  );

  test('an MCP server that does not declare logging is asked for no level', async () => {
    await using desk = await open(scriptedServer({ tools: ['echo'], exit: 'unknown' }));
    expect(textOf(await desk.computer.callTool({ tool: 'echo' }))).toBe('{}');
    expect(desk.computer.status()[0]).toMatchObject({ state: 'ready', restarts: 0 });
  });

  test('an MCP server may refuse to set the level of its log messages', async () => {
    const initialize = { capabilities: { tools: {}, logging: {} } };
    await using desk = await open(scriptedServer({ tools: ['echo'], initialize }));
    expect(textOf(await desk.computer.callTool({ tool: 'echo' }))).toBe('{}');
    await eventually(() => expect(desk.logger.text()).toContain('does not set the level'));
    expect(desk.computer.status()[0]).toMatchObject({ state: 'ready', restarts: 0 });
  });
});

test('the simulated log messages of server-everything arrive, those below info do not', async () => {
  await using desk = await open(everything);
  const toggle = () => desk.computer.callTool({ tool: 'toggle-simulated-logging' });
  await eventually(async () => {
    await toggle();
    expect(desk.messages().length).toBeGreaterThan(2);
  });
  expect(desk.messages().every(({ level }) => level !== 'debug')).toBe(true);
  expect(desk.messages()[0]?.text).toMatch(/message/i);
});
