import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Agent } from '@a2c-smcp/agent';
import { RawPeer } from '@a2c-smcp/testing';
import { describe, expect, test } from 'vitest';
import type { ComputerSession } from '../../packages/cli/src/commands/computer/session.ts';
import { completeLine } from '../../packages/cli/src/commands/computer/shell/shell.ts';
import { a2c, startA2c } from '../cli/a2c.ts';
import { configFile } from '../cli/config-file.ts';
import { hasPseudoTerminal, Key } from '../cli/pseudo-terminal.ts';
import { startService } from '../cli/service.ts';
import { openShell } from '../cli/shell.ts';
import { eventually, expectGone, openComputer } from '../computer/office.ts';
import { temporaryFolder } from '../computer/temporary.ts';
import { EVIL, openEvilServer, STEERS } from './evil-server.ts';

const LONG_NAME = 'n'.repeat(250);

/** Lets a Server write two lines of 700 bytes in each round, for a join and a leave. Stays below its rate limit. */
async function fillLog(url: string, rounds: number): Promise<void> {
  await using peer = await RawPeer.connect(url);
  for (let round = 0; round < rounds; round++) {
    await Promise.all([peer.enter('computer', LONG_NAME, LONG_NAME), peer.leave(LONG_NAME)]);
    if (round % 10 === 9) await delay(20);
  }
}

