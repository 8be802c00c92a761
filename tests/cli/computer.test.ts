import { appendFileSync, chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Agent } from '@a2c-smcp/agent';
import { apiKeys, SmcpServer } from '@a2c-smcp/server';
import { describe, expect, test } from 'vitest';
import type { Terminal } from '../../packages/cli/src/output/terminal.ts';
import { temporaryFolder } from '../computer/temporary.ts';
import { a2c, startA2c } from './a2c.ts';
import { configFile } from './config-file.ts';

describe('a2c computer as a service', () => {
  test('a2c computer joins with the tools of its configuration and the inputs of the command line', async () => {
    await using server = await SmcpServer.listen({ port: 0 });
    const config = configFile(undefined, { default_tool_meta: { auto_apply: true } });
    const words = [
      '--url',
      server.url,
      '--office',
      'o',
      '--name',
      'desk',
      '--config',
      config,
      '--input',
      'token=s3cret',
    ];
    const computer = startA2c(['computer', ...words]);
    await computer.shows("Computer 'desk' is in office 'o'");
    await using agent = await Agent.connect(server.url, { name: 'a', office: 'o' });
    const result = await agent.callTool({ computer: 'desk', tool: 'env', params: { name: 'TOKEN' } });
    expect(result.content[0]?.text).toContain('s3cret');
    expect(await computer.stop()).toMatchObject({ code: 0 });
    expect(computer.out + computer.err).not.toContain('s3cret');
    await expect.poll(() => agent.computers.size).toBe(0);
  });

  test('a2c computer without a terminal refuses tools that need a confirmation', async () => {
    await using server = await SmcpServer.listen({ port: 0 });
    const computer = startA2c(['computer', '--url', server.url, '--name', 'desk', '--config', configFile()]);
    await computer.shows("Computer 'desk'");
    await using agent = await Agent.connect(server.url, { name: 'a', office: 'demo' });
    const result = await agent.callTool({ computer: 'desk', tool: 'echo' });
    expect(result).toMatchObject({ isError: true, meta: { error_code: 4005 } });
    await computer.stop();
  });

  test('a2c computer waits for a Server that starts later', async () => {
    const former = await SmcpServer.listen({ port: 0 });
    const { url } = former;
    await former.close();
    const computer = startA2c([
      'computer',
      '--url',
      url,
      '--name',
      'desk',
      '--config',
      configFile(),
      '--logs',
      'pretty',
    ]);
    await computer.shows(`No Server answers at '${url}' (ECONNREFUSED). Retrying`);
    const port = Number(new URL(url).port);
    await using _server = await SmcpServer.listen({ port });
    await computer.shows("Computer 'desk' is in office 'demo'");
    expect(computer.err.match(/No Server answers/g)).toHaveLength(1);
    expect(computer.err).not.toContain('Connected');
    expect((await computer.stop()).code).toBe(0);
  });

  test('a2c computer that waits for a Server ends in order when it is stopped', async () => {
    const computer = startA2c(['computer', '--url', 'http://127.0.0.1:1', '--name', 'desk']);
    await computer.shows('No Server answers; the Computer retries');
    expect((await computer.stop()).code).toBe(0);
    for (const line of computer.err.split('\n')) expect(JSON.parse(line)).toHaveProperty('level');
  });

  test('a2c computer --no-wait fails before MCP servers start, and so does a wrong address', async () => {
    const started = join(temporaryFolder(), 'started');
    const server_parameters = { command: process.execPath, args: ['-e', `fs.writeFileSync('${started}', '')`] };
    const path = join(temporaryFolder(), 'mcp.json');
    writeFileSync(path, JSON.stringify({ servers: { s: { type: 'stdio', server_parameters } } }));
    const refused = await a2c(['computer', '--url', 'http://127.0.0.1:1', '--no-wait', '--config', path]);
    expect(existsSync(started)).toBe(false);
    expect(refused).toMatchObject({
      code: 1,
      err: expect.stringMatching(/No Server answers .*'a2c server' starts one/),
    });
    const wrong = await a2c(['computer', '--url', 'nonsense', '--config', path]);
    expect(wrong).toMatchObject({ code: 2, err: expect.stringContaining("--url: 'nonsense' is no URL") });
  });

  test('a2c computer does not wait when a Server refuses it', async () => {
    await using server = await SmcpServer.listen({ port: 0, authenticate: apiKeys('right') });
    const { code, err } = await a2c(['computer', '--url', server.url, '--key', 'wrong']);
    expect(code).toBe(1);
    expect(err).toContain('credentials are given with --key');
  });

  test('a2c computer reports a lost connection and the reconnect', async () => {
    const first = await SmcpServer.listen({ port: 0, gracePeriod: 0 });
    const port = Number(new URL(first.url).port);
    const computer = startA2c(['computer', '--url', first.url, '--name', 'desk', '--logs', 'pretty']);
    await computer.shows("Computer 'desk'");
    await first.close();
    await computer.shows('The connection is lost');
    await using _second = await SmcpServer.listen({ port });
    await computer.shows('Connected');
    expect((await computer.stop()).code).toBe(0);
  });
});

