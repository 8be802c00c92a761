import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { a2c } from './a2c.ts';

/** Stands for a program of systemd, which a test machine may lack: notes its arguments, and fails on demand. */
const manager = `#!/bin/sh
echo "$(basename "$0") $*" >> "$HOME/calls"
[ -e "$HOME/broken" ] && { echo 'Failed to connect to bus' >&2; exit 1; }
case "$*" in *--lines*) echo "line of $(basename "$0")";; esac
exit 0
`;

describe.runIf(process.platform === 'linux')('a service', () => {
  let home: string;
  let env: Record<string, string>;

  beforeAll(() => {
    home = mkdtempSync(join(tmpdir(), 'a2c-home-'));
    mkdirSync(join(home, 'bin'));
    for (const name of ['systemctl', 'journalctl']) {
      writeFileSync(join(home, 'bin', name), manager);
      chmodSync(join(home, 'bin', name), 0o755);
    }
    writeFileSync(join(home, 'mcp.json'), '{ "servers": {} }');
    env = { HOME: home, PATH: `${join(home, 'bin')}:/usr/bin:/bin` };
  });
  afterAll(() => rmSync(home, { recursive: true }));

  const calls = () => readFileSync(join(home, 'calls'), 'utf8');
  const fileOf = (name: string) => join(home, '.config', name);

  test('is installed with the options of its role, shown, and removed again', async () => {
    const config = join(home, 'mcp.json');
    const words = ['-u', 'https://relay.example.com', '--key', 'secret', '-c', config, '--no-wait', '--header', 'a:b'];
    const { code, out, err } = await a2c(['computer', 'install', ...words], { env });
    expect([code, out]).toEqual([0, "Service 'a2c-computer' is installed and started"]);
    expect(err).toContain("'a2c computer logs' shows its log");
    const unit = readFileSync(fileOf('systemd/user/a2c-computer.service'), 'utf8');
    expect(unit).toContain('ExecStart=/usr/bin/node /usr/bin/a2c computer --service --no-wait\n');
    const variables = readFileSync(fileOf('a2c-smcp/a2c-computer.env'), 'utf8').split('\n');
    expect(variables.slice(1, -1)).toEqual([
      'A2C_URL="https://relay.example.com"',
      'A2C_KEY="secret"',
      'A2C_HEADERS="{\\"a\\":\\"b\\"}"',
      `A2C_CONFIG="${config}"`,
      `PATH="${env.PATH}"`,
    ]);
    expect(statSync(fileOf('a2c-smcp/a2c-computer.env')).mode & 0o777).toBe(0o600);
    expect(calls()).toContain('systemctl --user restart a2c-computer.service');

    expect((await a2c(['computer', 'logs', '-n', '3'], { env })).out).toBe('line of journalctl');
    expect((await a2c(['computer', 'status'], { env })).out).toBe('line of systemctl');
    expect((await a2c(['computer', 'uninstall'], { env })).out).toBe("Service 'a2c-computer' is removed");
    expect(existsSync(fileOf('systemd/user/a2c-computer.service'))).toBe(false);
    expect(await a2c(['computer', 'uninstall'], { env })).toMatchObject({
      code: 1,
      err: expect.stringContaining("There is no service 'a2c-computer'"),
    });
  });

  test('that the service manager refuses leaves nothing behind', async () => {
    writeFileSync(join(home, 'broken'), '');
    const { code, err } = await a2c(['server', 'install', '--as', 'relay'], { env });
    rmSync(join(home, 'broken'));
    expect(code).toBe(1);
    expect(err).toContain("'systemctl --user daemon-reload' failed: Failed to connect to bus");
    expect(existsSync(fileOf('systemd/user/relay.service'))).toBe(false);
    expect(existsSync(fileOf('a2c-smcp/relay.env'))).toBe(false);
    expect(calls()).toContain('systemctl --user disable --now relay.service');
  });

  test('of a Server can make its key, which is printed and is in no unit', async () => {
    const { out } = await a2c(['server', 'install', '--host', '0.0.0.0', '--print-key', '--system', '--print'], {
      env,
    });
    const [, key] = /^Key (\w{48})$/m.exec(out) ?? [];
    const [, unit = '', variables] = out.split(/^# \/etc.*\n/m);
    expect(unit).toContain('DynamicUser=yes');
    expect(unit).not.toContain(key);
    expect(variables).toContain(`A2C_KEYS="${key}"`);
  });

  test.each([
    ['credentials that are missing', ['server', 'install', '--host', '0.0.0.0'], 'without credentials'],
    ['a file that is missing', ['computer', 'install', '-c', 'no.json'], "There is no file 'no.json'"],
    ['a name that is a path', ['server', 'install', '--as', '../x'], "--as: '../x' is no name of a service"],
    ['a user without --system', ['server', 'install', '--user', 'ada'], '--user is for --system'],
  ])('is not installed with %s', async (_, words, message) => {
    const { code, err } = await a2c(words, { env });
    expect(code).not.toBe(0);
    expect(err).toContain(message);
  });

  test('of the system is not installed from a home that its user cannot read', async () => {
    const program = ['/home/ada/.nvm/node', '/usr/bin/a2c'];
    const { code, err } = await a2c(['server', 'install', '--system', '--print'], { env, program });
    expect([code, err]).toEqual([2, expect.stringContaining("could not read '/home/ada/.nvm/node'")]);
    const { out } = await a2c(['server', 'install', '--system', '--print', '--user', 'ada'], { env, program });
    expect(out).toContain('User=ada\n');
  });

  test('is not installed from the cache of npx, which is emptied', async () => {
    const program = ['/usr/bin/node', '/home/ada/.npm/_npx/1f2/node_modules/a2c-smcp/bin/a2c.js'];
    const { code, err } = await a2c(['computer', 'install'], { env, program });
    expect([code, err]).toEqual([2, expect.stringContaining('npm install --global a2c-smcp first')]);
  });

  test('needs a service manager, and says what to do without one', async () => {
    const { code, err } = await a2c(['computer', 'status'], { env: { ...env, PATH: '/nowhere' } });
    expect([code, err]).toEqual([1, expect.stringContaining("This machine has no 'systemctl'")]);
  });
});
