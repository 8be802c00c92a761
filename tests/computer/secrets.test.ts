import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Computer } from '@a2c-smcp/computer';
import type { MCPServerInput } from '@a2c-smcp/protocol';
import { expect, test } from 'vitest';
import { verifies } from '../conformance/verifies.ts';
import { eventually, fixture, openBareOffice, recordingLogger, textOf } from './office.ts';
import { publishing } from './publishing.ts';
import { temporaryFolder } from './temporary.ts';

const canaries = {
  input: 'canary-input-4711',
  env: 'canary-env-4712',
  header: 'canary-header-4713',
  query: 'canary-query-4714',
  user: 'canary-user-4715',
  argument: 'canary-argument-4716',
  default: 'canary-default-4717',
};
const inputs: MCPServerInput[] = [
  { id: 'token', type: 'promptString', description: 'Token', password: true, default: canaries.default },
];
const base = { default_tool_meta: { auto_apply: true } };
const script = JSON.stringify({ tools: ['say', 'refuse', 'exit'], say: `starting with ${canaries.env}` });
const servers = {
  local: {
    ...base,
    type: 'stdio' as const,
    server_parameters: {
      command: process.execPath,
      args: [fixture, script, '--api-key', canaries.argument, `--secret=${canaries.argument}`],
      env: { KEY: canaries.env, TOKEN: 'Bearer ${input:token}' },
    },
  },
  remote: {
    ...base,
    type: 'streamable' as const,
    server_parameters: {
      url: `http://${canaries.user}:x@127.0.0.1:9/mcp?access_token=${canaries.query}&page=1`,
      headers: { Authorization: `Bearer ${canaries.header}`, 'X-Trace': 'visible', 'X-Api-Key': '${input:token}' },
    },
  },
  broken: {
    ...base,
    type: 'sse' as const,
    server_parameters: { url: `not a url ${canaries.query}`, headers: { Cookie: canaries.header } },
  },
};
const none = new RegExp(Object.values(canaries).join('|'));

test('the secrets of an MCP server are masked until it is removed, by a call or by an edit of the file', async () => {
  const { local } = servers;
  const own = (KEY: string) => {
    const env = { KEY, OUTER: '${env:OUTER}', TOKEN: '${input:token}' };
    return { ...local, server_parameters: { ...local.server_parameters, env } };
  };
  const config = join(temporaryFolder(), 'mcp.json');
  const write = (names: string[]) =>
    writeFileSync(
      config,
      JSON.stringify({ servers: Object.fromEntries(names.map(name => [name, own(`key-of-${name}`)])) }),
    );
  write(['one', 'two', 'three']);
  const env = { A2C_SMCP_token: canaries.input, OUTER: 'from-outside' };
  await using computer = await Computer.open({ name: 'desk', configFile: config, inputs, env });
  const shown = () => computer.redact(`key-of-one key-of-two key-of-three from-outside ${canaries.input}`);
  expect(shown()).toBe('*** *** *** *** ***');
  await computer.removeServer('one');
  await eventually(() => expect(shown()).toBe('key-of-one *** *** *** ***'));
  write(['three']);
  await computer.reloadConfig();
  await eventually(() => expect(shown()).toBe('key-of-one key-of-two *** *** ***'));
  await computer.removeServer('three');
  await computer.addServer({ name: 'three', ...own('key-of-three') });
  expect(shown()).toBe('key-of-one key-of-two *** *** ***');
});

verifies(['inputs.password', 'error.details', 'log.hops'], async () => {
  const logger = recordingLogger();
  const env = { A2C_SMCP_token: canaries.input };
  await using office = await openBareOffice({ servers, inputs, env, logger });
  const { computer } = office;
  const call = (tool_name: string, params: object) =>
    office.ask('client:tool_call', { agent: 'a', req_id: tool_name, computer: 'desk', tool_name, params, timeout: 10 });
  await call('say', { text: `my token is ${canaries.input} and ${canaries.env}` });
  await eventually(() => expect(computer.stderr('local').at(-1)).toContain('my token is'));
  const refused = await call('refuse', { message: `bad token ${canaries.input}` });
  expect(refused).toMatchObject({ isError: true, meta: { error_code: 4003 } });
  await call('exit', {});
  const answers = [
    refused,
    computer.status(),
    computer.stderr('local'),
    computer.config,
    await office.ask('client:get_config', { agent: 'a', req_id: 'c', computer: 'desk' }),
    await office.ask('client:get_resources', { agent: 'a', req_id: 'd', computer: 'desk', mcp_server: 'remote' }),
  ];
  expect(JSON.stringify(answers)).not.toMatch(none);
  expect(logger.text()).not.toMatch(none);
  expect(logger.lines.length).toBeGreaterThan(5);
  expect(logger.lines).toContainEqual(
    expect.objectContaining({ level: 'warn', fields: expect.objectContaining({ req_id: 'refuse', code: 4003 }) }),
  );
  expect(logger.lines).toContainEqual(
    expect.objectContaining({ level: 'warn', fields: expect.objectContaining({ req_id: 'd', code: 500 }) }),
  );
  expect(JSON.stringify(answers)).not.toMatch(/\bat .*\.ts:\d+/);
});

