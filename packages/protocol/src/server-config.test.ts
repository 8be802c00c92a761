import { expect, test } from 'vitest';
import { completeServerConfig } from './server-config.ts';

const defaults = { disabled: false, forbidden_tools: [], tool_meta: {}, default_tool_meta: null, vrl: null };

test('the defaults of stdio are written out', () => {
  const config = completeServerConfig({ name: 'a', type: 'stdio', server_parameters: { command: 'node' } });
  expect(config).toEqual({
    name: 'a',
    ...defaults,
    type: 'stdio',
    server_parameters: {
      command: 'node',
      args: [],
      env: null,
      cwd: null,
      encoding: 'utf-8',
      encoding_error_handler: 'strict',
    },
  });
});

test.each(['http', 'Http', 'HTTP', 'streamable'] as const)(
  '%s leaves as streamable, its durations in ISO 8601',
  type => {
    const config = completeServerConfig({ name: 'a', type, server_parameters: { url: 'http://x' } });
    expect(config).toEqual({
      name: 'a',
      ...defaults,
      type: 'streamable',
      server_parameters: {
        url: 'http://x',
        headers: null,
        timeout: 'PT30S',
        sse_read_timeout: 'PT5M',
        terminate_on_close: true,
      },
    });
  },
);

test('the limits of sse are seconds', () => {
  const config = completeServerConfig({ name: 'a', type: 'sse', server_parameters: { url: 'http://x' } });
  expect(config.server_parameters).toEqual({ url: 'http://x', headers: null, timeout: 5, sse_read_timeout: 300 });
});

test('given fields are not changed, nor are unknown ones', () => {
  const config = completeServerConfig({
    name: 'a',
    type: 'sse',
    disabled: true,
    vendor: 1,
    server_parameters: { url: 'http://x', timeout: 1, region: 'eu' },
  });
  expect(config).toMatchObject({ disabled: true, vendor: 1, server_parameters: { timeout: 1, region: 'eu' } });
});

test('a parameter given as undefined keeps its default', () => {
  const server_parameters = { command: 'node', args: undefined, env: undefined, encoding: undefined };
  const config = completeServerConfig({ name: 'a', type: 'stdio', server_parameters, vrl: undefined });
  expect(config).toMatchObject({ vrl: null, server_parameters: { args: [], env: null, encoding: 'utf-8' } });
});
