import { Computer } from '@a2c-smcp/computer';
import { type MCPServerConfig, parseComputerConfig } from '@a2c-smcp/protocol';
import { expect, test } from 'vitest';
import { identify } from '../../packages/computer/src/config/bundle-id.ts';
import vectors from '../conformance/fixtures/bundle-ids.json' with { type: 'json' };
import { verifies } from '../conformance/verifies.ts';
import { openComputer, openOffice, scripted, stateOf } from './office.ts';

/** A vector has the connection fields at the level of the server. */
function configOf({ name, config: { type, ...fields } }: (typeof vectors)[number]): MCPServerConfig {
  const { bundle_id, ...server_parameters } = { bundle_id: undefined, ...fields };
  return { name, type, bundle_id, server_parameters } as unknown as MCPServerConfig;
}

verifies(['bundle-id.derived', 'bundle-id.fallback'], () => {
  expect(vectors.length).toBeGreaterThanOrEqual(20);
  const ids = vectors.map(vector => identify(configOf(vector)).bundle_id);
  expect(ids).toEqual(vectors.map(({ bundle_id }) => bundle_id));
  expect(vectors.filter(({ bundle_id }) => bundle_id.startsWith('bundle_')).length).toBeGreaterThan(10);
});

verifies(
  'bundle-id.fallback',
  async () => {
    const parameters = (token: string) => ({ command: process.execPath, args: ['-e', ''], env: { TOKEN: token } });
    const literal = identify({ name: '文件', type: 'stdio', server_parameters: parameters('${input:token}') });
    const servers = { 文件: { type: 'stdio' as const, server_parameters: parameters('${input:token}') } };
    const inputs = [{ id: 'token', type: 'promptString' as const, description: 'A token' }];
    await using computer = await Computer.open({ name: 'desk', servers, inputs, inputValues: { token: 'value' } });
    expect(computer.config.servers.文件?.bundle_id).toBe(literal.bundle_id);
  },
  'placeholders are not replaced',
);

verifies('bundle-id.explicit', async () => {
  const file = (bundle_id: string) => ({ servers: { s: { ...scripted(), bundle_id } } });
  for (const id of ['a', 'A-b_9', '-', '_a_']) expect(parseComputerConfig(file(id)).servers.s?.bundle_id).toBe(id);
  for (const id of ['', 'a__b', 'a.b', '文件', 'a b']) {
    expect(() => parseComputerConfig(file(id))).toThrow(/^servers\.s\.bundle_id: expected letters/);
    await expect(Computer.open({ name: 'desk', ...file(id) })).rejects.toThrow(/servers\.s\.bundle_id/);
  }
});

verifies('bundle-id.conflict', async () => {
  await using computer = await openComputer({ 'a.b': { tools: ['one'] }, a_b: { tools: ['two'] } });
  expect(computer.status()).toMatchObject([
    { name: 'a.b', state: 'ready' },
    {
      name: 'a_b',
      state: 'failed',
      error: expect.stringMatching(/'a_b' is the bundle_id of MCP server 'a\.b' too: set another/),
    },
  ]);
  expect(computer.status()[1]).not.toHaveProperty('pid');
  expect(computer.tools.map(({ name }) => name)).toEqual(['one']);
  await computer.addServer({ ...scripted({ tools: ['two'] }, { name: 'a_b' }), bundle_id: 'other' });
  expect(stateOf(computer, 'a_b')).toBe('ready');
  expect(computer.tools.map(({ name, bundle_id }) => `${bundle_id} ${name}`)).toEqual(['a_b one', 'other two']);
});

test('a server that was refused for its bundle_id starts when the other is removed', async () => {
  await using computer = await openComputer({ 'a.b': { tools: ['one'] }, a_b: { tools: ['two'] } });
  await computer.removeServer('a.b');
  await computer.restartServer('a_b');
  expect(computer.tools.map(({ name }) => name)).toEqual(['two']);
  const late = await computer.addServer(scripted({ tools: ['one'] }, { name: 'a.b' }));
  expect(late).toMatchObject({ state: 'failed', error: expect.stringContaining("MCP server 'a_b' too") });
});

test('a server that gets the bundle_id of another is refused, and its former id is free', async () => {
  await using computer = await openComputer({ a: { tools: ['one'] }, b: { tools: ['two'] } });
  const refused = await computer.addServer({ ...scripted({ tools: ['two'] }, { name: 'b' }), bundle_id: 'a' });
  expect(refused.state).toBe('failed');
  const heir = await computer.addServer({ ...scripted({ tools: ['three'] }, { name: 'c' }), bundle_id: 'b' });
  expect(heir.state).toBe('ready');
  await computer.disableServer('b');
  expect(stateOf(computer, 'a')).toBe('ready');
});

verifies('bundle-id.shown', async () => {
  const servers = {
    'My Files!': scripted({ tools: ['read'] }),
    mail: { ...scripted({ tools: ['send'] }), bundle_id: 'm-1' },
  };
  await using office = await openOffice({ servers });
  const { tools } = await office.ask('client:get_tools');
  expect(tools.map(({ name, bundle_id }) => [name, bundle_id])).toEqual([
    ['read', 'My_Files'],
    ['send', 'm-1'],
  ]);
  const { servers: shown } = await office.ask('client:get_config');
  expect(Object.values(shown).map(({ bundle_id }) => bundle_id)).toEqual(['My_Files', 'm-1']);
});
