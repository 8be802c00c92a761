import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Machine, ServiceSpec } from './plan.ts';
import { planOf } from './service.ts';

const command = [process.execPath, '/opt/a b/a2c.js', 'computer', '--service', '--skill-mount=/x/100%$HOME'];
const environment = { A2C_URL: 'https://relay.example.com', A2C_KEY: 'a"b\\c$d`e<f>&\'100%' };
const spec: ServiceSpec = {
  name: 'a2c-computer',
  role: 'computer',
  scope: 'user',
  user: undefined,
  command,
  environment,
};
const server: ServiceSpec = {
  ...{ name: 'a2c-server', role: 'server', scope: 'system', user: undefined, environment },
  command: [process.execPath, '/opt/a2c.js', 'server'],
};

const linux: Machine = { platform: 'linux', home: '/home/ada', uid: 1000, env: {} };
const mac: Machine = { platform: 'darwin', home: '/Users/ada', uid: 501, env: {} };
const windows: Machine = {
  platform: 'win32',
  home: 'C:\\Users\\ada',
  uid: undefined,
  env: { LOCALAPPDATA: 'C:\\Users\\ada\\AppData\\Local', USERDOMAIN: 'DESK', USERNAME: 'ada' },
};

const wordsOf = (steps: readonly { words: readonly string[] }[]) => steps.map(({ words }) => words.join(' '));

describe('systemd', () => {
  const plan = planOf(spec, linux);

  test('a user unit has its credentials in a file of its user alone', () => {
    const [unit, variables] = plan.files;
    expect(unit).toMatchObject({ path: '/home/ada/.config/systemd/user/a2c-computer.service', mode: 0o644 });
    expect(unit?.text).not.toContain('a"b');
    expect(variables).toMatchObject({ path: '/home/ada/.config/a2c-smcp/a2c-computer.env', mode: 0o600 });
    expect(variables?.text).toContain('A2C_KEY="a\\"b\\\\c\\$d\\`e<f>&\'100%"\n');
  });

  test('a unit starts its command as it was given, whatever its characters', () => {
    expect(plan.files[0]?.text).toContain(
      `ExecStart=${process.execPath} "/opt/a b/a2c.js" computer --service "--skill-mount=/x/100%%$$HOME"\n`,
    );
  });

  test('systemctl and journalctl are asked for the unit in its scope', () => {
    expect(wordsOf(plan.install).at(-1)).toBe('systemctl --user restart a2c-computer.service');
    expect(plan.logs({ lines: 5, isFollowing: true }).join(' ')).toBe(
      'journalctl --user-unit a2c-computer.service --output cat --no-pager --lines 5 --follow',
    );
    const system = planOf(server, linux);
    expect(system.files.map(({ path }) => path)).toEqual([
      '/etc/systemd/system/a2c-server.service',
      '/etc/a2c-smcp/a2c-server.env',
    ]);
    expect(system.status.slice(0, 3)).toEqual(['systemctl', 'status', 'a2c-server.service']);
  });

  test('a value with a line break is refused, because it would become another setting', () => {
    const broken = { ...spec, environment: { A2C_KEY: 'a\nPATH=/tmp' } };
    for (const machine of [linux, windows]) expect(() => planOf(broken, machine)).toThrow(/A2C_KEY has .*line break/);
  });

  const hasAnalyzer = spawnSync('systemd-analyze', ['--version']).status === 0;
  test.runIf(hasAnalyzer)(
    'systemd-analyze finds nothing to say about the units, and the Server is well confined',
    () => {
      const folder = mkdtempSync(join(tmpdir(), 'a2c-units-'));
      try {
        const units = [planOf(spec, linux), planOf(server, linux), planOf({ ...server, user: 'root' }, linux)];
        const paths = units.map(({ files }, index) => {
          const path = join(folder, `a2c-${index}.service`);
          writeFileSync(path, files[0]?.text ?? '');
          return path;
        });
        const verified = spawnSync('systemd-analyze', ['verify', '--man=no', ...paths], { encoding: 'utf8' });
        expect([verified.status, verified.stderr]).toEqual([0, '']);
        const judged = ['security', '--offline=true', '--threshold=20', String(paths[1])];
        expect(spawnSync('systemd-analyze', judged, { encoding: 'utf8' }).status).toBe(0);
      } finally {
        rmSync(folder, { recursive: true });
      }
    },
  );
});

