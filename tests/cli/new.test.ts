import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Computer } from '@a2c-smcp/computer';
import { testOffice } from '@a2c-smcp/testing';
import { afterAll, describe, expect, test } from 'vitest';
import { root } from '../packages.ts';
import { a2c } from './a2c.ts';

const run = promisify(execFile);
// Below the repository, so that the packages are found without an installation.
const cache = join(root, 'node_modules/.cache');
mkdirSync(cache, { recursive: true });
const folder = mkdtempSync(join(cache, 'a2c-new-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** An interpreter that has the official Python SDK, if there is one. */
const python = [process.env.A2C_PYTHON, 'python3'].find(candidate => {
  const check = 'import mcp.server.mcpserver, mcp.server.subscriptions';
  return candidate && spawnSync(candidate, ['-c', check], { stdio: 'ignore' }).status === 0;
});

/** Writes a template and compiles it as its own script does. */
async function createCompiled(kind: string): Promise<string> {
  const path = join(folder, kind);
  expect(await a2c(['new', kind, path])).toMatchObject({ code: 0, err: '' });
  await run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', path]);
  return path;
}

describe('a2c new', () => {
  test.each(['window-server', 'document-server'])(
    'the TypeScript of a %s compiles and passes a2c inspect',
    async kind => {
      const path = await createCompiled(kind);
      const change = kind === 'window-server' ? ['--change', 'build'] : [];
      const { code, out, err } = await a2c([
        'inspect',
        '--strict',
        ...change,
        '--',
        process.execPath,
        join(path, 'dist/server.js'),
      ]);
      expect([code, err]).toEqual([0, '']);
      expect(out).toContain('No findings');
      expect(readFileSync(join(path, 'server.ts'), 'utf8').split('\n').length).toBeLessThanOrEqual(26);
      expect(JSON.parse(readFileSync(join(path, 'package.json'), 'utf8')).dependencies).toHaveProperty(
        '@a2c-smcp/publish',
      );
    },
  );

  test('an Agent compiles and looks at an office', async () => {
    const path = await createCompiled('agent');
    await using office = await testOffice({ desk: { echo: { run: () => 'hi' } } });
    await office.agent.close();
    const env = { ...process.env, A2C_URL: office.url, A2C_OFFICE: 'test' };
    const { stdout } = await run(process.execPath, [join(path, 'dist/agent.js')], { env });
    expect(stdout).toBe('desk offers echo\n');
  });

  test('a skill is one that a Computer offers', async () => {
    expect((await a2c(['new', 'skill', join(folder, 'skills/my-skill')])).code).toBe(0);
    await using computer = await Computer.open({ name: 'desk', skills: { folder: join(folder, 'skills') } });
    expect(await computer.skills()).toMatchObject([{ name: expect.stringContaining('my-skill') }]);
  });

  describe.skipIf(python === undefined)('with the official Python SDK', () => {
    test.each(['window-server', 'document-server'])(
      'the Python of a %s passes a2c inspect in both eras',
      async kind => {
        const path = join(folder, `python-${kind}`);
        expect(await a2c(['new', kind, path, '--language', 'python'])).toMatchObject({ code: 0, err: '' });
        const command = [python ?? '', join(path, 'server.py')];
        const config = join(path, 'mcp.json');
        const server_parameters = { command: command[0], args: command.slice(1) };
        writeFileSync(config, JSON.stringify({ servers: { legacy: { type: 'stdio', server_parameters } } }));
        const change = kind === 'window-server' ? ['--change', 'build'] : [];
        const [modern, legacy] = await Promise.all([
          a2c(['inspect', '--strict', ...change, '--', ...command]),
          a2c(['inspect', '--strict', ...change, '--config', config, 'legacy']),
        ]);
        expect([modern.code, modern.err, modern.out]).toEqual([
          0,
          '',
          expect.stringMatching(/MCP of 2026[\s\S]*No findings/),
        ]);
        expect([legacy.code, legacy.err, legacy.out]).toEqual([
          0,
          '',
          expect.stringMatching(/MCP of 2025[\s\S]*No findings/),
        ]);
      },
    );
  });

  test('a2c new overwrites nothing, and names what it does not know', async () => {
    const path = join(folder, 'twice');
    expect((await a2c(['new', 'skill', path])).code).toBe(0);
    expect(await a2c(['new', 'skill', path])).toMatchObject({ code: 2, err: expect.stringContaining('is not empty') });
    expect((await a2c(['new', 'skill', join(folder, 'My Skill')])).err).toContain("use 'my-skill'");
    expect((await a2c(['new', 'window', 'x'])).err).toContain("'window' is none of window-server");
    expect((await a2c(['new', 'agent', join(folder, 'y'), '-l', 'python'])).err).toContain(
      'There is no agent in python',
    );
  });
});
