import { Agent } from '@a2c-smcp/agent';
import { SmcpServer } from '@a2c-smcp/server';
import { describe, expect, test } from 'vitest';
import { verifies } from '../conformance/verifies.ts';
import { openBareOffice, openComputer, openOffice, recordingLogger, scripted, stateOf } from './office.ts';
import { temporaryFolder } from './temporary.ts';

const review = {
  name: 'review',
  title: 'Review',
  description: 'Reviews a file',
  arguments: [{ name: 'path', description: 'The file', required: true }, { name: 'tone' }],
  icons: [{ src: 'data:,' }],
  _meta: { own: 1 },
};
const odd = { name: "../o dd\n'name'☃" };
const servers = {
  empty: scripted({}, { name: 'empty' }),
  a: scripted({ prompts: [review, odd, { name: 'third' }], pageSize: 1 }, { name: 'a' }),
  b: scripted({ prompts: [review] }, { name: 'b' }),
};
const named = (name: string) => ({ mcp_server: name, mcp_server_name: name });
const namesIn = (prompts: readonly { mcp_server: string; name: string }[]) =>
  prompts.map(({ mcp_server, name }) => `${mcp_server}/${name}`);

describe('prompts for the Agent', () => {
  verifies('get-prompts.page', async () => {
    await using office = await openOffice({ servers });
    const first = await office.ask('client:get_prompts', { mcp_server: 'a' });
    expect(first).toMatchObject({ prompts: [{ ...review, mcp_server: 'a' }], next_cursor: '1' });
    const second = await office.ask('client:get_prompts', { mcp_server: 'a', cursor: '1' });
    expect(second).toMatchObject({ prompts: [{ ...odd, mcp_server: 'a' }], next_cursor: '2' });
    const last = await office.ask('client:get_prompts', { mcp_server: 'a', cursor: '2' });
    expect(last.prompts).toEqual([{ name: 'third', mcp_server: 'a' }]);
    expect(last.next_cursor ?? undefined).toBeUndefined();
  });

  verifies('get-prompts.all', async () => {
    await using office = await openOffice({ servers });
    const { prompts, next_cursor } = await office.ask('client:get_prompts');
    expect(namesIn(prompts)).toEqual(['a/review', `a/${odd.name}`, 'a/third', 'b/review']);
    expect(next_cursor ?? undefined).toBeUndefined();
    await expect(office.ask('client:get_prompts', { cursor: '1' })).rejects.toMatchObject({ code: 400 });
  });

  verifies('get-prompts.left-out', async () => {
    const logger = recordingLogger();
    await using office = await openOffice({
      logger,
      servers: {
        silent: scripted({ prompts: [review], hangPrompts: 'list' }, { name: 'silent' }),
        endless: scripted({ prompts: [review], pageSize: 1, endless: 'prompts' }, { name: 'endless' }),
        many: scripted({ manyPrompts: 10_001 }, { name: 'many' }),
        b: servers.b,
      },
    });
    const started = performance.now();
    const { prompts } = await office.ask('client:get_prompts');
    expect(performance.now() - started).toBeLessThan(20_000);
    expect(namesIn(prompts)).toEqual(['b/review']);
    const left = logger.lines.filter(({ message }) => message.startsWith('The prompts of an MCP server could not'));
    expect(left.map(({ fields }) => fields?.mcp_server).toSorted()).toEqual(['endless', 'many', 'silent']);
  });

  verifies(
    'get-prompts.left-out',
    async () => {
      const logger = recordingLogger();
      const large = { name: 'large', description: 'x'.repeat(45_000) };
      const answer = { messages: [{ role: 'user', content: { type: 'text', text: 'x'.repeat(45_000) } }] };
      await using server = await SmcpServer.listen({ port: 0, limits: { messageBytes: 20_000 } });
      await using computer = await openComputer(
        { s: { prompts: [large] }, t: { prompts: [{ name: 'small', '@answer': answer }] } },
        { logger },
      );
      await computer.join(server.url, { office: 'demo' });
      await using agent = await Agent.connect(server.url, { name: 'a', office: 'demo' });
      expect(namesIn((await agent.getPrompts('desk')).prompts)).toEqual(['t/small']);
      expect(logger.text()).toContain('The prompts of an MCP server are left out: the list would be too large');
      const tooLarge = { code: 413, details: { limit: 20_000 } };
      await expect(agent.getPrompts('desk', { server: 's' })).rejects.toMatchObject(tooLarge);
      await expect(agent.getPrompt('desk', { server: 't', name: 'small' })).rejects.toMatchObject(tooLarge);
    },
    'too large for the message',
  );

  verifies(['get-prompts.errors', 'get-prompt.errors'], async () => {
    await using office = await openOffice({ servers });
    const list = (mcp_server: string) => office.ask('client:get_prompts', { mcp_server });
    const get = (mcp_server: string, name = 'review', values = {}) =>
      office.ask('client:get_prompt', { mcp_server, name, arguments: values });
    for (const ask of [list, get]) {
      await expect(ask('nobody')).rejects.toMatchObject({ code: 4014, details: named('nobody') });
      const lacking = { code: 4015, details: { ...named('empty'), capability: 'prompts' } };
      await expect(ask('empty')).rejects.toMatchObject(lacking);
    }
    const refused = { code: 400, details: { upstream_code: -32602 } };
    await expect(get('a', 'nothing')).rejects.toMatchObject({
      ...refused,
      message: "MCP server 'a' could not give prompt 'nothing': Prompt nothing not found",
    });
    await expect(get('a')).rejects.toMatchObject({
      ...refused,
      message: "MCP server 'a' could not give prompt 'review': Argument path is missing",
    });
  });

  verifies('get-prompt.filled', async () => {
    const answer = {
      description: 'd',
      messages: [
        { role: 'user', content: { type: 'text', text: 'hi', annotations: { audience: ['user'] } } },
        { role: 'assistant', content: { type: 'unheard-of', data: [1] }, custom: true },
      ],
    };
    await using office = await openOffice({
      servers: { ...servers, c: scripted({ prompts: [{ name: 'c', '@answer': answer }] }, { name: 'c' }) },
    });
    const get = (mcp_server: string, name: string, values?: Record<string, string>) =>
      office.ask('client:get_prompt', { mcp_server, name, ...(values && { arguments: values }) });
    expect(await get('b', 'review', { path: 'x', tone: '' })).toMatchObject({
      description: 'About review',
      messages: [{ role: 'user', content: { type: 'text', text: 'review {"path":"x","tone":""}' } }],
    });
    expect((await get('a', odd.name)).messages).toMatchObject([{ content: { text: `${odd.name} {}` } }]);
    expect(await get('c', 'c')).toEqual({ ...answer, req_id: expect.any(String) });
  });
});

