import { execFileSync } from 'node:child_process';
import { mkdirSync, realpathSync, renameSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Computer, readConfigFile } from '@a2c-smcp/computer';
import { describe, expect, test } from 'vitest';
import { verifies } from '../conformance/verifies.ts';
import { eventually, fixture, recordingLogger, scripted, textOf } from './office.ts';
import { temporaryFolder } from './temporary.ts';

function write(text: string | object): string {
  const path = join(temporaryFolder(), 'mcp.json');
  writeFileSync(path, typeof text === 'string' ? text : JSON.stringify(text));
  return path;
}

const claude = {
  mcpServers: { s: { command: process.execPath, args: [fixture], env: { A: '1' }, autoApprove: ['echo'] } },
};
const vscode = `{
  // written by hand
  "inputs": [{ "id": "key", "type": "promptString", "password": true }],
  "servers": {
    "s": { "type": "stdio", "command": ${JSON.stringify(process.execPath)}, "args": ["\${workspaceFolder}/x"], "dev": {} },
    "h": { "type": "http", "url": "http://127.0.0.1:9/mcp", "headers": { "Authorization": "Bearer \${input:key}" } },
    "e": { "type": "sse", "url": "http://127.0.0.1:9/sse" },
  },
}`;

describe('a configuration file', () => {
  test('a configuration file that is a pipe, a device, very large or very deep is refused at once', async () => {
    const pipe = join(temporaryFolder(), 'pipe.json');
    execFileSync('mkfifo', [pipe]);
    const large = write('');
    truncateSync(large, 100_000_000);
    await expect(readConfigFile(pipe)).rejects.toThrow('is a pipe or a device');
    await expect(readConfigFile('/dev/zero')).rejects.toThrow('is a pipe or a device');
    await expect(readConfigFile(large)).rejects.toThrow('has 95 MiB, more than 16');
    for (const levels of [513, 100_000]) {
      const deep = write(`${'['.repeat(levels)}${']'.repeat(levels)}`);
      await expect(readConfigFile(deep)).rejects.toThrow(`nested deeper than 512 levels, in '${deep}'`);
    }
  });

  verifies('config.file', async () => {
    const path = write({ inputs: [], servers: { s: { ...scripted({ tools: ['one'] }), name: 's' } } });
    await using computer = await Computer.open({ name: 'desk', configFile: path });
    expect(computer.tools.map(({ name }) => name)).toEqual(['one']);
    const wrong = write({ servers: { s: { ...scripted(), name: 't' } } });
    await expect(Computer.open({ name: 'desk', configFile: wrong })).rejects.toMatchObject({
      name: 'ConfigError',
      path: 'servers.s.name',
    });
  });

  test('a configuration file may be that of Claude Desktop or Cursor', async () => {
    await using computer = await Computer.open({ name: 'desk', configFile: write(claude) });
    expect(computer.status()).toMatchObject([{ name: 's', type: 'stdio', state: 'ready' }]);
    expect(await computer.callTool({ tool: 'echo' })).not.toHaveProperty('isError');
  });

  test('a configuration file may be that of VS Code, with comments and trailing commas', async () => {
    const path = write(vscode);
    const { inputs, servers } = await readConfigFile(path);
    expect(inputs).toEqual([{ id: 'key', type: 'promptString', password: true, description: 'key' }]);
    expect(servers).toMatchObject({
      s: { name: 's', type: 'stdio', server_parameters: { args: [join(path, '..', 'x')] } },
      h: { type: 'streamable', server_parameters: { headers: { Authorization: 'Bearer ${input:key}' } } },
      e: { type: 'sse' },
    });
  });

  test.each([
    ['{ "servers": ', '', /no valid JSON at line 1, column \d+: value expected, in /],
    [
      { servers: { s: { type: 'stdio', server_parameters: { comand: 'x' } } } },
      'servers.s.server_parameters.comand',
      /did you mean 'command'/,
    ],
    [{ servers: { s: { args: [] } } }, 'servers.s', /expected `command` or `url`/],
    [{ mcpServers: { s: { command: 1 } } }, 'mcpServers.s.command', /expected string/],
    [{ mcpServers: { s: { command: 'x', vrl: 1 } } }, 'mcpServers.s.vrl', /expected string/],
    [{ servers: [] }, 'servers', /expected an object/],
    [[], '', /expected an object/],
  ])('a wrong configuration file is refused by its field: %j', async (contents, field, problem) => {
    const path = write(contents);
    const failure = await readConfigFile(path).catch((error: unknown) => error);
    expect(failure).toMatchObject({ name: 'ConfigError', path: field });
    expect((failure as Error).message).toMatch(problem);
    expect((failure as Error).message).toContain(path);
  });
});

