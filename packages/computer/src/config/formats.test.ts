import { parseComputerConfig } from '@a2c-smcp/protocol';
import { expect, test } from 'vitest';
import { toOwnFormat } from './formats.ts';

const places = { workspaceFolder: '/work' };
const read = (data: unknown) => parseComputerConfig(toOwnFormat(data, places));

test.each([
  [{ url: 'https://a/mcp' }, 'streamable'],
  [{ url: 'https://a/sse' }, 'sse'],
  [{ url: 'https://a/sse/?x=1' }, 'sse'],
  [{ url: 'https://a/mcp?next=/sse' }, 'streamable'],
  [{ url: 'https://a/sse', type: 'http' }, 'streamable'],
  [{ url: 'https://a/mcp', type: 'SSE' }, 'sse'],
  [{ url: 'https://a/mcp', type: 'streamable-http' }, 'streamable'],
  [{ serverUrl: 'https://a/mcp' }, 'streamable'],
  [{ command: 'npx' }, 'stdio'],
])('the entry %j is a server of type %s', (server, type) => {
  expect(read({ mcpServers: { s: server } }).servers.s?.type).toBe(type);
});

test('fields of other programs that describe a process are converted, and all others are dropped', () => {
  const server = {
    command: '${userHome}/bin/x',
    args: ['${workspaceFolder}', '${input:a}'],
    env: { PORT: 80, NONE: null },
    disabled: true,
    alwaysAllow: ['read'],
    envFile: '${workspaceFolder}/.env',
    timeout: 60,
    gallery: true,
  };
  expect(read({ servers: { s: server }, sandbox: {} }).servers.s).toEqual({
    name: 's',
    type: 'stdio',
    disabled: true,
    envFile: '/work/.env',
    tool_meta: { read: { auto_apply: true } },
    server_parameters: {
      command: '${userHome}/bin/x',
      args: ['/work', '${input:a}'],
      cwd: null,
      env: { PORT: '80' },
    },
  });
});

test('entries in our own form stay as they are, beside those of other programs too', () => {
  const own = { type: 'stdio', server_parameters: { command: 'x', args: ['${userHome}'] } };
  expect(read({ servers: { own, other: { command: 'y' } } }).servers).toMatchObject({
    own: { ...own, name: 'own' },
    other: { type: 'stdio' },
  });
});

test('the official mcp.json is read: types may be missing, envFile has two names, and a sign-in is left out', () => {
  const { servers, inputs } = read({
    inputs: [{ id: 'r', type: 'pickString', description: 'R', options: [{ label: 'E', value: 'e' }], default: 'e' }],
    servers: {
      a: { server_parameters: { command: 'x', env: null }, env_file: '${userHome}/.env', bundle_id: null },
      b: { type: 'stdio', envFile: 'b.env', server_parameters: { command: 'x' } },
      c: { server_parameters: { url: 'https://h/sse' } },
      d: { oauth: { scopes: [] }, bundle_id: 'd-1', server_parameters: { url: 'https://h/mcp', headers: null } },
    },
  });
  expect(Object.values(servers).map(({ type, envFile }) => [type, envFile])).toEqual([
    ['stdio', '${userHome}/.env'],
    ['stdio', 'b.env'],
    ['sse', undefined],
    ['streamable', undefined],
  ]);
  expect(servers.d).toEqual({
    ...{ name: 'd', bundle_id: 'd-1', type: 'streamable' },
    server_parameters: { url: 'https://h/mcp', headers: null },
  });
  expect(inputs).toHaveLength(1);
});

test('a type that is missing is not guessed without a command or a URL, and misspelled fields are still errors', () => {
  expect(() => read({ servers: { a: { server_parameters: {} } } })).toThrow(/^servers\.a/);
  expect(() => read({ servers: { a: { envfile: 'x', server_parameters: { command: 'x' } } } })).toThrow(
    "servers.a.envfile: unknown field; did you mean 'envFile'?",
  );
});

test('settings beside the servers disable those that they refuse, and are otherwise ignored', () => {
  const own = { server_parameters: { command: 'x' } };
  const disabled = (settings: object) => {
    const { servers } = read({ ...settings, landingRoot: '/data', servers: { a: own, b: { command: 'x' } } });
    return Object.values(servers)
      .filter(server => server.disabled)
      .map(({ name }) => name);
  };
  expect(disabled({ enabledPlugins: { x: true } })).toEqual([]);
  expect(disabled({ disabledMcpjsonServers: ['a'] })).toEqual(['a']);
  expect(disabled({ deniedMcpServers: ['b', 7] })).toEqual(['b']);
  expect(disabled({ allowedMcpServers: ['a'] })).toEqual(['b']);
  expect(disabled({ allowedMcpServers: [] })).toEqual([]);
});

test('a file of settings alone is refused with the name of the file that has the servers', () => {
  expect(() => read({ enabledPlugins: {}, landingRoot: '/data' })).toThrow(/settings of the official.*`mcp\.json`/);
});
