import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type CachedServer, fill, lazy, open } from './cached-server.ts';
import { eventually, openOffice, stateOf, textOf } from './office.ts';

const publishing = new URL('../fixtures/publishing-mcp-server.mjs', import.meta.url).pathname;

/** A server that starts with the Computer. */
function eager(script: object, program?: string): CachedServer {
  return lazy(script, { start: 'eager' }, program);
}

test('after a restart an eager server is listed from the cache until it has started, and a call waits for it', async () => {
  const server = eager({ tools: ['echo', 'pids'] });
  const tools = await fill(server);
  server.write({ tools: ['echo', 'pids'], hang: 'initialize' });
  await using computer = await open(server);
  expect(computer.status()).toMatchObject([{ state: 'starting', tools: 2 }]);
  expect(computer.tools).toEqual(tools);
  const call = computer.callTool({ tool: 'pids' });
  expect(textOf(await computer.callTool({ tool: 'echo', timeout: 100 }))).toMatch(/did not finish within 0.1 s/);
  await eventually(() => expect(server.pids()).toHaveLength(2));
  server.write({ tools: ['echo', 'pids'] });
  await computer.restartServer('s');
  expect(textOf(await call)).toBe(`[${server.pids()[2]}]`);
  expect(stateOf(computer, 's')).toBe('ready');
});

test('a Computer enters its office with the cached tools of a server that is still starting', async () => {
  const server = eager({ tools: ['echo', 'pids'] });
  await fill(server);
  server.write({ hang: 'initialize' });
  const { config, catalogFolder } = server;
  await using office = await openOffice({ servers: { s: config }, catalogFolder });
  const { tools } = await office.ask('client:get_tools');
  expect(tools.map(({ name }) => name)).toEqual(['echo', 'pids']);
  expect(stateOf(office.computer, 's')).toBe('starting');
});

test('a tool that an eager server no longer has is not found by a call that was made while it started', async () => {
  const server = eager({ tools: ['echo', 'gone'] });
  await fill(server);
  server.write({ tools: ['echo', 'new'] });
  await using computer = await open(server);
  expect(await computer.callTool({ tool: 'gone' })).toMatchObject({ isError: true, meta: { error_code: 4001 } });
  expect(computer.tools.map(({ name }) => name)).toEqual(['echo', 'new']);
});

test('an eager server that does not start any more has failed at once, and its cached tools are withdrawn', async () => {
  const server = eager({ tools: ['echo'] });
  await fill(server);
  server.write({ exit: 'start', code: 7 });
  await using computer = await open(server);
  await eventually(() => expect(stateOf(computer, 's')).toBe('failed'));
  expect(server.pids()).toHaveLength(2);
  expect(computer.tools).toEqual([]);
});

test('an Agent that asks for the Desktop while an eager server starts gets the windows that it had', async () => {
  const server = eager({ windows: 1 }, publishing);
  await fill(server);
  const { config, catalogFolder } = server;
  await using office = await openOffice({ servers: { s: config }, catalogFolder });
  const { desktops = [] } = await office.ask('client:get_desktop');
  expect(desktops.join()).toContain('window://com.example.app/0');
});

test('an Agent that reads a resource of a template, or lists prompts, while an eager server starts gets them', async () => {
  const server = eager({
    resources: [],
    templates: [{ uriTemplate: 'note://{id}', name: 'n' }],
    prompts: [{ name: 'greet' }],
  });
  await fill(server);
  const { config, catalogFolder } = server;
  await using office = await openOffice({ servers: { s: config }, catalogFolder });
  const [{ contents }, { prompts }] = await Promise.all([
    office.ask('client:read_resource', { uri: 'note://7' }),
    office.ask('client:get_prompts'),
  ]);
  expect(contents).toMatchObject([{ uri: 'note://7' }]);
  expect(prompts).toMatchObject([{ name: 'greet' }]);
});

test('an eager server that is new, or has another configuration, is waited for', async () => {
  const server = eager({ tools: ['echo'] });
  await fill(server);
  const { server_parameters } = server.config as Extract<CachedServer['config'], { type: 'stdio' }>;
  const args = [...(server_parameters.args ?? []), 'more'];
  const other = { ...server, config: { ...server.config, server_parameters: { ...server_parameters, args } } };
  await using computer = await open(other as CachedServer);
  expect(stateOf(computer, 's')).toBe('ready');
});

test('without a folder for catalogs nothing of an eager server is cached', async () => {
  const server = eager({ tools: ['echo'] });
  await using computer = await open(server, { catalogFolder: undefined as never });
  expect(stateOf(computer, 's')).toBe('ready');
  expect(() => readdirSync(server.catalogFolder)).toThrow('ENOENT');
});