describe('the file of a project', () => {
  test.each(['.vscode', '.cursor'])('servers of a file in %s start in the folder of the project', async program => {
    const project = realpathSync(temporaryFolder());
    mkdirSync(join(project, program));
    writeFileSync(join(project, 'my.env'), 'A=from-file');
    const entry = {
      command: process.execPath,
      args: [fixture, '{"tools":["cwd","env"]}'],
      env: { PLACE: '${workspaceFolder}', NAME: '${workspaceFolderBasename}' },
      envFile: 'my.env',
      default_tool_meta: { auto_apply: true },
    };
    const path = join(project, program, 'mcp.json');
    writeFileSync(path, JSON.stringify({ mcpServers: { s: entry } }));
    await using computer = await Computer.open({ name: 'desk', configFile: path });
    expect(textOf(await computer.callTool({ tool: 'cwd' }))).toBe(project);
    expect(JSON.parse(textOf(await computer.callTool({ tool: 'env' })))).toMatchObject({
      PLACE: project,
      NAME: project.split('/').at(-1),
      A: 'from-file',
    });
  });

  test('forbidden tools of an entry in the form of another program are not offered', async () => {
    const entry = { command: process.execPath, args: [fixture, '{"tools":["one","two"]}'], forbidden_tools: ['one'] };
    await using computer = await Computer.open({ name: 'desk', configFile: write({ servers: { s: entry } }) });
    expect(computer.tools.map(({ name }) => name)).toEqual(['two']);
  });

  test('fields without effect are logged once', async () => {
    const logger = recordingLogger();
    const path = write({ servers: { s: { command: process.execPath, args: [fixture], trust: true } } });
    await using computer = await Computer.open({ name: 'desk', configFile: path, logger });
    await computer.reloadConfig();
    const warnings = logger.lines.filter(({ message }) => message.startsWith('Fields of the configuration file'));
    expect(warnings).toMatchObject([{ level: 'warn', fields: { fields: 'servers.s.trust' } }]);
  });
});

describe('a changed file', () => {
  const config = (tools: Record<string, string[]>) => ({
    servers: Object.fromEntries(
      Object.entries(tools).map(([name, list]) => [name, scripted({ tools: list }, { name })]),
    ),
  });
  const names = (computer: Computer) => computer.tools.map(({ name }) => name);

  test('a changed file starts, restarts and stops only the servers it concerns', async () => {
    const path = write(config({ a: ['a1'], b: ['b1'] }));
    await using computer = await Computer.open({ name: 'desk', configFile: path });
    await computer.addServer(scripted({ tools: ['mine'] }, { name: 'mine' }));
    const [a] = computer.status();
    writeFileSync(`${path}.new`, JSON.stringify(config({ c: ['c1'], a: ['a1'], b: ['b2'] })));
    renameSync(`${path}.new`, path);
    await eventually(() => expect(names(computer)).toEqual(['c1', 'a1', 'b2', 'mine']));
    expect(computer.status().find(({ name }) => name === 'a')).toEqual(a);
    writeFileSync(path, JSON.stringify(config({ a: ['a1'] })));
    await eventually(() => expect(names(computer)).toEqual(['a1', 'mine']));
    expect(computer.status().find(({ name }) => name === 'a')).toEqual(a);
  });

  test('a changed file that is broken changes nothing and is reported', async () => {
    const path = write(config({ a: ['a1'] }));
    await using computer = await Computer.open({ name: 'desk', configFile: path });
    const errors: Error[] = [];
    computer.on('configError', error => errors.push(error));
    writeFileSync(path, '{ "servers": { "a": { "type": "stdio" } } }');
    await eventually(() => expect(errors).toMatchObject([{ name: 'ConfigError' }]));
    expect(names(computer)).toEqual(['a1']);
    writeFileSync(path, JSON.stringify(config({ a: ['a2'] })));
    await eventually(() => expect(names(computer)).toEqual(['a2']));
  });

  test('a changed file that is empty while it is written is not reported', async () => {
    const path = write(config({ a: ['a1'] }));
    const logger = recordingLogger();
    await using computer = await Computer.open({ name: 'desk', configFile: path, logger });
    writeFileSync(path, '');
    await eventually(() => expect(logger.text()).toContain('The configuration file is read once more'));
    writeFileSync(path, JSON.stringify(config({ a: ['a2'] })));
    await eventually(() => expect(names(computer)).toEqual(['a2']));
    expect(logger.lines.filter(({ level }) => level === 'error')).toEqual([]);
  });

  test('a changed file that is broken is logged in one line without a stack', async () => {
    const path = write(config({ a: ['a1'] }));
    const logger = recordingLogger();
    await using _ = await Computer.open({ name: 'desk', configFile: path, logger });
    writeFileSync(path, '{ "servers": ');
    const errors = () => logger.lines.filter(({ level }) => level === 'error');
    await eventually(() => expect(errors()).toHaveLength(1));
    expect(errors()[0]?.fields?.error).toMatch(/^no valid JSON at line 1, column \d+/);
  });
});