describe('launchd', () => {
  test('an agent of a user has command, environment and log, readable by the user alone', () => {
    const { files, install, status, logs } = planOf(spec, mac);
    expect(files).toHaveLength(1);
    expect(files[0]).toMatchObject({ path: '/Users/ada/Library/LaunchAgents/a2c-computer.plist', mode: 0o600 });
    expect(files[0]?.text).toContain('<string>/opt/a b/a2c.js</string>');
    expect(files[0]?.text).toContain('<string>a&quot;b\\c$d`e&lt;f&gt;&amp;&apos;100%</string>');
    expect(wordsOf(install)).toEqual([
      'launchctl bootout gui/501/a2c-computer',
      'launchctl enable gui/501/a2c-computer',
      'launchctl bootstrap gui/501 /Users/ada/Library/LaunchAgents/a2c-computer.plist',
    ]);
    expect(status).toEqual(['launchctl', 'print', 'gui/501/a2c-computer']);
    expect(logs({ lines: 5, isFollowing: true })).toEqual([
      'tail',
      '-n',
      '5',
      '-F',
      '/Users/ada/Library/Logs/a2c-computer.log',
    ]);
  });

  test('a daemon of the system runs as the user that is named', () => {
    const [file] = planOf({ ...server, user: 'relay' }, mac).files;
    expect(file?.path).toBe('/Library/LaunchDaemons/a2c-server.plist');
    expect(file?.text).toMatch(/<key>UserName<\/key>\s*<string>relay<\/string>/);
  });
});

/** Lets the standard library of Python read a text. It stands for `plutil` and the Task Scheduler, which Linux lacks. */
function readByPython(program: string, input: Buffer) {
  const { stdout, stderr } = spawnSync('python3', ['-c', program], { input, encoding: 'utf8' });
  return stdout === '' ? stderr : JSON.parse(stdout);
}

describe.runIf(spawnSync('python3', ['--version']).status === 0)('another reader of the definitions', () => {
  test('a reader of property lists finds the command and the environment as they were given', () => {
    const [file] = planOf(spec, mac).files;
    const program = 'import json, plistlib, sys; print(json.dumps(plistlib.loads(sys.stdin.buffer.read())))';
    expect(readByPython(program, Buffer.from(file?.text ?? '', file?.encoding))).toMatchObject({
      Label: 'a2c-computer',
      ProgramArguments: command,
      EnvironmentVariables: environment,
    });
  });

  test('a reader of XML finds the script of the task, whatever the name of its user', () => {
    const env = { ...windows.env, LOCALAPPDATA: 'C:\\Users\\a & b', USERNAME: 'a & <b>' };
    const [file] = planOf({ ...spec, environment: {} }, { ...windows, env }).files;
    const program =
      'import json, sys, xml.etree.ElementTree as t; ' +
      'print(json.dumps([e.text for e in t.fromstring(sys.stdin.buffer.read()).iter() if not len(e)]))';
    expect(readByPython(program, Buffer.from(file?.text ?? '', file?.encoding))).toEqual(
      expect.arrayContaining([
        'DESK\\a & <b>',
        '--headless cmd.exe /d /c "C:\\Users\\a & b\\a2c-smcp\\a2c-computer.cmd"',
      ]),
    );
  });
});

