import { availableParallelism } from 'node:os';
import { Computer } from '@a2c-smcp/computer';
import { describe, expect, test } from 'vitest';
import { matchesTemplate } from '../../packages/computer/src/resources/uri-template.ts';
import {
  eventually,
  openBareOffice,
  openComputer,
  openOffice,
  recordingLogger,
  scripted,
  stateOf,
} from '../computer/office.ts';
import { openHttpMcpServer } from '../hostile/http-mcp-server.ts';

const good = scripted({ tools: ['echo'] }, { name: 'good' });

test('the history of calls keeps no large parameters or errors', async () => {
  await using office = await openBareOffice({ servers: { s: scripted({ tools: ['odd'] }, { name: 's' }) } });
  const text = 'x'.repeat(500_000);
  const call = (req_id: string, tool_name: string, params: object) =>
    office.ask('client:tool_call', { agent: 'a', computer: 'desk', req_id, tool_name, params, timeout: 20 });
  await call('r1', 'odd', { result: { isError: true, content: [{ type: 'text', text }] } });
  await call('r2', text, { small: 1 });
  const [large, unknown] = office.computer.history;
  expect(large).toMatchObject({ tool: 'odd', success: false, parameters: {} });
  expect(unknown).toMatchObject({ parameters: { small: 1 } });
  expect(JSON.stringify(office.computer.history).length).toBeLessThan(10_000);
});

describe('an MCP server', () => {
  test('an MCP server that sends requests without reading the answers is restarted', async () => {
    const bad = scripted(
      { tools: ['flood'], flood: { id: 'x', method: 'ping' }, deafAfterFlood: true },
      { name: 'bad' },
    );
    await using computer = await Computer.open({ name: 'desk', servers: { bad, good } });
    await computer.callTool({ tool: 'flood' });
    await eventually(() => expect(computer.status()[0]?.restarts).toBe(1));
    expect(await computer.callTool({ tool: 'echo' })).not.toHaveProperty('isError');
  });

  test.each([
    ['notifications', { method: 'notifications/tools/list_changed' }],
    ['sampling requests', { id: 's', method: 'sampling/createMessage', params: { messages: [], maxTokens: 1 } }],
  ])('an MCP server that floods the Computer with %s does not keep others from being served', async (_, flood) => {
    const bad = scripted({ tools: ['flood'], flood }, { name: 'bad' });
    await using computer = await Computer.open({ name: 'desk', servers: { bad, good } });
    await computer.callTool({ tool: 'flood' });
    for (let count = 0; count < 5; count++) {
      expect(await computer.callTool({ tool: 'echo', timeout: 20_000 })).not.toHaveProperty('isError');
    }
    expect(stateOf(computer, 'good')).toBe('ready');
  });

  test.each([
    ['x\n', 'stdout'],
    ['\n', 'stdout'],
    ['{}\n', 'stdout'],
    ['{"jsonrpc":"2.0","method":"x"}\n', 'stdout'],
    ['\n', 'stderr'],
    ['x\n', 'stderr'],
  ])(
    'an MCP server that floods with lines %j on %s leaves time for the calls of others and few lines in the log',
    async (...flood) => {
      const [floodText, floodTo] = flood;
      const log = recordingLogger();
      const bad = scripted({ tools: ['flood'], floodText, floodTo }, { name: 'bad' });
      await using computer = await Computer.open({ name: 'desk', servers: { bad, good }, logger: log });
      const start = performance.now();
      await computer.callTool({ tool: 'flood' });
      for (let count = 0; count < 20; count++) {
        expect(await computer.callTool({ tool: 'echo', timeout: 3000 })).not.toHaveProperty('isError');
      }
      // At most 1,000 lines of a server are passed on within a second.
      const windows = Math.ceil((performance.now() - start) / 1000) + 1;
      expect(log.text().length).toBeLessThan(150_000 * windows);
    },
  );

  test('an MCP server that floods standard output with lines that are no messages is restarted, and the reason is logged', async () => {
    const log = recordingLogger();
    const bad = scripted({ tools: ['flood'], floodText: 'x\n' }, { name: 'bad' });
    await using computer = await Computer.open({ name: 'desk', servers: { bad, good }, logger: log });
    await computer.callTool({ tool: 'flood' });
    await eventually(() => expect(computer.status()[0]?.restarts).toBe(1));
    expect(log.text()).toContain('more than 10,000 lines that are no MCP messages within a second');
  });

  test.each(['first', 'last'])(
    'an MCP server that answers a call with more than 1,000,000 values, its id %s, fails that call alone',
    async id => {
      const bad = scripted({ tools: ['many'] }, { name: 'bad' });
      await using computer = await Computer.open({ name: 'desk', servers: { bad, good } });
      const result = await computer.callTool({ tool: 'many', params: { id, value: '{},', count: 5_000_000 } });
      expect(JSON.stringify(result)).toContain('more than 1,000,000 values');
      expect(computer.status()[0]).toMatchObject({ state: 'ready', restarts: 0 });
    },
  );

  test('an MCP server that sends more than 1,000,000 values in a message of its own is restarted', async () => {
    const bad = scripted({ tools: ['many'] }, { name: 'bad' });
    await using computer = await Computer.open({ name: 'desk', servers: { bad, good } });
    const result = await computer.callTool({ tool: 'many', params: { id: 'none', value: '{},', count: 1_000_000 } });
    expect(JSON.stringify(result)).toContain('more than 1,000,000 values');
    await eventually(() => expect(computer.status()[0]?.restarts).toBe(1));
  });

  test('an MCP server that answers over HTTP with more than 100 messages at once fails the call', async () => {
    const note = '{"jsonrpc":"2.0","method":"x"}';
    const web = await openHttpMcpServer('streamable as JSON', ({ method }) =>
      method === 'tools/call' ? { body: `[${Array(80_000).fill(note).join()}]` } : undefined,
    );
    await using computer = await Computer.open({ name: 'desk', servers: { web, good } });
    expect(JSON.stringify(await computer.callTool({ tool: 'run' }))).toContain('more than 100 messages at once');
    expect(await computer.callTool({ tool: 'echo' })).not.toHaveProperty('isError');
  });

  test('an MCP server whose windows are too many and too large is shown in part', async () => {
    const window = (index: number) => ({ uri: `window://com.example.app/${index}`, name: `w${index}` });
    const resources = Array.from({ length: 1100 }, (_, index) => window(index));
    const bad = scripted({ resources, subscribe: true, longTexts: 50_000 }, { name: 'bad' });
    await using office = await openOffice({ servers: { bad, good } });
    const desktop = await office.computer.desktop();
    expect(desktop.length).toBeGreaterThan(50);
    expect(desktop.join('').length).toBeLessThan(33 * 1024 * 1024);
  });
});