describe('inputs of a2c computer', () => {
  interface Session {
    /** Further words of the command line. */
    words?: string[];
    env?: Record<string, string>;
    /** Answers by question; other questions are answered with 'y'. */
    answers?: Record<string, string>;
    /** Gets the lines of earlier sessions that the terminal offers. */
    onHistory?: (lines: readonly string[]) => void;
  }

  /** Types lines into the shell of a Computer without a connection and returns the questions and the output. */
  async function shell(config: string, lines: string[], session: Session = {}): Promise<string> {
    const { words = [], env = {}, answers = {}, onHistory = () => {} } = session;
    const asked: string[] = [];
    const terminal: Terminal = {
      size: { rows: 24, columns: 80 },
      async ask(question) {
        asked.push(question);
        return answers[question.replace(/^\? | \[.*|: $/g, '')] ?? 'y';
      },
      async readCommands(reader, signal) {
        onHistory(reader.history ?? []);
        for (const line of [...lines, 'quit']) await reader.onLine(line, signal);
      },
      converse(run) {
        return run(this.ask);
      },
      status() {},
      openScreen() {
        throw new Error('There is no screen');
      },
    };
    const computer = ['computer', '--offline', '--config', config, '--log-level', 'off', ...words];
    const { out, err } = await a2c(computer, { terminal, env });
    return [...asked, out, err].join('\n');
  }

  /** The row of `inputs value list` about the input `token`. */
  async function sourceOf(session: Session, lines: string[] = []): Promise<string[]> {
    const shown = await shell(configFile(), [...lines, 'inputs value list'], session);
    return shown.split('\n').filter(line => /^token /.test(line));
  }

  test.each(['A2C_SMCP_token', 'A2C_SMCP_TOKEN', 'A2C_SMCP_token_scripted', 'A2C_SMCP_TOKEN_SCRIPTED'])(
    '--input wins over the variable %s',
    async variable => {
      const session = { words: ['--input', 'token=from-the-line'], env: { [variable]: 'from-the-environment' } };
      const shown = await shell(configFile(), ['call env'], session);
      expect(shown).toContain('from-the-line');
      expect(shown).not.toContain('from-the-environment');
      expect(await sourceOf(session)).toEqual([expect.stringMatching(/^token +--input +\(hidden\)$/)]);
    },
  );

  test.each(['A2C_SMCP_token', 'A2C_SMCP_TOKEN', 'A2C_SMCP_token_scripted', 'A2C_SMCP_TOKEN_SCRIPTED'])(
    'inputs value list names the variable %s as the source',
    async variable => {
      const rows = await sourceOf({ env: { [variable]: 'from-the-environment' } });
      expect(rows).toEqual([expect.stringMatching(new RegExp(`^token +${variable} +\\(hidden\\)$`))]);
    },
  );

  test('inputs value list names the store and the default as sources', async () => {
    expect(await sourceOf({ answers: { 'The token': 'typed' } })).toEqual([
      expect.stringMatching(/^token +store +\(hidden\)$/),
    ]);
    expect(await sourceOf({ answers: { 'The token': '' } }, ['inputs value clear'])).toEqual([
      expect.stringMatching(/^token +default +\(hidden\)$/),
    ]);
  });

  test('inputs value list has a row per source when MCP servers get different values', async () => {
    const config = configFile();
    const other = JSON.parse(readFileSync(config, 'utf8').replace(/^.*\n/, '')).servers.scripted;
    const add = `server add ${JSON.stringify({ name: 'other', ...other })}`;
    const env = { A2C_SMCP_token: 'general', A2C_SMCP_token_other: 'special' };
    const shown = await shell(config, [add, 'inputs value list'], { env });
    expect(shown).toMatch(/^token +A2C_SMCP_token +\(hidden\)\ntoken +A2C_SMCP_token_other +\(hidden\)$/m);
  });

  test.each([
    [{ words: ['--input', 'token=line'] }, "'token' is stored, but --input wins over it"],
    [{ env: { A2C_SMCP_token: 'env' } }, "'token' is stored, but A2C_SMCP_token wins over it"],
    [{ answers: { 'The token': 'typed' } }, "'scripted' runs with the former value until 'start scripted'"],
  ])('inputs value set says what the value changes: %j', async (session, expected) => {
    expect(await shell(configFile(), ['inputs value set token other'], session)).toContain(expected);
  });

  test('commands of earlier sessions are offered again from a private file without secrets', async () => {
    const folder = temporaryFolder();
    const file = join(folder, 'state', 'history');
    const words = ['--input', 'token=s3cret-value', '--history', file];
    const kept = ['status', 'call env name=HOME', 'inputs value list'];
    const dropped = [
      ...['hunter2-typed-too-early', ' status --quietly', 'call env password=hunter2', 'call env name=s3cret-value'],
      'inputs value set token hunter2',
      `server add ${JSON.stringify({ name: 'x', type: 'stdio', disabled: true, server_parameters: { command: 'x', env: { A: 'hunter2' } } })}`,
      'tc {"tool_name": "env", "params": {"name": "hunter2"}}',
      'socket connect http://user:hunter2@127.0.0.1:1 demo',
      'render hunter2',
      `inputs add ${JSON.stringify({ id: 'x', type: 'promptString', description: 'x', default: 'hunter2' })}`,
    ];
    let offered: readonly string[] = [];
    const onHistory = (lines: readonly string[]) => {
      offered = lines;
    };
    const session: Session = { words, onHistory };
    await shell(configFile(), [...kept, ...dropped, 'status', 'status'], session);
    expect(offered).toEqual([]);
    expect(readFileSync(file, 'utf8')).toBe([...kept, 'status', ''].join('\n'));
    if (process.platform !== 'win32') {
      expect(statSync(file).mode & 0o777).toBe(0o600);
      expect(statSync(dirname(file)).mode & 0o777).toBe(0o700);
      chmodSync(file, 0o644);
    }
    appendFileSync(file, `\u001b]0;evil\u0007\n${'status\n'.repeat(1000)}`);
    await shell(configFile(), [], session);
    expect(offered).toHaveLength(500);
    expect(readFileSync(file, 'utf8')).toBe('status\n'.repeat(500));
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(await shell(configFile(), ['status'], { words: ['--history', folder, '--log-level', 'warn'] })).toMatch(
      /scripted +ready[\s\S]*The history of the shell is not kept.*EISDIR/,
    );
    await shell(configFile(), ['status'], { words: ['--history', 'off'], env: { HOME: folder } });
    expect(existsSync(join(folder, '.config/a2c-smcp/history'))).toBe(false);
  });

  test('render names placeholders that mean nothing', async () => {
    const shown = await shell(configFile(), ['render ${input:nope} ${env:NO_SUCH} ${userHome}']);
    expect(shown).toContain("There is no input 'nope'");
    expect(shown).toContain("The environment has no variable 'NO_SUCH'");
  });

  test('mistakes in the shell are explained without its quoting, and stderr says when it has nothing', async () => {
    const shown = await shell(configFile(), ['tc {bad', 'stderr scripted', 'stop scripted']);
    expect(shown).toContain('tc: no valid JSON at position 1; write it as in {"key": "value"}');
    expect(shown).toContain("'scripted' has written nothing");
    expect(shown).toMatch(/^scripted +disabled +0 /m);
  });

  test('server NAME shows an MCP server and its instructions, without control characters', async () => {
    const instructions = 'Call echo first.\n\u001b[31mThen rest.';
    const shown = await shell(configFile({ initialize: { instructions } }), [
      'server scripted',
      'server nope',
      'server',
    ]);
    expect(shown).toMatch(/^scripted +ready/m);
    expect(shown).toMatch(/^Type +stdio, process \d+$/m);
    expect(shown).toMatch(/^MCP +of 2025 or before$/m);
    expect(shown).toMatch(/^ {2}Call echo first\.\n {2}\[31mThen rest\.$/m);
    expect(shown).toContain("There is no MCP server 'nope': 'status' lists them");
    expect(shown).toContain("Which MCP server? 'status' lists them");
  });

  test('the shell counts the tools that are offered, and says when there are none', async () => {
    const hidden = configFile({ tools: ['env', 'echo'] }, { forbidden_tools: ['env', 'echo'] });
    const shown = await shell(hidden, ['status', 'tools']);
    expect(shown).toMatch(/^scripted +ready +0 /m);
    expect(shown).toContain("No tools: 'status' shows the MCP servers");
  });

  test('the shell lists tools by MCP server, filters them by words, and shows one in full', async () => {
    const inputSchema = { type: 'object', properties: { path: { type: 'string', description: 'A file' } } };
    const read = { name: 'read_file', description: 'Reads a file. '.repeat(20), inputSchema };
    const shown = await shell(configFile({ tools: ['echo', read] }), [
      'tools',
      'tools file READ',
      'tools nothing',
      'tool read_file',
      'tool nope',
    ]);
    const [all = '', some = '', none = '', one = ''] = shown.split(/^(?=scripted {2}|None of|read_file$)/m).slice(1);
    expect(all).toMatch(/^scripted {2}2 tools, about .* tokens\n {2}echo/);
    expect(some).toMatch(/^scripted {2}1 tool, .*\n {2}read_file path\?\n {6}Reads a file/);
    expect(none).toMatch(/^None of 2 tools mentions nothing/);
    expect(one).toMatch(/^Parameters\n {2}path {2}string\n {8}A file\n\nExample\n {2}call read_file path=/m);
    expect(shown).toContain("No tool 'nope' here: 'tools' lists them");
  });

  test('server add and server rm change the configuration file, with its comments', async () => {
    const config = configFile();
    const entry = JSON.parse(readFileSync(config, 'utf8').replace(/^.*\n/, '')).servers.scripted;
    const add = `server add ${JSON.stringify({ name: 'other', ...entry })}`;
    const shown = await shell(config, [add, 'server rm scripted', 'status'], { answers: { 'The token': 't' } });
    expect(shown).toContain(`Written to ${config}`);
    expect(shown).toContain(`Removed 'scripted' from ${config}`);
    expect(shown).toMatch(/^other +ready/m);
    const text = readFileSync(config, 'utf8');
    expect(text).toMatch(/^\/\/ what this machine offers\n/);
    expect(JSON.parse(text.replace(/^.*\n/, '')).servers).toEqual({ other: entry });
  });

  test('server add says that a server of another file, or without a file, is not kept', async () => {
    const other = configFile({ tools: ['x'] });
    writeFileSync(other, readFileSync(other, 'utf8').replace('"scripted"', '"other"'));
    const config = configFile();
    const before = readFileSync(config, 'utf8');
    const shown = await shell(config, [`server add @${other}`, 'server rm other', 'status']);
    expect(shown).toContain(`They stay until this Computer ends; 'a2c import ${other}' keeps them`);
    expect(shown.split("Removed 'other'").at(-1)).not.toMatch(/^other /m);
    expect(readFileSync(config, 'utf8')).toBe(before);
  });

  test('inputs keep their values when another input is defined', async () => {
    const config = configFile();
    const more = JSON.stringify({ id: 'more', type: 'promptString', description: 'More', default: 'x' });
    const define = [`inputs add ${more}`, 'inputs value clear', 'start scripted', 'call env'];
    const shown = await shell(config, define, { answers: { 'The token': '' } });
    expect(shown).toContain('2 inputs');
    expect(shown).toMatch(/"?TOKEN\\?": ?\\?"none/);
  });

  test('an input is asked for again by an MCP server that is added from another file', async () => {
    const other = configFile({ tools: ['other-env'] });
    writeFileSync(other, readFileSync(other, 'utf8').replace('"scripted"', '"other"'));
    const shown = await shell(configFile(), [`server add @${other}`], { answers: { 'The token': 'typed' } });
    expect(shown.match(/The token/g)).toHaveLength(2);
  });
});
