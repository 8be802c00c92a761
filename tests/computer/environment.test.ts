import { rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, sep } from 'node:path';
import { Computer, type ComputerOptions } from '@a2c-smcp/computer';
import type { MCPServerInput } from '@a2c-smcp/protocol';
import { describe, expect, test } from 'vitest';
import { verifies } from '../conformance/verifies.ts';
import { eventually, fixture, openOffice, recordingLogger, scripted, stateOf, textOf } from './office.ts';
import { temporaryFolder } from './temporary.ts';

/** A server that shows its environment. */
function showing(given: { env?: Record<string, string>; args?: string[]; cwd?: string; envFile?: string }) {
  const { envFile, args = [], ...parameters } = given;
  return {
    type: 'stdio' as const,
    default_tool_meta: { auto_apply: true },
    server_parameters: { command: process.execPath, args: [fixture, '{"tools":["env"]}', ...args], ...parameters },
    ...(envFile === undefined ? {} : { envFile }),
  };
}

const open = (s: ReturnType<typeof showing>, options: Partial<ComputerOptions> = {}) =>
  Computer.open({ name: 'desk', servers: { s }, env: {}, ...options });

async function environmentOf(computer: Computer): Promise<Record<string, string>> {
  return JSON.parse(textOf(await computer.callTool({ tool: 'env' })));
}

function envFile(text: string): { folder: string; path: string } {
  const folder = temporaryFolder();
  const path = join(folder, 'server.env');
  writeFileSync(path, text);
  return { folder, path };
}

describe('an envFile', () => {
  verifies('env-file.read', async () => {
    const { path } = envFile('# mine\nexport A=from-file\nB="quoted value"\nC=${input:token}\n');
    await using computer = await open(showing({ envFile: path, env: { A: 'from-env' } }));
    expect(await environmentOf(computer)).toMatchObject({ A: 'from-env', B: 'quoted value', C: '${input:token}' });
    writeFileSync(path, 'B=changed\n');
    await computer.restartServer('s');
    expect(await environmentOf(computer)).toMatchObject({ B: 'changed' });
  });

  test('the path of an envFile is relative to cwd and may have placeholders', async () => {
    const { folder } = envFile('A=found\n');
    const inputs: MCPServerInput[] = [{ id: 'name', type: 'promptString', description: 'Name' }];
    await using computer = await open(showing({ envFile: '${input:name}.env', cwd: folder }), { inputs });
    expect(computer.status()[0]?.error).toContain('inputs.name: it has no value');
    await computer.setInput('name', 'server');
    await eventually(() => expect(stateOf(computer, 's')).toBe('ready'));
    expect(await environmentOf(computer)).toMatchObject({ A: 'found' });
  });

  test('a server without its envFile fails with its path, and starts when the file is there', async () => {
    const { path } = envFile('A=1\n');
    rmSync(path);
    await using computer = await open(showing({ envFile: path }));
    // A random name of a folder may look like a secret, and is masked then.
    expect(computer.status()[0]).toMatchObject({ state: 'failed', error: expect.stringContaining('server.env') });
    writeFileSync(path, 'A=1\n');
    await eventually(() => expect(stateOf(computer, 's')).toBe('ready'), 20_000);
  });

  verifies('env-file.secret', async () => {
    const { path } = envFile('TOKEN=canary-4711-x9\nlost canary-4712-x9\n');
    const logger = recordingLogger();
    const s = showing({ envFile: path });
    await using broken = await open(s, { logger });
    expect(broken.status()[0]?.error).toMatch(/line 2 is not NAME=value/);
    writeFileSync(path, 'TOKEN=canary-4711-x9\n');
    await broken.restartServer('s');
    await using office = await openOffice({ servers: { s } });
    const config = await office.ask('client:get_config');
    expect(config.servers.s?.envFile).toContain('server.env');
    expect(broken.redact('say canary-4711-x9')).toBe('say ***');
    expect(JSON.stringify([config, broken.status(), logger.lines])).not.toContain('canary');
  });

  test('an envFile that is a device or a folder is refused', async () => {
    for (const path of ['/dev/zero', temporaryFolder()]) {
      await using computer = await open(showing({ envFile: path }));
      expect(computer.status()[0]).toMatchObject({ state: 'failed', error: expect.stringContaining('envFile') });
    }
  });
});

verifies('placeholders.fixed', async () => {
  const env = { HOME_OF: '${userHome}${pathSeparator}x', SEP: '${pathSeparator}', ODD: '${userhome}' };
  const s = showing({ env });
  const inputs: MCPServerInput[] = [{ id: 'place', type: 'promptString', description: 'Place' }];
  s.server_parameters.env = { ...env, NESTED: '${input:place}' };
  await using office = await openOffice({ servers: { s }, inputs, inputValues: { place: '${userHome}' }, env: {} });
  expect(await environmentOf(office.computer)).toMatchObject({
    HOME_OF: `${homedir()}${sep}x`,
    SEP: sep,
    ODD: '${userhome}',
    NESTED: homedir(),
  });
  const { servers } = await office.ask('client:get_config');
  expect(servers.s).toMatchObject({
    server_parameters: { env: { SEP: '${pathSeparator}', NESTED: '${input:place}' } },
  });
  expect(JSON.stringify(servers)).not.toContain(`${homedir()}${sep}x`);
});

verifies('inputs.env-collision', async () => {
  const logger = recordingLogger();
  const input = (id: string): MCPServerInput => ({ id, type: 'promptString', description: id });
  const inputs = [input('api-key'), input('api_key'), input('other')];
  await using _ = await Computer.open({ name: 'desk', inputs, logger });
  const warnings = logger.lines.filter(({ level }) => level === 'warn');
  expect(warnings).toEqual([
    {
      level: 'warn',
      message: expect.stringContaining('one environment variable'),
      fields: { variable: 'A2C_SMCP_api_key', inputs: 'api-key, api_key' },
    },
  ]);
});

verifies('tools.meta.declared-tags', async () => {
  const declares = (tags: unknown) => ({ a2c_tool_meta: { tags, auto_apply: true, alias: 'forged' } });
  const tools = [
    { name: 'own', _meta: declares(['declared']) },
    { name: 'cleared', _meta: declares(['declared']) },
    { name: 'set', _meta: declares(['declared']) },
    { name: 'odd', _meta: declares('declared') },
  ];
  const tool_meta = { cleared: { tags: [] }, set: { tags: ['mine'] } };
  const tagsIn = (computer: Computer) =>
    computer.tools.map(({ name, meta }) => [name, JSON.parse(String(meta?.a2c_tool_meta ?? 'null'))?.tags]);
  const logger = recordingLogger();
  const bare = { ...scripted({ tools }, { tool_meta }), default_tool_meta: null };
  await using computer = await Computer.open({ name: 'desk', servers: { s: bare }, logger });
  expect(tagsIn(computer)).toEqual([
    ['own', ['declared']],
    ['cleared', []],
    ['set', ['mine']],
    ['odd', undefined],
  ]);
  expect(logger.text()).toContain("other than as a list of 'tags', which is ignored");
  expect(await computer.callTool({ tool: 'own' })).toMatchObject({ meta: { error_code: 4005 } });
  const general = scripted({ tools }, { tool_meta, default_tool_meta: { auto_apply: true, tags: [] } });
  await using defaulted = await Computer.open({ name: 'desk', servers: { s: general } });
  expect(tagsIn(defaulted).map(([, tags]) => tags)).toEqual([[], [], ['mine'], []]);
});