describe('a template of resources', () => {
  test.each([
    ['file:///{name}', 'file:///a', true],
    ['file:///{name}', 'file:///a/b', false],
    ['file:///{+path}', 'file:///a/b', true],
    ['file:///{name}', 'file:///', false],
    ['x:{a}-{b}', 'x:1-2-3', true],
    ['x:{a}.{b}', 'x:1', false],
    ['x:y{/a}', 'x:y/1', true],
    ['x:y{?q,r}', 'x:y?q=1&r=2', true],
    ['x:y{?q,r}', 'x:y?q=1', false],
    ['x:y', 'x:y', true],
    ['x:(.*)', 'x:abc', false],
    ['x:{unclosed', 'x:a', false],
  ])('the template %s matches %s: %s', (template, uri, isMatch) => {
    expect(matchesTemplate(template, uri)).toBe(isMatch);
  });

  test('a template that makes a regular expression backtrack without end costs nothing', async () => {
    const uriTemplate = `x:${'{a}'.repeat(30)}!`;
    const bad = scripted({ resources: [], templates: [{ uriTemplate }] }, { name: 'bad' });
    await using office = await openOffice({ servers: { bad, good } });
    const read = office.ask('client:read_resource', { uri: `x:${'a'.repeat(5000)}` });
    await expect(read).rejects.toMatchObject({ code: 404 });
  });
});

test.each([
  ['more than 100 keywords', { keywords: Array(101).fill('x') }],
  ['a keyword of more than 1,000 characters', { keywords: ['x'.repeat(1001)] }],
])('a search with %s is refused with 400', async (_, query) => {
  await using office = await openOffice({ servers: { good } });
  await expect(office.ask('client:get_finder', query)).rejects.toMatchObject({ code: 400 });
});

test.each(['__proto__', 'constructor', 'x'.repeat(100_000), '\u0000\u001b[31m'])(
  'a call of a tool named %j is answered, and the next is served',
  async tool => {
    await using office = await openOffice({ servers: { good } });
    const params = JSON.parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}');
    expect(await office.callTool(tool, params)).toMatchObject({ isError: true, meta: { error_code: 4001 } });
    expect(await office.callTool('echo', params)).not.toHaveProperty('isError');
    expect({}).not.toHaveProperty('polluted');
  },
);

test('50 servers start in at most three times what one takes per core', { timeout: 60_000 }, async () => {
  const names = Array.from({ length: 50 }, (_, index) => `s${index}`);
  const one = Date.now();
  await (await openComputer({ one: { tools: ['echo'] } })).close();
  const alone = Date.now() - one;
  const many = Date.now();
  await using computer = await openComputer(Object.fromEntries(names.map(name => [name, { tools: [`${name}-echo`] }])));
  const took = Date.now() - many;
  expect(computer.status().map(({ state }) => state)).toEqual(names.map(() => 'ready'));
  expect(computer.tools.map(({ name }) => name)).toEqual(names.map(name => `${name}-echo`));
  expect(took).toBeLessThan((3 * alone * names.length) / availableParallelism());
});
