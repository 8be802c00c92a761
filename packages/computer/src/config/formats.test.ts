import { parseComputerConfig } from '@a2c-smcp/protocol';
import { expect, test } from 'vitest';
import { toOwnFormat } from './formats.ts';

const places = { workspaceFolder: '/work' };
const read = (data: unknown) => parseComputerConfig(toOwnFormat(data, places).data);

test.each([
  [{ url: 'https://a/mcp' }, 'streamable'],
  [{ url: 'https://a/sse' }, 'sse'],
  [{ url: 'https://a/sse/?x=1' }, 'sse'],
  [{ url: 'https://a/mcp?next=/sse' }, 'streamable'],
  [{ url: 'https://a/sse', type: 'http' }, 'streamable'],
  [{ url: 'https://a/mcp', type: 'SSE' }, 'sse'],
  [{ url: 'https://a/mcp', type: 'streamable-http' }, 'streamable'],
  [{ serverUrl: 'https://a/mcp' }, 'streamable'],
  [{ httpUrl: 'https://a/mcp' }, 'streamable'],
  [{ command: 'npx' }, 'stdio'],
])('the entry %j is a server of type %s', (server, type) => {
  expect(read({ mcpServers: { s: server } }).servers.s?.type).toBe(type);
});

test('fields of other programs that describe a process are converted, and all others are reported', () => {
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
  const file = { servers: { s: server }, sandbox: {} };
  expect(toOwnFormat(file, places).ignored).toEqual(['servers.s.timeout']);
  expect(read(file).servers.s).toEqual({
    name: 's',
    type: 'stdio',
    disabled: true,
    envFile: '/work/.env',
    tool_meta: { read: { auto_apply: true } },
    server_parameters: {
      command: '${userHome}/bin/x',
      args: ['/work', '${input:a}'],
      cwd: '/work',
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

test('the official mcp.json is read: types may be missing, envFile has two names, and a sign-in is read', () => {
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
    ...{ name: 'd', bundle_id: 'd-1', type: 'streamable', oauth: { scopes: [] } },
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

test('our own fields in an entry of another program count, beside those of the program', () => {
  const entry = {
    command: 'x',
    autoApprove: ['a', 'b'],
    disabledTools: ['c'],
    forbidden_tools: ['d'],
    tool_meta: { a: { auto_apply: false, alias: 'first' }, e: { tags: ['t'] } },
    default_tool_meta: { tags: ['all'] },
    vrl: '.x = 1',
    mcp_protocol: 'auto',
    require_subscribe: false,
    bundle_id: 'b-1',
  };
  expect(read({ mcpServers: { s: entry } }).servers.s).toMatchObject({
    forbidden_tools: ['d', 'c'],
    tool_meta: { a: { auto_apply: false, alias: 'first' }, b: { auto_apply: true }, e: { tags: ['t'] } },
    default_tool_meta: { tags: ['all'] },
    vrl: '.x = 1',
    mcp_protocol: 'auto',
    require_subscribe: false,
    bundle_id: 'b-1',
  });
});

test.each([
  ['ours', { client_id: 'c', scopes: ['a'] }, { client_id: 'c', scopes: ['a'] }],
  ["VS Code's", { clientId: 'c' }, { client_id: 'c' }],
  [
    "Claude Code's",
    { clientId: 'c', callbackPort: 8080, scopes: 'a b', authServerMetadataUrl: 'https://h/m' },
    { client_id: 'c', redirect_uri: 'http://localhost:8080/callback', scopes: ['a', 'b'], metadata_url: 'https://h/m' },
  ],
  [
    "the Python SDK's, with a client",
    {
      scopes: ['a'],
      mode: { type: 'authorizationCode', registration: 'preregistered', clientId: 'c', clientSecretInput: 's' },
    },
    { scopes: ['a'], client_id: 'c', client_secret: '${input:s}' },
  ],
  [
    "the Python SDK's, with a document",
    {
      clientName: 'n',
      mode: { type: 'authorizationCode', registration: 'clientMetadataDocument', url: 'https://h/c.json' },
    },
    { client_metadata_url: 'https://h/c.json' },
  ],
  [
    "the Python SDK's, with a key",
    { mode: { type: 'clientCredentialsPrivateKeyJwt', clientId: 'c', privateKeyInput: 'k', algorithm: 'ES256' } },
    { grant: 'client_credentials', client_id: 'c', private_key: '${input:k}', algorithm: 'ES256' },
  ],
])('a sign-in is read in the spelling that is %s', (_, oauth, expected) => {
  const own = { type: 'streamable', oauth, server_parameters: { url: 'https://h/mcp' } };
  for (const entry of [own, { url: 'https://h/mcp', oauth }]) {
    expect(read({ servers: { s: entry } }).servers.s).toMatchObject({ oauth: expected });
  }
});

test('a misspelled field of a sign-in is an error', () => {
  expect(() => read({ servers: { s: { url: 'https://h/mcp', oauth: { client_ids: 'c' } } } })).toThrow(
    "servers.s.oauth.client_ids: unknown field; did you mean 'client_id'?",
  );
});

test('a star approves every tool that has no rule of its own', () => {
  const { servers } = read({ mcpServers: { s: { url: 'http://h', alwaysAllow: ['*'] } } });
  expect(servers.s).toMatchObject({ tool_meta: {}, default_tool_meta: { auto_apply: true } });
});

test('a server that another program does not enable is disabled', () => {
  expect(read({ mcpServers: { s: { command: 'x', enabled: false } } }).servers.s?.disabled).toBe(true);
});

test.each([
  ['forbiden_tools', 'forbidden_tools'],
  ['envfile', 'envFile'],
  ['comand', 'command'],
  ['uri', 'url'],
])("the misspelled field '%s' in an entry of another program is an error", (field, meant) => {
  const entry = { command: 'x', [field]: [] };
  expect(() => read({ mcpServers: { s: entry } })).toThrow(
    `mcpServers.s.${field}: unknown field; did you mean '${meant}'?`,
  );
});

test('fields of other programs are not taken for misspelled ones, and remarks are skipped', () => {
  const entry = { command: 'x', includeTools: ['a'], tags: [], _comment: 'mine', '//': 'mine' };
  const { ignored } = toOwnFormat({ mcpServers: { s: entry } }, places);
  expect(ignored).toEqual(['mcpServers.s.includeTools', 'mcpServers.s.tags']);
});

test('our own fields in an entry of another program are checked', () => {
  const entry = { command: 'x', tool_meta: { a: { auto_apply: 'yes' } } };
  expect(() => read({ servers: { s: entry } })).toThrow(/^servers\.s\.tool_meta\.a\.auto_apply/);
});

test('the folder of a project and its name are filled in, and relative folders start there', () => {
  const entry = { command: './run', args: ['${workspaceFolderBasename}', '${pathSeparator}'], cwd: 'sub' };
  const [relative, placed] = [entry, { ...entry, cwd: '${env:HOME}/x' }].map(
    server => read({ servers: { s: server } }).servers.s?.server_parameters,
  );
  expect(relative).toMatchObject({ args: ['work', '${pathSeparator}'], cwd: '/work/sub' });
  expect(placed).toMatchObject({ cwd: '${env:HOME}/x' });
});

test('a file with two lists of MCP servers is refused', () => {
  expect(() => read({ servers: {}, mcpServers: {} })).toThrow('mcpServers: the file has `servers` too');
});