describe('the Windows Task Scheduler', () => {
  const { files, install, logs } = planOf({ ...spec, environment: { A2C_KEY: '100%&^' } }, windows);

  test('a task runs a script of its user at logon, without a window and without a time limit', () => {
    const [definition] = files;
    expect(definition).toMatchObject({ encoding: 'utf16le' });
    expect(definition?.text).toMatch(/^\ufeff<\?xml version="1.0" encoding="UTF-16"\?>/);
    expect(definition?.text).toContain('<UserId>DESK\\ada</UserId>');
    expect(definition?.text).toContain('<ExecutionTimeLimit>PT0S</ExecutionTimeLimit>');
    expect(definition?.text).toContain(
      '<Arguments>--headless cmd.exe /d /c "C:\\Users\\ada\\AppData\\Local\\a2c-smcp\\a2c-computer.cmd"</Arguments>',
    );
    expect(wordsOf(install)[1]).toBe(
      'schtasks /Create /F /TN \\a2c-smcp\\a2c-computer /XML C:\\Users\\ada\\AppData\\Local\\a2c-smcp\\a2c-computer.xml',
    );
  });

  test('the script sets the environment and keeps the log', () => {
    const lines = files[1]?.text.split('\r\n') ?? [];
    expect(lines).toContain('set "A2C_KEY=100%%&^"');
    expect(lines.at(-3)).toBe(
      `"${process.execPath}" "/opt/a b/a2c.js" "computer" "--service" "--skill-mount=/x/100%%$HOME" >> ` +
        '"C:\\Users\\ada\\AppData\\Local\\a2c-smcp\\a2c-computer.log" 2>&1',
    );
    expect(logs({ lines: 7, isFollowing: false }).at(-1)).toBe(
      "Get-Content -LiteralPath 'C:\\Users\\ada\\AppData\\Local\\a2c-smcp\\a2c-computer.log' -Tail 7",
    );
  });
});

describe('a Windows service', () => {
  const { files, install, uninstall } = planOf({ ...server, environment: { A2C_KEYS: 'secret' } }, windows);
  const [variables] = files;

  test('has its credentials in a file that other users cannot read, and not in its command line', () => {
    const folder = 'C:\\Windows\\ServiceProfiles\\LocalService\\AppData\\Local\\a2c-smcp';
    expect(variables).toMatchObject({
      path: `${folder}\\a2c-server.env`,
      text: expect.stringContaining("='secret'\n"),
    });
    expect(wordsOf(install)).toEqual([
      'net stop a2c-server',
      'sc delete a2c-server',
      `shawl add --name a2c-server --restart-if-not 0,2 --stop-timeout 60000 --log-dir ${folder} -- ` +
        `${process.execPath} --env-file=${folder}\\a2c-server.env /opt/a2c.js server`,
      'sc config a2c-server start= auto obj= NT AUTHORITY\\LocalService',
      'sc description a2c-server A2C-SMCP Server',
      'sc start a2c-server',
    ]);
    expect(wordsOf(uninstall)).toEqual(['net stop a2c-server', 'sc delete a2c-server']);
  });

  test('Node reads the variables as they were given', () => {
    const values = ['a"b\\c$d<f>&100%', "C:\\new's", "a'b`c", '# $HOME', ''];
    const given = Object.fromEntries(values.map((value, index) => [`A2C_${index}`, value]));
    const folder = mkdtempSync(join(tmpdir(), 'a2c-env-'));
    try {
      const file = join(folder, 'a.env');
      writeFileSync(file, planOf({ ...server, environment: given }, windows).files[0]?.text ?? '');
      const program = 'console.log(JSON.stringify(process.env))';
      const { stdout } = spawnSync(process.execPath, [`--env-file=${file}`, '-e', program], { encoding: 'utf8' });
      expect(JSON.parse(stdout)).toMatchObject(given);
    } finally {
      rmSync(folder, { recursive: true });
    }
    for (const value of ['a\nb', '\'`"']) {
      expect(() => planOf({ ...server, environment: { A2C_KEY: value } }, windows)).toThrow('A2C_KEY has');
    }
  });

  test('is for Servers without a user, since it has no session', () => {
    expect(() => planOf({ ...spec, scope: 'system', user: 'ada' }, windows)).toThrow('--system: on Windows');
    expect(() => planOf({ ...server, user: 'ada' }, windows)).toThrow('--user: on Windows');
  });
});
