import { describe, expect, test } from 'vitest';
import { parseComputerConfig } from './config-file.ts';
import { ConfigError } from './errors.ts';

const stdio = { type: 'stdio', server_parameters: { command: 'node' } };

test('a server needs little more than its command', () => {
  expect(parseComputerConfig({ servers: { files: stdio } })).toEqual({
    inputs: [],
    policy: [],
    questions: {},
    servers: { files: { ...stdio, name: 'files' } },
  });
});

test('every field of every transport is accepted', () => {
  const base = {
    disabled: true,
    forbidden_tools: ['rm'],
    tool_meta: { read: { auto_apply: true, alias: 'r', tags: ['x'], ret_object_mapper: {}, vendor: 1 } },
    default_tool_meta: null,
    vrl: '.x = 1',
    mcp_protocol: 'auto',
    require_subscribe: false,
  };
  const config = {
    $schema: './schema.json',
    inputs: [
      { id: 'key', description: 'Key', type: 'promptString', default: 'x', password: true },
      { id: 'mode', description: 'Mode', type: 'pickString', options: ['a', 'b'], default: null },
      { id: 'rev', description: 'Revision', type: 'command', command: 'git', args: { 'rev-parse': 'HEAD' } },
    ],
    servers: {
      a: {
        ...base,
        name: 'a',
        type: 'stdio',
        server_parameters: {
          command: 'node',
          args: ['x'],
          env: { A: '${input:key}' },
          cwd: '/',
          encoding: 'utf-8',
          encoding_error_handler: 'replace',
        },
      },
      b: {
        ...base,
        name: 'b',
        type: 'http',
        server_parameters: {
          url: 'http://x',
          headers: { a: 1 },
          timeout: 'PT1S',
          sse_read_timeout: 'PT5M',
          terminate_on_close: false,
        },
      },
      c: {
        ...base,
        name: 'c',
        type: 'sse',
        server_parameters: { url: 'http://x', headers: null, timeout: 5, sse_read_timeout: 300 },
      },
    },
  };
  const { inputs, servers } = parseComputerConfig(config);
  expect({ inputs, servers }).toEqual({ inputs: config.inputs, servers: config.servers });
});

describe('a mistake in a configuration file', () => {
  const input = { id: 'a', description: 'A', type: 'promptString' };
  const cases: [string, unknown, string][] = [
    [
      'a misspelled field',
      { servers: { files: { type: 'stdio', server_parameters: { comand: 'node' } } } },
      "servers.files.server_parameters.comand: unknown field; did you mean 'command'?",
    ],
    ['a misspelled field at the top', { server: {} }, "server: unknown field; did you mean 'servers'?"],
    ['an unknown field', { servers: {}, colour: 1 }, 'colour: unknown field'],
    [
      'a missing field',
      { servers: { a: { type: 'stdio', server_parameters: {} } } },
      'servers.a.server_parameters.command: expected string, received undefined',
    ],
    [
      'a wrong type',
      { servers: { a: { type: 'stdio', server_parameters: { command: 'x', args: 'y' } } } },
      'servers.a.server_parameters.args: expected array, received string',
    ],
    [
      'an unknown transport',
      { servers: { a: { type: 'pipe', server_parameters: {} } } },
      "servers.a.type: Expected 'stdio' | 'streamable' | 'http' | 'Http' | 'HTTP' | 'sse'",
    ],
    [
      'seconds where a duration belongs',
      { servers: { a: { type: 'streamable', server_parameters: { url: 'x', timeout: 30 } } } },
      'servers.a.server_parameters.timeout: expected string, received number',
    ],
    [
      'a name that is not the key',
      { servers: { a: { ...stdio, name: 'b' } } },
      "servers.a.name: expected 'a', the key of the server",
    ],
    [
      'two inputs with one id',
      { inputs: [input, input], servers: {} },
      "inputs.1.id: 'a' is the id of an earlier input",
    ],
    ['no object at all', [], 'expected object, received array'],
  ];
  test.each(cases)('%s is named by its path', (_, data, message) => {
    expect(() => parseComputerConfig(data)).toThrow(ConfigError);
    expect(() => parseComputerConfig(data)).toThrow(message);
  });
});