describe('standard error', () => {
  test('a reader that stops neither blocks a Server nor lets it grow, and later learns how many lines it missed', async () => {
    await using server = startService(['server', '--port', '0'], { readsErrors: false });
    const [, url = ''] = await server.line(/Server on (\S+)/);
    await using computer = await openComputer({ scripted: { tools: ['echo'] } });
    await computer.join(url, { office: 'o' });
    await using agent = await Agent.connect(url, { name: 'a', office: 'o' });
    await fillLog(url, 1000);
    const start = performance.now();
    expect((await fetch(`${url}/health`)).status).toBe(200);
    expect((await agent.callTool({ computer: 'desk', tool: 'echo', params: { n: 1 } })).isError).toBeFalsy();
    expect(performance.now() - start).toBeLessThan(5000);
    server.readErrors();
    await eventually(() => expect(/"message":"Log lines were dropped","count":\d+/.test(server.err)).toBe(true));
    const lines = server.err.split('\n').filter(line => line.includes(LONG_NAME)).length;
    const dropped = Number(/dropped","count":(\d+)/.exec(server.err)?.[1]);
    expect(lines + dropped).toBe(2000);
    expect(server.err.length).toBeLessThan(1_200_000);
    server.child.kill('SIGTERM');
    expect(await server.ended).toEqual([0, null]);
  });

  test('a Server whose log is not read ends on SIGTERM all the same', async () => {
    await using server = startService(['server', '--port', '0'], { readsErrors: false });
    const [, url = ''] = await server.line(/Server on (\S+)/);
    await fillLog(url, 400);
    server.child.kill('SIGTERM');
    expect(await server.ended).toEqual([0, null]);
  });

  test.runIf(existsSync('/dev/full'))('a Server outlives a full disk under its log', async () => {
    await using server = startService(['server', '--port', '0'], { errorsTo: '/dev/full' });
    const [, url = ''] = await server.line(/Server on (\S+)/);
    await fillLog(url, 5);
    expect((await fetch(`${url}/health`)).status).toBe(200);
    server.child.kill('SIGTERM');
    expect(await server.ended).toEqual([0, null]);
  });

  test('a Server outlives the readers of its standard output and standard error', async () => {
    await using server = startService(['server', '--port', '0']);
    const [, url = ''] = await server.line(/Server on (\S+)/);
    server.child.stdout?.destroy();
    server.child.stderr?.destroy();
    await fillLog(url, 5);
    expect((await fetch(`${url}/health`)).status).toBe(200);
    server.child.kill('SIGTERM');
    expect(await server.ended).toEqual([0, null]);
  });
});

describe('what peers send', () => {
  test.each([
    ['members'],
    ['tools'],
    ['tool', 'run'],
    ['config'],
    ['resources'],
    ['prompts'],
    ['prompts', 'calm'],
    ['call', 'run'],
    ['call', 'calculate'],
    ['desktop'],
    ['finder'],
    ['read', 'dpe://h/d'],
    ['read', 'file:///x'],
    ['skills'],
    ['skill', 'x'],
    ['skill', 'x', 'evil.bin'],
  ])('cannot steer the terminal of a2c agent %s %s', async (...words) => {
    await using server = await openEvilServer();
    const shown = await a2c(['agent', ...words, '--url', server.url]);
    expect(shown.out + shown.err).toMatch(/evil|calculat/);
    expect(shown.out + shown.err).not.toMatch(STEERS);
    const json = await a2c(['agent', ...words, '--url', server.url, '--json']);
    expect(json.out + json.err).not.toMatch(/(?!\n)[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u);
    if (json.code === 0) json.json();
  });

  test('is shown where a description, a limit or a type cannot become a text', async () => {
    const odd = { toString: 0 };
    const params_schema = { type: 'object', properties: { a: { description: odd, format: odd, pattern: odd } } };
    await using server = await openEvilServer({
      'client:get_tools': () => ({ tools: [{ name: 'run', description: '', params_schema, return_schema: null }] }),
      'client:tool_call': () => ({
        content: [
          { type: 'image', mimeType: odd, data: 'AAAA' },
          { type: 'resource', resource: { uri: odd, mimeType: odd, text: 'evil' } },
        ],
      }),
    });
    for (const words of [
      ['tool', 'run'],
      ['call', 'run'],
    ]) {
      const { code, out } = await a2c(['agent', ...words, '--url', server.url]);
      expect([code, out]).toEqual([0, expect.stringContaining('{"toString":0}')]);
    }
  });

  test('cannot steer the terminal through names in errors', async () => {
    const refused = () => ({ code: 404, message: EVIL, error: { code: 404, message: EVIL } });
    await using server = await openEvilServer({ 'client:get_desktop': refused, 'client:get_tools': refused });
    for (const words of [['desktop'], ['tools'], ['call', 'x'], ['desktop', '-c', 'a']]) {
      const { code, err } = await a2c(['agent', ...words, '--url', server.url]);
      expect(code).not.toBe(0);
      expect(err).not.toMatch(STEERS);
      expect(err.split('\n')).toHaveLength(1);
    }
  });

  test('cannot steer the terminal of a2c agent watch', async () => {
    let listed = 0;
    const tool = { description: EVIL, params_schema: {}, return_schema: null };
    const tools = () => ({ tools: [{ ...tool, name: `${listed++}${EVIL}` }] });
    await using server = await openEvilServer({ 'client:get_tools': tools });
    const watch = startA2c(['agent', 'watch', '--url', server.url]);
    await watch.shows('Watching office');
    server.io.of('/smcp').emit('notify:enter_office', { office_id: 'demo', computer: `desk${EVIL}` });
    server.io.of('/smcp').emit('notify:update_tool_list', { computer: `desk${EVIL}` });
    await watch.shows('tools');
    await watch.stop();
    expect(watch.out + watch.err).not.toMatch(STEERS);
  });

  test('a tool with a broken schema does not hide the others', async () => {
    const tool = { description: '', return_schema: null };
    const schemas = [
      { properties: { a: null, b: 1 }, required: ['a', 'b'] },
      { properties: 5, required: {} },
      { properties: [null] },
    ];
    const tools = () => ({
      tools: schemas.map((params_schema, at) => ({ ...tool, name: `tool-${at}`, params_schema })),
    });
    await using server = await openEvilServer({ 'client:get_tools': tools }, 'desk');
    const { code, out } = await a2c(['agent', 'tools', '--url', server.url]);
    expect({ code, lines: out.split('\n').length }).toEqual({ code: 0, lines: 4 });
  });

  test('names of tools and parameters that steer the terminal are not completed', async () => {
    const inputSchema = { type: 'object', properties: { [`a${EVIL}`]: {}, abc: {} } };
    const many = Array.from({ length: 5000 }, (_, at) => `many${at}`);
    const tools = [{ name: `ev${EVIL}` }, { name: 'even' }, { name: 'evening', inputSchema }, ...many];
    await using computer = await openComputer({ scripted: { tools } });
    const session = { computer } as ComputerSession;
    expect(completeLine('call ev', session)).toEqual([['even ', 'evening '], 'ev']);
    expect(completeLine('call evening a', session)).toEqual([['abc='], 'a']);
    expect(completeLine('call many', session)[0].length).toBeLessThanOrEqual(500);
  });

  test('a name of 2 MB becomes a short line, an error included', async () => {
    const long = 'x'.repeat(2_000_000);
    const refused = () => ({ code: 404, message: long, error: { code: 404, message: long } });
    const tools = () => ({ tools: [{ name: long, description: long, params_schema: {}, return_schema: null }] });
    await using server = await openEvilServer({ 'client:get_desktop': refused, 'client:get_tools': tools }, 'desk');
    const agent = (...words: string[]) => a2c(['agent', ...words, '--url', server.url]);
    expect((await agent('tools')).out.length).toBeLessThan(1000);
    expect((await agent('tool', long)).out.length).toBeLessThan(30_000);
    expect((await agent('desktop')).err.length).toBeLessThan(3000);
    expect((await agent('call', 'xxxx')).err.length).toBeLessThan(3000);
  });
});

describe.runIf(hasPseudoTerminal)('confirmations', () => {
  const size = { rows: 24, columns: 80 };

  test('a call with 5,000 parameters takes one screen, names tool and server last, and can be seen in full', async () => {
    await using shell = await openShell(configFile(), size);
    const { terminal, server } = shell;
    await using agent = await Agent.connect(server.url, { name: 'a', office: 'demo' });
    const params = Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`name-${at}`, `value-${at}`]));
    const before = terminal.length;
    const call = agent.callTool({ computer: 'desk', tool: 'echo', params });
    await terminal.shows('[v]iew all:', before);
    const shown = terminal.screen.slice(before);
    expect(shown).toMatch(/… 4,98\d more parameters; 'v' shows all\n +Run echo of scripted\? \[y\]es/);
    expect(shown.slice(shown.indexOf('? Tool echo')).split('\n').length).toBeLessThanOrEqual(size.rows);
    const from = terminal.length;
    terminal.type(`v${Key.enter}`);
    await terminal.shows(/name-10 +"value-10"[\s\S]*Run echo of scripted\?/, from);
    const later = terminal.length;
    terminal.type(`v${Key.enter}`);
    await terminal.shows(/name-30 +"value-30"[\s\S]*Run echo of scripted\?/, later);
    terminal.type(`n${Key.enter}`);
    expect(await call).toMatchObject({ isError: true, meta: { error_code: 4005 } });
  });

  test('"y" typed as one question replaces another does not answer the new one', async () => {
    const log = join(temporaryFolder(), 'messages');
    await using shell = await openShell(configFile({ tools: ['echo', 'other'], log }));
    const { terminal, server } = shell;
    await using agent = await Agent.connect(server.url, { name: 'a', office: 'demo' });
    const cancelled = new AbortController();
    const first = agent.callTool({ computer: 'desk', tool: 'echo' }, { signal: cancelled.signal });
    await terminal.shows('Run echo of scripted?');
    const second = agent.callTool({ computer: 'desk', tool: 'other' });
    const from = terminal.length;
    // At the moment at which the second is described, before its question.
    terminal.onceShown('Tool other of MCP server scripted', () => terminal.type(`y${Key.enter}`));
    cancelled.abort();
    await first;
    await terminal.shows('Run other of scripted?', from);
    terminal.type(`n${Key.enter}`);
    expect(await second).toMatchObject({ isError: true, meta: { error_code: 4005 } });
    expect(readFileSync(log, 'utf8')).not.toContain('tools/call');
  });

  test.each(['exec', 'shell'])(
    'a terminal that is closed under %s ends a Computer and its MCP servers in order',
    async under => {
      const exitCodeFile = join(temporaryFolder(), 'code');
      const config = configFile({ tools: ['pids'], spawn: 1 }, { default_tool_meta: { auto_apply: true } });
      await using shell = await openShell(config, under === 'shell' ? { exitCodeFile } : {});
      await using agent = await Agent.connect(shell.server.url, { name: 'a', office: 'demo' });
      const result = await agent.callTool({ computer: 'desk', tool: 'pids' });
      const pids: number[] = JSON.parse(String(result.content[0]?.text));
      shell.terminal.hangUp();
      await expectGone(pids);
      // 128 and the number of SIGHUP: neither a crash nor an abort.
      if (under === 'shell') await eventually(() => expect(readFileSync(exitCodeFile, 'utf8')).toBe('129\n'));
    },
  );

  test('a terminal that ends while a question is open runs no tool', async () => {
    const log = join(temporaryFolder(), 'messages');
    await using shell = await openShell(configFile({ tools: ['echo'], log }));
    const { terminal, server } = shell;
    await using agent = await Agent.connect(server.url, { name: 'a', office: 'demo' });
    const call = agent.callTool({ computer: 'desk', tool: 'echo' });
    await terminal.shows('Run echo of scripted?');
    terminal.type(Key.ctrlD);
    await expect(
      call.then(
        ({ isError }) => isError === true,
        () => true,
      ),
    ).resolves.toBe(true);
    expect(await terminal.ended).toBe(0);
    expect(readFileSync(log, 'utf8')).not.toContain('tools/call');
  });
});