verifies(
  'inputs.password',
  async () => {
    const logger = recordingLogger();
    const uri = 'window://com.example.app/0';
    const fail = { [uri]: { code: -32603, message: `no entry with ${canaries.input}` } };
    const app = publishing({ windows: 1, fail });
    const env = { A2C_SMCP_token: canaries.input };
    await using computer = await Computer.open({ name: 'desk', servers: { ...servers, app }, inputs, env, logger });
    expect(await computer.desktop()).toEqual([]);
    expect(logger.text()).toContain('no entry with ***');
    expect(logger.text()).not.toMatch(none);
  },
  'also in the words of an MCP server',
);

verifies('auth.no-mcp-secrets', async () => {
  const env = { A2C_SMCP_token: canaries.input };
  await using office = await openBareOffice({ servers, inputs, env });
  expect(JSON.stringify([office.handshake, office.heard])).not.toMatch(none);
});

verifies(['get-config.raw', 'get-config.masked'], async () => {
  await using computer = await Computer.open({
    name: 'desk',
    servers,
    inputs,
    env: { A2C_SMCP_token: canaries.input },
  });
  expect(computer.config).toMatchObject({
    inputs: [{ id: 'token', default: '***' }],
    servers: {
      local: {
        name: 'local',
        disabled: false,
        forbidden_tools: [],
        tool_meta: {},
        server_parameters: {
          args: [fixture, '***', '--api-key', '***', '--secret=***'],
          env: { KEY: '***', TOKEN: 'Bearer ${input:token}' },
          cwd: null,
          encoding: 'utf-8',
        },
      },
      remote: {
        type: 'streamable',
        server_parameters: {
          url: 'http://***@127.0.0.1:9/mcp?access_token=***&page=1',
          headers: { Authorization: '***', 'X-Trace': '***', 'X-Api-Key': '${input:token}' },
        },
      },
    },
  });
  await using open = await Computer.open({
    name: 'desk',
    servers,
    inputs,
    env: { A2C_SMCP_token: canaries.input },
    exposeSecrets: true,
  });
  const shown = JSON.stringify(open.config);
  expect(shown).toContain(canaries.env);
  expect(shown).toContain('${input:token}');
  expect(shown).not.toContain(canaries.input);
});

verifies(
  ['get-config.raw', 'get-config.masked'],
  async () => {
    const complete = {
      name: 'off',
      type: 'stdio' as const,
      disabled: true,
      forbidden_tools: ['rm'],
      tool_meta: { ls: { auto_apply: true, alias: 'dir', tags: ['files'], ret_object_mapper: { a: 1 } } },
      default_tool_meta: { tags: ['all'] },
      vrl: '.a = 1',
      server_parameters: {
        command: 'node',
        args: ['${input:token}'],
        env: { KEY: 'never-started-canary', OTHER: '${input:token}' },
        cwd: '/',
        encoding: 'latin-1',
        encoding_error_handler: 'replace' as const,
      },
    };
    await using computer = await Computer.open({ name: 'desk', servers: { off: complete }, inputs });
    const { server_parameters, ...rest } = complete;
    const env = { KEY: '***', OTHER: '${input:token}' };
    const shown = { ...rest, bundle_id: 'off', server_parameters: { ...server_parameters, env } };
    expect(computer.config.servers.off).toEqual(shown);
    await using bare = await Computer.open({ name: 'desk', servers: { off: complete }, inputs, exposeSecrets: true });
    expect(bare.config.servers.off).toEqual({ ...complete, bundle_id: 'off' });
  },
  'every field of a server that was never started',
);

test('a tool that shows its own environment is not censored: results are the tool’s', async () => {
  const args = [fixture, JSON.stringify({ tools: ['env'] })];
  const local = { ...servers.local, server_parameters: { ...servers.local.server_parameters, args } };
  await using computer = await Computer.open({ name: 'desk', servers: { local }, inputs, env: {} });
  expect(textOf(await computer.callTool({ tool: 'env' }))).toContain(canaries.env);
});
