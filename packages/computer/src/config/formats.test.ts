import { parseComputerConfig } from '@a2c-smcp/protocol';
import { expect, test } from 'vitest';
import { toOwnFormat } from './formats.ts';

const places = { workspaceFolder: '/work', userHome: '/home/ann' };
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
    timeout: 60,
    gallery: true,
  };
  expect(read({ servers: { s: server }, sandbox: {} }).servers.s).toEqual({
    name: 's',
    type: 'stdio',
    disabled: true,
    tool_meta: { read: { auto_apply: true } },
    server_parameters: {
      command: '/home/ann/bin/x',
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
