import { completeServerConfig, type MCPServerConfig, type MCPServerInput } from '@a2c-smcp/protocol';
import { expect, test } from 'vitest';
import { secretsOf, secretsOfInput } from './credentials.ts';
import { maskConfig } from './mask.ts';

function complete(config: Omit<MCPServerConfig, 'name'>) {
  return completeServerConfig({ ...config, name: 's' } as MCPServerConfig);
}

function masked(config: Omit<MCPServerConfig, 'name'>): unknown {
  return maskConfig([], [complete(config)], text => text).servers[0]?.server_parameters;
}

test.each([
  ['plain', '***'],
  ['', ''],
  ['${input:a}', '${input:a}'],
  ['${input:a}${env:B}', '${input:a}${env:B}'],
  ['Bearer ${input:a}', 'Bearer ${input:a}'],
  ['sk-123${input:a}', '***'],
  ['Bearer literal', '***'],
  ['\uE000', '***'],
])('the environment value %j is shown as %j, and so is a header of any name', (value, shown) => {
  const stdio = { type: 'stdio' as const, server_parameters: { command: 'x', env: { KEY: value } } };
  expect(masked(stdio)).toMatchObject({ env: { KEY: shown } });
  const http = { type: 'sse' as const, server_parameters: { url: 'https://a', headers: { 'X-Trace': value } } };
  expect(masked(http)).toMatchObject({ headers: { 'X-Trace': shown } });
});

test.each([
  ['https://a/b?x=1', 'https://a/b?x=1'],
  ['https://a/b?api_key=1&x=2#f', 'https://a/b?api_key=***&x=2#f'],
  ['https://u:p@a/b', 'https://***@a/b'],
  ['https://u:p@ss@a/b', 'https://***@a/b'],
  ['postgres://u:12/34@a/b', 'postgres://***/***/b'],
  ['https://${input:u}@a/b?token=${input:t}', 'https://${input:u}@a/b?token=${input:t}'],
  ['https://mcp.example.com:8443/v1/mcp/sk-abc123def456/sse', 'https://mcp.example.com:8443/v1/mcp/***/sse'],
  ['https://example.com/hook/canary-4711', 'https://example.com/hook/***'],
  ['https://example.com/?q=8f14e45fceea167a&mode=fast', 'https://example.com/?q=***&mode=fast'],
  ['https://example.com/swordfish?swordfish&x=swordfish#swordfish', 'https://example.com/***?***&x=***#***'],
  ['https://example.com/mcp?c3dvcmRmaXNo==', 'https://example.com/mcp?***'],
  ['https://8f14e45fceea167a.example.com/mcp', 'https://***.example.com/mcp'],
  ['http://[::1]:80/mcp', 'http://[::1]:80/mcp'],
  ['http://127.0.0.1:9/mcp#Zx81kQpp02', 'http://127.0.0.1:9/mcp#***'],
  ['${input:url}', '${input:url}'],
  ['no url with a secret', '***'],
])('the URL %j is shown as %j', (url, shown) => {
  expect(masked({ type: 'sse', server_parameters: { url } })).toMatchObject({ url: shown });
});