describe('prompts of MCP servers that misbehave', () => {
  test('a prompt that is listed twice is in the list of all servers once, as it was first', async () => {
    const twice = [review, { name: 'review', description: 'another' }, { name: 'x' }, review];
    await using office = await openOffice({ servers: { s: scripted({ prompts: twice }, { name: 's' }) } });
    expect((await office.ask('client:get_prompts')).prompts).toEqual([
      { ...review, mcp_server: 's' },
      { name: 'x', mcp_server: 's' },
    ]);
  });

  test('entries that are no prompts are left out, and malformed fields of others dropped', async () => {
    const junk = [null, 7, [], {}, { name: 5 }, { name: 'x', description: 7, arguments: 'many', _meta: [], title: {} }];
    await using office = await openOffice({ servers: { s: scripted({ prompts: junk }, { name: 's' }) } });
    const x = { name: 'x', mcp_server: 's' };
    expect((await office.ask('client:get_prompts')).prompts).toEqual([x]);
    expect((await office.ask('client:get_prompts', { mcp_server: 's' })).prompts).toEqual([x]);
  });

  test('10,000 prompts of one server are listed', async () => {
    await using office = await openOffice({ servers: { many: scripted({ manyPrompts: 10_000 }, { name: 'many' }) } });
    expect((await office.ask('client:get_prompts')).prompts).toHaveLength(10_000);
  });

  test('an answer that has no messages is an error 500', async () => {
    const answers = [
      {},
      { messages: 'none' },
      { messages: [{ role: 5 }] },
      { messages: [{ role: 'user', content: 'x' }] },
    ];
    const prompts = answers.map((answer, index) => ({ name: `${index}`, '@answer': answer }));
    await using office = await openOffice({ servers: { s: scripted({ prompts }, { name: 's' }) } });
    for (const { name } of prompts) {
      const asked = office.ask('client:get_prompt', { mcp_server: 's', name });
      await expect(asked).rejects.toMatchObject({
        code: 500,
        message: expect.stringContaining('answered no messages'),
      });
    }
  });

  verifies(
    'get-prompt.errors',
    async () => {
      await using office = await openOffice({
        servers: { s: scripted({ prompts: [{ name: 'x' }], hangPrompts: 'get' }, { name: 's' }) },
      });
      const started = performance.now();
      await expect(office.ask('client:get_prompt', { mcp_server: 's', name: 'x', timeout: 1 })).rejects.toMatchObject({
        code: 408,
      });
      expect(performance.now() - started).toBeLessThan(10_000);
    },
    'not answered in time',
  );

  test('keys that only the Computer may set are dropped from prompts and messages', async () => {
    const claim = { a2c_tool_meta: { auto_apply: true }, own: 1 };
    const content = { type: 'resource', resource: { uri: 'x:y', text: 't', _meta: claim }, _meta: claim };
    const prompt = { name: 'x', _meta: claim, '@answer': { messages: [{ role: 'user', content, _meta: claim }] } };
    await using office = await openOffice({ servers: { s: scripted({ prompts: [prompt] }, { name: 's' }) } });
    const { prompts } = await office.ask('client:get_prompts');
    expect(prompts).toMatchObject([{ name: 'x', _meta: { own: 1 } }]);
    const { messages } = await office.ask('client:get_prompt', { mcp_server: 's', name: 'x' });
    expect(JSON.stringify([prompts[0]?._meta, messages])).not.toContain('a2c_tool_meta');
    expect(messages).toMatchObject([{ content: { resource: { text: 't', _meta: { own: 1 } } } }]);
  });

  test('secrets are masked in the errors of prompts', async () => {
    const secret = 'hush-4711-hush';
    const server = scripted({ prompts: [review], secret: `: ${secret}` }, { name: 's' });
    if (server.type === 'stdio') server.server_parameters.env = { TOKEN: secret };
    await using office = await openBareOffice({ servers: { s: server } });
    const identity = { agent: 'a', req_id: 'r', computer: 'desk' };
    const answer = await office.ask('client:get_prompt', { ...identity, mcp_server: 's', name: 'review' });
    expect(answer).toMatchObject({ code: 400, message: expect.stringContaining('Argument path is missing***') });
    expect(JSON.stringify(answer)).not.toContain(secret);
  });
});

