import { completeServerConfig, type MCPServerConfig } from '@a2c-smcp/protocol';
import { expect, test } from 'vitest';
import { maskConfig } from './mask.ts';

function masked(config: Omit<MCPServerConfig, 'name'>): unknown {
  const complete = completeServerConfig({ ...config, name: 's' } as MCPServerConfig);
  return maskConfig([], [complete], parameters => parameters).servers.s?.server_parameters;
}

test.each([
  ['plain', '***'],
  ['', ''],
  ['${input:a}', '${input:a}'],
  ['${input:a}${env:B}', '${input:a}${env:B}'],
  ['Bearer ${input:a}', 'Bearer ${input:a}'],
  ['sk-123${input:a}', '***'],
  ['Bearer literal', '***'],
])('the environment value %j is shown as %j', (value, shown) => {
  const server_parameters = { command: 'x', env: { KEY: value } };
  expect(masked({ type: 'stdio', server_parameters })).toMatchObject({ env: { KEY: shown } });
});

test.each([
  ['https://a/b?x=1', 'https://a/b?x=1'],
  ['https://a/b?api_key=1&x=2#f', 'https://a/b?api_key=***&x=2#f'],
  ['https://u:p@a/b', 'https://***@a/b'],
  ['https://${input:u}@a/b?token=${input:t}', 'https://${input:u}@a/b?token=${input:t}'],
  ['${input:url}', '${input:url}'],
  ['no url with a secret', '***'],
])('the URL %j is shown as %j', (url, shown) => {
  expect(masked({ type: 'sse', server_parameters: { url } })).toMatchObject({ url: shown });
});

test.each([
  [
    ['--token', 'abc', '--verbose'],
    ['--token', '***', '--verbose'],
  ],
  [['--token=abc'], ['--token=***']],
  [
    ['--password', '--verbose'],
    ['--password', '--verbose'],
  ],
  [
    ['-k', 'abc', 'file'],
    ['-k', 'abc', 'file'],
  ],
  [
    ['--api-key', '${input:k}'],
    ['--api-key', '${input:k}'],
  ],
])('the arguments %j are shown as %j', (args, shown) => {
  expect(masked({ type: 'stdio', server_parameters: { command: 'x', args } })).toMatchObject({ args: shown });
});
