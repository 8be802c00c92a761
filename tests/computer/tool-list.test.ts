import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Computer } from '@a2c-smcp/computer';
import { describe, expect, test } from 'vitest';
import { verifies } from '../conformance/verifies.ts';
import { eventually, openComputer, openOffice, recordingLogger, scripted } from './office.ts';
import { temporaryFolder } from './temporary.ts';

const described = {
  name: 'read',
  description: 'Reads',
  inputSchema: { type: 'object', properties: { path: { type: 'string' } } },
  outputSchema: { type: 'object' },
  annotations: { title: 'Read', readOnlyHint: true },
  _meta: { simple: 'text', list: ['a', 'b'], nested: { a: 1 } },
};

describe('the tool list', () => {
  test('the event tools has a list that differs from the one before', async () => {
    await using computer = await openComputer({ a: { tools: ['a1'] } });
    const lists: string[] = [];
    computer.on('tools', tools => lists.push(tools.map(({ name }) => name).join()));
    await computer.restartServer('a');
    expect(lists).toEqual([]);
    await computer.addServer(scripted({ tools: ['b1'] }, { name: 'b' }));
    expect(lists).toEqual(['a1,b1']);
  });

  verifies('tools.list', async () => {
    const servers = { a: { tools: ['a1', 'a2', 'a3'], pageSize: 1 }, b: { tools: ['b1'] }, c: { exit: 'start' } };
    await using computer = await openComputer(servers);
    expect(computer.tools.map(({ name }) => name)).toEqual(['a1', 'a2', 'a3', 'b1']);
  });

  verifies(['tools.fields', 'tools.meta.present', 'tools.meta.own-keys', 'tools.meta.annotation'], async () => {
    const servers = { s: { ...scripted({ tools: [described, 'bare'] }, { name: 's' }), default_tool_meta: null } };
    await using computer = await Computer.open({ name: 'desk', servers });
    const [read, bare] = computer.tools;
    expect(read).toEqual({
      name: 'read',
      bundle_id: 's',
      description: 'Reads',
      params_schema: described.inputSchema,
      return_schema: described.outputSchema,
      meta: {
        simple: 'text',
        list: ['a', 'b'],
        nested: '{"a": 1}',
        MCP_TOOL_ANNOTATION: '{"title": "Read", "readOnlyHint": true}',
      },
    });
    expect(bare).toEqual({
      name: 'bare',
      bundle_id: 's',
      description: '',
      params_schema: { type: 'object' },
      return_schema: null,
      meta: {},
    });
  });

  test('the tool list keeps a tool with malformed fields, and the others beside an entry that is no tool', async () => {
    const odd = { name: 'odd', description: 7, inputSchema: true, outputSchema: [], annotations: null, _meta: 'x' };
    await using computer = await openComputer({ s: { tools: [{ noName: true }, odd, 'plain'] } });
    expect(computer.tools).toMatchObject([
      { name: 'odd', description: '', params_schema: {}, return_schema: null },
      { name: 'plain' },
    ]);
  });

  verifies(['tools.meta.a2c', 'tools.meta.merge'], async () => {
    const logger = recordingLogger();
    const config = scripted(
      { tools: ['one', 'two'] },
      {
        name: 's',
        default_tool_meta: { auto_apply: true, tags: ['general'], alias: 'same' },
        tool_meta: { one: { alias: 'first', tags: null, team: 'blue' } },
      },
    );
    await using computer = await Computer.open({ name: 'desk', servers: { s: config }, logger });
    expect(computer.tools.map(({ name }) => name)).toEqual(['first', 'two']);
    expect(computer.tools[0]?.meta?.a2c_tool_meta).toBe(
      '{"auto_apply": true, "alias": "first", "tags": ["general"], "ret_object_mapper": null, "team": "blue"}',
    );
    expect(computer.tools[1]?.meta?.a2c_tool_meta).toContain('"alias": null');
    expect(logger.text()).toContain("default_tool_meta sets an 'alias', which is ignored");
  });

  verifies('tools.alias', async () => {
    const config = scripted(
      { tools: ['pids'] },
      { name: 's', default_tool_meta: { auto_apply: true }, tool_meta: { pids: { alias: 'processes' } } },
    );
    await using office = await openOffice({ servers: { s: config } });
    const { tools } = await office.ask('client:get_tools');
    expect(tools.map(({ name }) => name)).toEqual(['processes']);
    expect(await office.callTool('processes')).not.toHaveProperty('isError');
    expect(await office.callTool('pids')).toMatchObject({ isError: true, meta: { error_code: 4001 } });
  });

  verifies('tools.forbidden', async () => {
    const config = scripted(
      { tools: ['one', 'two', 'three'] },
      { name: 's', forbidden_tools: ['one', 'deux'], tool_meta: { two: { alias: 'deux', auto_apply: true } } },
    );
    await using computer = await Computer.open({ name: 'desk', servers: { s: config } });
    expect(computer.tools.map(({ name }) => name)).toEqual(['three']);
    for (const tool of ['one', 'two', 'deux']) {
      expect(await computer.callTool({ tool })).toMatchObject({ isError: true, meta: { error_code: 4002 } });
    }
  });

  verifies('tools.disabled', async () => {
    await using computer = await Computer.open({
      name: 'desk',
      servers: { off: scripted({}, { name: 'off', disabled: true }), on: scripted({}, { name: 'on' }) },
    });
    expect(computer.status()).toMatchObject([
      { name: 'off', state: 'disabled', tools: 0 },
      { name: 'on', state: 'ready' },
    ]);
    expect(computer.status()[0]).not.toHaveProperty('pid');
  });

  verifies(['tools.duplicate.name', 'tools.duplicate.diagnostic'], async () => {
    const logger = recordingLogger();
    const b = scripted({ tools: ['echo', 'x'] }, { name: 'b ü', tool_meta: { x: { alias: 'other' } } });
    const servers = { a: scripted({ tools: ['echo', 'other'] }, { name: 'a' }), 'b ü': b };
    await using computer = await Computer.open({ name: 'desk', servers, logger });
    expect(computer.tools.map(({ name }) => name)).toEqual(['echo', 'other', 'b____echo', 'b____x']);
    expect(await computer.callTool({ tool: 'b____echo' })).not.toHaveProperty('isError');
    expect(logger.lines.filter(({ level }) => level === 'warn')).toContainEqual({
      level: 'warn',
      message: expect.stringMatching(/renamed.*alias/),
      fields: { mcp_server: 'b ü', first: 'a', tools: 'echo as b____echo, other as b____x' },
    });
    expect(computer.status().map(({ state }) => state)).toEqual(['ready', 'ready']);
  });

  test('tools that can be called as tasks only are not offered, which is logged', async () => {
    const logger = recordingLogger();
    const task = { name: 'slow', execution: { taskSupport: 'required' } };
    const either = { name: 'both', execution: { taskSupport: 'optional' } };
    const servers = { s: scripted({ tools: ['echo', task, either] }, { name: 's' }) };
    await using computer = await Computer.open({ name: 'desk', servers, logger });
    expect(computer.tools.map(({ name }) => name)).toEqual(['echo', 'both']);
    expect(await computer.callTool({ tool: 'slow' })).toMatchObject({ isError: true, meta: { error_code: 4001 } });
    expect(logger.lines).toContainEqual({
      level: 'warn',
      message: expect.stringContaining('as tasks only'),
      fields: { mcp_server: 's', tools: 'slow' },
    });
  });

  test('the tool list follows tools/list_changed, and the office is notified', async () => {
    await using office = await openOffice({ servers: { s: scripted({ tools: ['retool'] }, { name: 's' }) } });
    let announced = 0;
    office.agent.channel.on('notify:update_tool_list', () => announced++);
    await office.callTool('retool', { tools: ['retool', 'fresh'] });
    await eventually(() => expect(announced).toBe(1));
    const { tools } = await office.ask('client:get_tools');
    expect(tools.map(({ name }) => name)).toEqual(['retool', 'fresh']);
    expect(await office.callTool('fresh')).not.toHaveProperty('isError');
  });

  test('the tool list misses no change that is announced while it is requested', async () => {
    await using computer = await openComputer({ s: { tools: ['early'], lateTools: ['late'] } });
    await eventually(() => expect(computer.tools.map(({ name }) => name)).toEqual(['late']));
  });

  test('the tool list sends no request while nothing changes', async () => {
    const log = join(temporaryFolder(), 'log');
    await using office = await openOffice({ servers: { s: scripted({ log }, { name: 's' }) } });
    const requests = () => readFileSync(log, 'utf8').split('\n').length;
    const before = requests();
    for (let count = 0; count < 20; count++) await office.ask('client:get_tools');
    expect(requests()).toBe(before);
  });
});