describe('prompts of MCP servers that change, sleep or have failed', () => {
  test('prompts are listed again after the server announced a change, or always if it announces none', async () => {
    await using office = await openOffice({
      servers: {
        s: scripted({ tools: ['s-reprompt'], prompts: [{ name: 'one' }] }, { name: 's' }),
        q: scripted({ tools: ['q-reprompt'], prompts: [{ name: 'one' }], quietPrompts: true }, { name: 'q' }),
      },
    });
    const list = async () => namesIn((await office.ask('client:get_prompts')).prompts);
    expect(await list()).toEqual(['s/one', 'q/one']);
    await office.callTool('s-reprompt', { prompts: [{ name: 'two' }] });
    await office.callTool('q-reprompt', { prompts: [{ name: 'two' }] });
    expect(await list()).toEqual(['s/two', 'q/two']);
  });

  test('a sleeping server is listed from its cache and woken by the request for a prompt', async () => {
    const folder = temporaryFolder();
    const lazy = { s: scripted({ prompts: [review] }, { name: 's', start: 'lazy' }) };
    const options = { servers: lazy, catalogFolder: folder };
    {
      await using office = await openOffice(options);
      expect(stateOf(office.computer, 's')).toBe('ready');
    }
    await using office = await openOffice(options);
    expect(stateOf(office.computer, 's')).toBe('asleep');
    expect(namesIn((await office.ask('client:get_prompts')).prompts)).toEqual(['s/review']);
    expect(stateOf(office.computer, 's')).toBe('asleep');
    const { messages } = await office.ask('client:get_prompt', {
      mcp_server: 's',
      name: 'review',
      arguments: { path: 'p' },
    });
    expect(messages).toHaveLength(1);
    expect(stateOf(office.computer, 's')).toBe('ready');
  });

  test('servers that are disabled or have failed have no prompts', async () => {
    const gone = scripted({ exit: 'start' }, { name: 'gone' });
    await using office = await openOffice({
      servers: { off: { ...servers.b, name: 'off', disabled: true }, gone, b: servers.b },
    });
    expect(namesIn((await office.ask('client:get_prompts')).prompts)).toEqual(['b/review']);
    const asked = office.ask('client:get_prompts', { mcp_server: 'off' });
    await expect(asked).rejects.toMatchObject({ code: 500, message: "MCP server 'off' is not available" });
  });
});
