import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Computer } from '@a2c-smcp/computer';
import { SmcpServer } from '@a2c-smcp/server';
import { describe, expect, test } from 'vitest';
import { addToFile } from '../../packages/cli/src/commands/config/edit.ts';
import type { Terminal } from '../../packages/cli/src/output/terminal.ts';
import { fixture } from '../computer/office.ts';
import { temporaryFolder } from '../computer/temporary.ts';
import { a2c, startA2c } from './a2c.ts';

/** A home with files, and the configuration file that commands change in it. */
function home(files: Record<string, string | object> = {}) {
  const folder = temporaryFolder();
  for (const [name, contents] of Object.entries(files)) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, typeof contents === 'string' ? contents : JSON.stringify(contents));
  }
  const config = join(folder, '.config', 'a2c-smcp', 'mcp.json');
  return {
    config,
    run: (...words: string[]) => a2c(words, { env: { HOME: folder } }),
    env: { HOME: folder },
    read: () => JSON.parse(readFileSync(config, 'utf8')),
  };
}

/** A person who gives one answer to all questions. */
function person(answer: string): Terminal & { asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    size: { rows: 24, columns: 80 },
    async ask(question) {
      asked.push(question);
      return answer;
    },
    async readCommands() {},
    converse(run) {
      return run(this.ask);
    },
    status() {},
    openScreen() {
      throw new Error('There is no screen');
    },
  };
}

describe('a2c add and a2c remove', () => {
  test('a2c add writes a command that a2c computer starts without further options', async () => {
    const { run, env, config, read } = home();
    const added = await run('add', 'mine', '--auto-apply', '--', process.execPath, fixture, '{"tools":["one"]}');
    expect(added).toMatchObject({ code: 0, out: `Added 'mine' to ${config}` });
    expect(statSync(config).mode & 0o777).toBe(0o600);
    const server_parameters = { command: process.execPath, args: [fixture, '{"tools":["one"]}'] };
    const default_tool_meta = { auto_apply: true };
    expect(read()).toEqual({ servers: { mine: { type: 'stdio', server_parameters, default_tool_meta } } });
    await using server = await SmcpServer.listen({ port: 0 });
    const computer = startA2c(['computer', '--url', server.url, '--logs', 'pretty'], { env });
    await computer.shows('is in office');
    expect(computer.err).toMatch(/mine +ready +1/);
    await computer.stop();
  });

  test('a2c add writes URLs with headers, and defines the inputs that they need', async () => {
    const { run, read } = home();
    const { out } = await run(
      'add',
      'far',
      'https://h.example/mcp',
      '--header',
      'Authorization: Bearer ${input:token}',
    );
    expect(out).toContain("Its input 'token' is asked for");
    await run('add', 'old', 'https://h.example/sse', '--header', 'X-Key: ${input:token}');
    const headers = { Authorization: 'Bearer ${input:token}' };
    expect(read()).toMatchObject({
      inputs: [{ id: 'token', type: 'promptString', password: true }],
      servers: {
        far: { type: 'streamable', server_parameters: { url: 'https://h.example/mcp', headers } },
        old: { type: 'sse', server_parameters: { url: 'https://h.example/sse' } },
      },
    });
    expect(read().inputs).toHaveLength(1);
  });

  test('a2c remove also removes the inputs that only this MCP server used', async () => {
    const { run, read } = home();
    const add = (name: string, value: string) =>
      run('add', name, 'https://h.example/mcp', '--header', `X-Key: ${value}`);
    await add('one', '${input:own}${input:shared}${input:last}');
    await add('two', '${input:shared}');
    expect((await run('remove', 'one')).code).toBe(0);
    expect(read()).toMatchObject({ inputs: [{ id: 'shared' }], servers: { two: {} } });
    expect([read().inputs.length, Object.keys(read().servers).length]).toEqual([1, 1]);
  });

  test('a2c add does not replace an MCP server unless it is told to', async () => {
    const { run, read } = home();
    await run('add', 'x', '--', 'first');
    expect(await run('add', 'x', '--', 'second')).toMatchObject({ code: 2, err: expect.stringContaining('--replace') });
    expect((await run('add', 'x', '--replace', '--', 'second')).code).toBe(0);
    expect(read().servers.x.server_parameters).toEqual({ command: 'second' });
  });

  test('a2c add writes entries that the program of the file understands', async () => {
    const { run } = home();
    const path = join(temporaryFolder(), 'mcp.json');
    writeFileSync(path, '{\n\t"mcpServers": {\n\t\t"a": { "command": "a" } // kept\n\t}\n}\n');
    await run('add', 'b', '--config', path, '--env', 'K=v', '--', 'b', '-x');
    const text = readFileSync(path, 'utf8');
    expect(text).toContain('"a": { "command": "a" }, // kept\n\t\t"b": {\n\t\t\t"command": "b"');
    // No other program can express it.
    const encoded = { type: 'stdio', server_parameters: { command: 'c', encoding: 'latin1' } };
    await addToFile(path, { servers: { c: encoded } });
    expect(JSON.parse(readFileSync(path, 'utf8').replace('// kept', '')).mcpServers.c).toEqual(encoded);
    await using computer = await Computer.open({ name: 'desk', configFile: path });
    expect(computer.status().map(({ name }) => name)).toEqual(['a', 'b', 'c']);
  });

  test.each([
    [['add'], 'Which MCP server?'],
    [['add', 'x'], 'Which MCP server?'],
    [['add', 'x', 'http://h', 'more'], "Unexpected 'more' after the URL"],
    [['add', 'x', 'http://h', '--env', 'A=b'], '--env and --cwd are for a COMMAND'],
    [['add', 'x', '--header', 'A:b', '--', 'run'], '--header is for a URL'],
    [['remove'], 'Which MCP server?'],
    [['remove', 'x'], "has no MCP server 'x'"],
  ])('a2c %j is refused with its reason', async (words, reason) => {
    const { run } = home();
    expect(await run(...words)).toMatchObject({ code: 2, err: expect.stringContaining(reason) });
  });

  test('a2c remove removes what it names, and nothing when one name is wrong', async () => {
    const { run, read } = home();
    for (const name of ['one', 'two', 'three']) await run('add', name, '--', name);
    expect((await run('remove', 'one', 'twoo')).err).toContain("did you mean 'two'?");
    expect(Object.keys(read().servers)).toEqual(['one', 'two', 'three']);
    expect((await run('remove', 'one', 'two')).code).toBe(0);
    expect(Object.keys(read().servers)).toEqual(['three']);
  });
});

