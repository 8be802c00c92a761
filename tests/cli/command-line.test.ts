import { execFileSync, spawnSync } from 'node:child_process';
import { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { apiKeys, SmcpServer } from '@a2c-smcp/server';
import { describe, expect, test } from 'vitest';
import { createStyle } from '../../packages/cli/src/output/style.ts';
import { openOffice } from '../computer/office.ts';
import { temporaryFolder } from '../computer/temporary.ts';
import { root } from '../packages.ts';
import { a2c } from './a2c.ts';

const commands = [
  'demo',
  'server',
  'computer',
  'doctor',
  'vrl',
  'explain',
  'completion',
  ...[
    'members',
    'tools',
    'tool',
    'call',
    'config',
    'resources',
    'prompts',
    'put',
    'desktop',
    'finder',
    'read',
    'skills',
    'skill',
    'watch',
  ].map(name => `agent ${name}`),
  ...['install', 'uninstall', 'status', 'logs'].flatMap(name => [`computer ${name}`, `server ${name}`]),
];

describe('help', () => {
  test.each(commands)('a2c %s --help shows usage, options and exits 0', async command => {
    const { code, out } = await a2c([...command.split(' '), '--help']);
    expect(code).toBe(0);
    expect(out).toContain(`Usage  a2c ${command}`);
    expect(out).toContain('--help');
  });

  test('a2c help COMMAND shows the help of that command', async () => {
    for (const words of [['agent'], ['agent', 'call'], ['server']]) {
      const { code, out } = await a2c(['help', ...words]);
      expect(code).toBe(0);
      expect(out).toBe((await a2c([...words, '--help'])).out);
    }
    expect((await a2c(['agent', 'help', 'call'])).out).toContain('Usage  a2c agent call');
  });

  test.each(commands)('a2c %s --help is wrapped at words at 40 columns', async command => {
    const narrow = { style: createStyle({ colour: false, width: 40 }) };
    const { out } = await a2c([...command.split(' '), '--help'], narrow);
    const [text = ''] = out.split('\nExamples\n');
    const tooLong = text.split('\n').filter(line => line.length > 40 && line.trim().includes(' '));
    expect(tooLong).toEqual([]);
  });

  test('a2c without arguments lists the commands and exits with 2', async () => {
    const { code, out } = await a2c([]);
    expect(code).toBe(2);
    expect(out).toMatch(/demo .*\n.*server .*\n.*computer .*\n.*agent .*\n.*audit .*\n.*doctor/);
  });

  test('--version prints the version of the package', async () => {
    expect((await a2c(['--version'])).out).toMatch(/^\d+\.\d+\.\d+$/);
  });
});

describe('a2c explain', () => {
  test('a2c explain tells the cause of a code or its name, and lists all codes without one', async () => {
    const { code, out } = await a2c(['explain', '4005']);
    expect(code).toBe(0);
    expect(out).toMatch(/^4005 ConfirmationRequired\nThe Computer's owner declined, could not be asked/);
    expect((await a2c(['explain', 'OfficeFull'])).out).toMatch(/^4101 OfficeFull\n/);
    expect((await a2c(['explain'])).out).toMatch(/^400 BadRequest .*\n(.*\n)+4204 InvalidDpeUri /);
    expect((await a2c(['explain', '4101', '--json'])).json()).toMatchObject({ code: 4101, name: 'OfficeFull' });
    expect(await a2c(['explain', '9'])).toMatchObject({ code: 2, err: expect.stringContaining("error code '9'") });
  });
});

describe('bad input', () => {
  const folder = () => temporaryFolder();
  const file = (text: string) => {
    const path = join(folder(), 'mcp.json');
    writeFileSync(path, text);
    return path;
  };

  const pipe = () => {
    const path = join(folder(), 'mcp.json');
    execFileSync('mkfifo', [path]);
    return path;
  };
  const sparse = (size: number) => {
    const path = file('');
    truncateSync(path, size);
    return path;
  };

  test.each([
    ['an unknown command', ['serve'], "Unknown command 'a2c serve': did you mean 'a2c server'?"],
    ['an unknown option', ['server', '--prot', '1'], "Unknown option '--prot': did you mean '--port'?"],
    ['an option without its value', ['server', '--port'], "Option '--port' needs a value after it"],
    ['an option before its value', ['server', '--key', '-p', '1'], "Option '--key' needs a value; write --key=-x"],
    ['a value for a switch', ['demo', '--exit=1'], "Option '--exit' takes no value"],
    ['a word too many', ['server', 'now'], "Unexpected 'now': this command takes options only"],
    ['an invalid port', ['server', '--port', '70000'], "--port: '70000' is not an integer from 0 to 65535"],
    ['an unknown limit', ['server', '--limit', 'x=1'], "--limit: 'x' is not a limit; there are messageBytes"],
    [
      'a public Server without credentials',
      ['server', '--host', '0.0.0.0'],
      'Other machines could connect without credentials: add --key',
    ],
    ['auth without a pair', ['agent', 'members', '--auth', 'x'], "--auth: not a 'key:value'"],
    ['no tool', ['agent', 'call'], "Which tool? 'a2c agent tools' lists them"],
    ['nothing to check', ['doctor'], 'What to check? Give --config FILE, --url URL or both'],
  ])('%s is reported in one line with the remedy', async (_what, words, message) => {
    const { code, out, err } = await a2c(words);
    expect({ code, out, lines: err.split('\n').length }).toEqual({ code: 2, out: '', lines: 1 });
    expect(err).toContain(message);
  });

  test.each([
    ['a missing file', () => join(folder(), 'mcp.json'), /There is no file '.*mcp\.json': check the path/],
    ['broken JSON', () => file('{ "servers": '), /no valid JSON at line 1, column 1\d: .*, in '.*mcp\.json'/],
    ['an unknown field', () => file('{ "servers": {}, "server": 1 }'), /server.*, in '.*mcp\.json'/],
    ['a folder', folder, /A folder was given where a file is needed/],
  ])('%s as configuration is reported in one line with the remedy', async (_what, path, message) => {
    const { code, err } = await a2c(['computer', '--config', path()]);
    expect({ code, lines: err.split('\n').length }).toEqual({ code: 1, lines: 1 });
    expect(err).toMatch(message);
  });

  const hostileFiles: [string, () => string, RegExp][] = [
    ['a pipe', pipe, /'.*' is a pipe or a device: give the path of a regular file/],
    ['a device', () => '/dev/zero', /'\/dev\/zero' is a pipe or a device/],
    ['a file of 100 MB', () => sparse(100_000_000), /'.*' has 95 MiB, more than 16: check that it is the right file/],
    ['100,000 levels', () => file('['.repeat(100_000)), /nested deeper than 512 levels, in '.*'/],
    ['600 levels', () => file(`${'['.repeat(600)}${']'.repeat(600)}`), /nested deeper than 512 levels/],
    [
      'a binary file',
      () => file('\u0000\u001b[2J\ufffd\u0007'.repeat(1000)),
      /no valid JSON at line 1, column 1: .*, in '.*'/,
    ],
  ];
  describe.runIf(process.platform === 'linux')('hostile files', () => {
    test.each(hostileFiles)(
      '%s as configuration or settings is reported in one line with the remedy',
      async (_what, path, message) => {
        const [config, folder] = [path(), join(temporaryFolder(), 'none')];
        for (const words of [
          ['computer', '--config', config],
          ['server', '--settings', config],
        ]) {
          const { code, err } = await a2c([...words], { env: { HOME: folder } });
          expect({ words: words[0], code, lines: err.split('\n').length }).toEqual({
            words: words[0],
            code: 1,
            lines: 1,
          });
          expect(err).toMatch(message);
        }
        const doctor = await a2c(['doctor', '--config', config]);
        expect(doctor.code).toBe(1);
        expect(doctor.out).toMatch(message);
        expect(doctor.out).not.toMatch(/(?!\n)\p{Cc}/u);
      },
    );
  });

  test('the message about an unreachable Server says how to start one', async () => {
    const { code, err } = await a2c(['agent', 'members', '--url', 'http://127.0.0.1:9']);
    expect(code).toBe(1);
    expect(err).toMatch(/No Server answers at 'http:\/\/127\.0\.0\.1:9'.*'a2c server' starts one/);
  });

  test('the message about a wrong key names the options for credentials', async () => {
    await using server = await SmcpServer.listen({ port: 0, authenticate: apiKeys('right') });
    const { code, err } = await a2c(['agent', 'members', '--url', server.url, '--key', 'wrong']);
    expect(code).toBe(1);
    expect(err).toMatch(/not valid.*--key/);
    expect((await a2c(['agent', 'members', '--url', server.url, '--key', 'right'])).code).toBe(0);
    expect((await a2c(['agent', 'members'], { env: { A2C_URL: server.url, A2C_KEY: 'right' } })).code).toBe(0);
  });

  test('the messages about a taken name and a second Agent name the option to change', async () => {
    await using office = await openOffice();
    const url = office.server.url;
    const second = await a2c(['computer', '--url', url, '--office', 'demo', '--name', 'desk']);
    expect(second.code).toBe(1);
    expect(second.err).toContain('--name');
    const agent = await a2c(['agent', 'members', '--url', url]);
    expect(agent.code).toBe(1);
    expect(agent.err).toContain('--office');
  });

  test('the message about a taken port names the option to change', async () => {
    await using server = await SmcpServer.listen({ port: 0 });
    const { code, err } = await a2c(['server', '--port', new URL(server.url).port]);
    expect(code).toBe(1);
    expect(err).toMatch(/Port \d+ is taken: choose another with --port/);
  });
});

test('the list of all commands is shown without loading one of them', () => {
  const program = join(root, 'packages/cli/bin/a2c.js');
  const env = { ...process.env, NODE_DEBUG: 'esm' };
  const { stdout, stderr } = spawnSync(process.execPath, [program, '--help'], { env, encoding: 'utf8' });
  expect(stdout).toContain('computer    Run a Computer');
  expect(stderr).toContain('dist/commands/summaries.js');
  expect(stderr).not.toMatch(/dist\/commands\/\w+\/\w+\.js/);
});