test.each([
  ['--token abc --verbose', '--token *** --verbose'],
  ['--token=abc', '--token=***'],
  ['--password:abc', '--password:***'],
  ['--password --verbose', '--password --verbose'],
  ['--password -Zx81kQ', '--password ***'],
  ['--password -secretword -v', '--password *** -v'],
  ['-k abc file', '-k *** file'],
  ['-phunter', '***'],
  ['--pat abc', '--pat ***'],
  ['--api-key ${input:k}', '--api-key ${input:k}'],
  ['--data hunter2secret', '--data ***'],
  ['--data=hunter2secret', '--data=***'],
  ['hunter2secret', '***'],
  ['--x swordfish', '--x ***'],
  ['--x=swordfish', '--x=***'],
  ['x=swordfish', 'x=***'],
  ['swordfish', '***'],
  ['c3dvcmRmaXNo=', '***='],
  ['-tabcdefgh -kmysecretkey', '*** ***'],
  ['--code 12345 --port 12345 --max-size=12345', '--code *** --port 12345 --max-size=12345'],
  ['-y correct-horse-server', '-y correct-horse-server'],
  ['--x correct-horse-server correct-horse-server', '--x *** ***'],
  ['--x deadbeef --y QWERTYUI', '--x *** --y ***'],
  ['--x correct/horse', '--x ***'],
  ['-transport stdio --log-level DEBUG', '-transport stdio --log-level DEBUG'],
  ['run -i --rm -e GITHUB_TOKEN=abc', 'run -i --rm -e GITHUB_TOKEN=***'],
  ['-e GITHUB_TOKEN ghcr.io/github/github-mcp-server', '-e GITHUB_TOKEN ghcr.io/github/github-mcp-server'],
  ['-e REGION=eu', '-e REGION=***'],
  ['password=abc', 'password=***'],
  ['mode=fast', 'mode=fast'],
  ['ann:abc', '***'],
  ['ann:1234', '***'],
  ['localhost:8080', 'localhost:8080'],
  ['postgresql://ann:abc@db:5432/shop?sslmode=require', 'postgresql://***@db:5432/shop?sslmode=require'],
  ['jdbc:postgresql://db/shop?password=abc', '***'],
  ['-y @modelcontextprotocol/server-everything stdio', '-y @modelcontextprotocol/server-everything stdio'],
  ['-y tavily-mcp@0.1.2 mcp-remote@latest', '-y tavily-mcp@0.1.2 mcp-remote@latest'],
  ['-m mcp_server_git --repository /home/ann/work-2', '-m mcp_server_git --repository /home/ann/work-2'],
  ['--directory C:\\Users\\Ann\\app run server.py', '--directory C:\\Users\\Ann\\app run server.py'],
  ['--port 8080 --debug true --ratio 0.5', '--port 8080 --debug true --ratio 0.5'],
  ['/var/8f14e45fceea167a5a36/x.json', '/var/***/x.json'],
  ['dist/index.js ./a/b ../c ~/d/${input:e}', 'dist/index.js ./a/b ../c ~/d/${input:e}'],
  ['AKIAIOSFODNN7EXAMPLE ghp_abcdefghij eyJhbGciOiJIUzI1NiJ9.e30.x', '*** *** ***'],
])('the arguments %j are shown as %j', (args, shown) => {
  const server_parameters = { command: 'x', args: args.split(' ') };
  expect(masked({ type: 'stdio', server_parameters })).toMatchObject({ args: shown.split(' ') });
});

test('an argument that is a header shows its name only, one that is JSON or code nothing', () => {
  const args = [
    '--header',
    'Authorization: Bearer abc',
    'X-Any: ${input:a}',
    '-H',
    'X-Pin: 1234',
    'X-Pin: 1234',
    '{"apiKey":"abc"}',
    'console.log(1)',
  ];
  expect(masked({ type: 'stdio', server_parameters: { command: '/opt/8f14e45fceea/x', args, cwd: '/srv' } })).toEqual(
    expect.objectContaining({
      command: '/opt/***/x',
      args: ['--header', 'Authorization: ***', 'X-Any: ${input:a}', '-H', 'X-Pin: ***', '***', '***', '***'],
      cwd: '/srv',
    }),
  );
});

test.each([
  { type: 'stdio' as const, server_parameters: { command: 'x' } },
  { type: 'sse' as const, server_parameters: { url: 'https://example.com/sse' } },
])('roots of a $type server are shown like other paths', config => {
  const given = complete({ ...config, roots: ['~/project', '/srv/8f14e45fceea/x', '${input:folder}'] });
  const { servers } = maskConfig([], [given], text => text);
  expect(servers[0]?.roots).toEqual(['~/project', '/srv/***/x', '${input:folder}']);
});

test('an input shows its command like arguments, and defaults and options as far as they are harmless', () => {
  const inputs: MCPServerInput[] = [
    { id: 'a', type: 'command', description: 'A', command: '"/opt/pass" show work --token "abc" "x y"' },
    {
      id: 'b',
      type: 'command',
      description: 'B',
      command: 'vault',
      args: { read: '', '--token': 'abc', '-f': 'json' },
    },
    { id: 'c', type: 'promptString', description: 'C', default: 'hunter2secret' },
    { id: 'd', type: 'promptString', description: 'D', default: 'word', password: true },
    { id: 'e', type: 'pickString', description: 'E', options: ['eu', 'sk-4711abcdef'], default: 'eu' },
  ];
  expect(maskConfig(inputs, [], text => text).inputs).toEqual([
    { ...inputs[0], command: '"/opt/pass" show work --token "***" *** ***' },
    { ...inputs[1], args: { read: '', '--token': '***', '-f': 'json' } },
    { ...inputs[2], default: '***' },
    { ...inputs[3], default: '***' },
    { ...inputs[4], options: ['eu', '***'] },
  ]);
  expect(inputs.flatMap(secretsOfInput)).toEqual(
    expect.arrayContaining(['abc', 'hunter2secret', 'word', 'sk-4711abcdef']),
  );
});