describe('a2c import', () => {
  const secrets = ['sk-literal', 'sk-header', 'sk-path', 'sk-toml', 'sk-yaml'];
  const programs = {
    '.config/Code/User/mcp.json': {
      inputs: [{ id: 'key', type: 'promptString', password: true }],
      servers: {
        vscode: { command: 'npx', env: { KEY: '${input:key}' } },
        web: { type: 'http', url: 'https://h.example/sk-path', headers: { Authorization: 'Bearer sk-header' } },
      },
    },
    '.config/Claude/claude_desktop_config.json': {
      globalShortcut: 'x',
      mcpServers: {
        desktop: { command: 'uvx', args: ['x'], env: { API_KEY: 'sk-literal' } },
        office: { command: 'npx', args: ['-y', 'a2c-smcp', 'bridge'] },
      },
    },
    '.claude.json': { numStartups: 1, mcpServers: { code: { command: 'x', env: { P: '${MY_PATH:-/}/m' } } } },
    '.cursor/mcp.json': { mcpServers: { vscode: { command: 'other' }, cursor: { command: 'x' } } },
    '.codex/config.toml': `
      model = "m"
      [mcp_servers.codex]
      command = "npx"
      args = ["-y", "docs"]
      env = { TOKEN = "sk-toml" }
      [mcp_servers.far]
      url = "https://far.example/mcp"
      bearer_token_env_var = "FAR_TOKEN"
      enabled = false
    `,
    '.config/goose/config.yaml': `
extensions:
  developer: { type: builtin, enabled: true }
  goose: { type: stdio, cmd: npx, args: [g], envs: { A: sk-yaml }, env_keys: [GH_TOKEN], enabled: true }
    `,
  };

  test('a2c import finds the files of all programs, shows no secret, and writes them in our form', async () => {
    const { run, env, config, read } = home(programs);
    const listed = await run('import');
    expect(listed).toMatchObject({ code: 2, err: expect.stringContaining('--yes') });
    const { code, out, err } = await run('import', '--yes');
    expect(code).toBe(0);
    for (const secret of secrets) expect(listed.out + listed.err + out + err).not.toContain(secret);
    expect(out).toMatch(/^vscode +Cursor +other +another has this name$/m);
    expect(out).toMatch(/^office +Claude Desktop +npx +leads to an office itself$/m);
    const { servers, inputs } = read();
    expect(Object.keys(servers)).toEqual(['vscode', 'web', 'desktop', 'code', 'cursor', 'codex', 'far', 'goose']);
    expect(inputs.map(({ id }: { id: string }) => id)).toEqual(['key', 'GH_TOKEN']);
    expect(servers).toMatchObject({
      vscode: { type: 'stdio', server_parameters: { command: 'npx', env: { KEY: '${input:key}' }, cwd: env.HOME } },
      web: { type: 'streamable', server_parameters: { headers: { Authorization: 'Bearer sk-header' } } },
      code: { server_parameters: { env: { P: '${env:MY_PATH}/m' } } },
      codex: { server_parameters: { command: 'npx', args: ['-y', 'docs'], env: { TOKEN: 'sk-toml' } } },
      far: { disabled: true, server_parameters: { headers: { Authorization: 'Bearer ${env:FAR_TOKEN}' } } },
      goose: { server_parameters: { command: 'npx', env: { A: 'sk-yaml', GH_TOKEN: '${input:GH_TOKEN}' } } },
    });
    expect(statSync(config).mode & 0o777).toBe(0o600);
    expect((await run('import', '--yes')).out).toMatch(/^codex +Codex +npx +there already$/m);
  });

  test('a2c import asks at a terminal and writes nothing without a yes', async () => {
    const { env, read } = home({ '.cursor/mcp.json': programs['.cursor/mcp.json'] });
    const no = person('n');
    expect(await a2c(['import'], { env, terminal: no })).toMatchObject({ code: 0, err: 'Nothing was written' });
    expect(no.asked).toEqual([expect.stringContaining('Add 2 to ')]);
    expect(read).toThrow('ENOENT');
    await a2c(['import'], { env, terminal: person('y') });
    expect(Object.keys(read().servers)).toEqual(['vscode', 'cursor']);
  });

  test('a2c import reads the file that is named, and goes on after one that it cannot read', async () => {
    const broken = 'extensions: { x: { envs: { A: sk-yaml }';
    const { run, env, read } = home({
      'my.json': programs['.cursor/mcp.json'],
      'my.yaml': broken,
      'my.toml': '= sk-toml',
    });
    const words = ['my.yaml', 'my.toml', 'my.json'].map(name => join(env.HOME, name));
    const { err } = await run('import', '--yes', ...words);
    expect(err).toMatch(/no valid YAML at line 1/);
    expect(err).toMatch(/no valid TOML at line 1/);
    for (const secret of secrets) expect(err).not.toContain(secret);
    expect(Object.keys(read().servers)).toEqual(['vscode', 'cursor']);
  });

  test('a2c import does not give the value of one input to a server that means another', async () => {
    const { run, env, read } = home({
      'a.json': {
        inputs: [{ id: 'key', type: 'promptString', description: 'A' }],
        servers: { a: { command: '${input:key}' } },
      },
      'b.json': {
        inputs: [{ id: 'key', type: 'promptString', description: 'B' }],
        servers: { b: { command: '${input:key}' } },
      },
    });
    const { out } = await run('import', '--yes', join(env.HOME, 'a.json'), join(env.HOME, 'b.json'));
    expect(out).toContain("another input is called 'key'");
    expect(Object.keys(read().servers)).toEqual(['a']);
  });

  test('a2c import --json lists what was found, without secrets', async () => {
    const { run } = home(programs);
    const { json, out } = await run('import', '--json', '--yes');
    expect(json<{ name: string }[]>()).toContainEqual(
      expect.objectContaining({ name: 'web', program: 'VS Code', how: 'https://h.example' }),
    );
    for (const secret of secrets) expect(out).not.toContain(secret);
  });
});