test.each([
  ['The token (see https://example.com/settings/tokens), v1.2', 'The token (see https://example.com/***/***), v1.2'],
  ["Ann's API-key: sk-abc123def456", "Ann's API-key: ***"],
  ['it is hunter2secret.', 'it is ***.'],
  ['canary-4711 or ?!%&=$?!', '*** or ***'],
])('the description %j is shown as %j', (description, shown) => {
  const input: MCPServerInput = { id: 'a', type: 'promptString', description };
  expect(maskConfig([input], [], text => text).inputs[0]?.description).toBe(shown);
});

test.each([
  ['.key = "swordfish"; .mode = "json"', '.key = "***"; .mode = "json"'],
  [String.raw`.a = s'sword\'fish' + "x\"swordfish"`, `.a = s'***' + "***"`],
  [".b = match(.c, r'swordfish') # or hunter2secret\n.d = 1", ".b = match(.c, r'***') # or ***\n.d = 1"],
  ['.e = 123456789 + 12; .f = "open', '.e = *** + 12; .f = "open'],
  ['.g = "swordfish', '.g = "***'],
])('the VRL script %j is shown as %j', (vrl, shown) => {
  const config = complete({ type: 'stdio', vrl, server_parameters: { command: 'x' } });
  expect(maskConfig([], [config], text => text).servers[0]?.vrl).toBe(shown);
});

test('fields that no schema names are not shown', () => {
  const unnamed = { apiKey: 'swordfish' };
  const stdio = complete({ type: 'stdio', ...unnamed, server_parameters: { command: 'x', ...unnamed } });
  const sse = complete({ type: 'sse', ...unnamed, server_parameters: { url: 'https://a', ...unnamed } });
  const input = { id: 'a', type: 'promptString' as const, description: 'A', ...unnamed };
  expect(JSON.stringify(maskConfig([input], [stdio, { ...sse, name: 't' }], text => text))).not.toContain('swordfish');
});

test('a part of a masked argument that says nothing alone is no secret', () => {
  const script = { say: 'no database', uri: 'window://app/%zz', path: '/usr/bin/node', deep: { token: 'open sesame' } };
  const args = [JSON.stringify(script)];
  const secrets = secretsOf(complete({ type: 'stdio', server_parameters: { command: 'x', args } }));
  expect(new Set(secrets)).toEqual(new Set([...args, 'open sesame', '%zz']));
});

test('redaction leaves alone the fields whose values are fixed by the schema', () => {
  const server_parameters = { command: 'strict', encoding_error_handler: 'strict' as const };
  const { servers } = maskConfig([], [complete({ type: 'stdio', server_parameters })], () => '***');
  expect(servers[0]).toMatchObject({
    name: 's',
    type: 'stdio',
    server_parameters: { command: '***', encoding_error_handler: 'strict' },
  });
});

test('everything that is masked in a configuration is a secret, alone and in its parts', () => {
  const stdio = complete({
    type: 'stdio',
    server_parameters: {
      command: 'x',
      args: ['--header', 'Authorization: Bearer canary-1x', 'postgres://ann:canary%202@db/x', '{"k":["canary-3x"]}'],
      env: { A: 'canary-4x', B: 'Basic YW5uOmNhbmFyeS01eA==', DSN: 'host=db;password=canary-6x', C: 'pre${input:x}' },
    },
  });
  const http = complete({
    type: 'streamable',
    server_parameters: { url: 'https://h/canary-7x/mcp?t=canary-8x', headers: { 'X-Odd': 'canary-9x' } },
  });
  expect([...secretsOf(stdio), ...secretsOf(http)]).toEqual(
    expect.arrayContaining([
      'canary-1x',
      'canary 2',
      'YW5uOmNhbmFyeSAy',
      ...[3, 4, 5, 6, 7, 8, 9].map(n => `canary-${n}x`),
    ]),
  );
});
