import { isDeepStrictEqual } from 'node:util';
import { type Checks, expect } from '../../check.ts';
import { isBefore } from '../../line.ts';
import type { ComputerStage } from '../../stages/computer-stage.ts';
import { OUTPUT_SCHEMA, TOOLS } from '../../stages/fixture.ts';

/** The list of tools. */
export const tools: Checks<ComputerStage> = {
  'event.client.get-tools': async stage => {
    const answer = await stage.ask('client:get_tools');
    expect(Array.isArray(answer.tools), 'an object with a list of tools', answer);
  },
  'ack.req-id.echo': async stage => {
    const member = await stage.computer();
    for (const event of ['client:get_tools', 'client:get_desktop']) {
      const request = stage.request();
      const [answer] = (await member.ask(event, request)) as [{ req_id?: unknown }?];
      expect(answer?.req_id === request.req_id, `the req_id of ${event}`, answer?.req_id);
    }
  },
  'tools.list': async stage => {
    for (const name of ['echo', 'first-echo', 'second-echo', 'third-echo', 'stage-echo']) await stage.tool(name);
  },
  'tools.fields': async stage => {
    const typed = await stage.tool('typed-picture');
    expect(isDeepStrictEqual(typed.return_schema, OUTPUT_SCHEMA), 'outputSchema as return_schema', typed);
    const echo = await stage.tool('echo');
    const type = (echo.params_schema as { type?: unknown } | undefined)?.type;
    expect(type === 'object', 'inputSchema as params_schema', echo);
    expect(echo.description === '', 'the empty text for a missing description', echo);
    expect(echo.return_schema === null, 'null for a missing outputSchema', echo);
  },
  'tools.meta.a2c': async stage => {
    const { meta } = await stage.tool('renamed');
    const parsed = JSON.parse(String(meta?.a2c_tool_meta ?? 'null')) as Record<string, unknown> | null;
    const wanted = { auto_apply: true, alias: 'renamed', tags: ['kit'] };
    const isIt = Object.entries(wanted).every(([key, value]) => isDeepStrictEqual(parsed?.[key], value));
    expect(isIt, `a JSON text with ${JSON.stringify(wanted)} in meta.a2c_tool_meta`, meta);
  },
  'tools.meta.annotation': async stage => {
    const { meta } = await stage.tool('annotated-echo');
    const annotations = JSON.parse(String(meta?.MCP_TOOL_ANNOTATION ?? 'null')) as { readOnlyHint?: unknown } | null;
    expect(annotations?.readOnlyHint === true, 'a JSON text of the annotations in meta.MCP_TOOL_ANNOTATION', meta);
  },
  'tools.meta.own-keys': async stage => {
    const { meta } = await stage.tool('annotated-echo');
    expect(meta?.own === 'kept', 'the own keys of the tool in meta', meta);
    const isText = typeof meta.deep === 'string' && isDeepStrictEqual(JSON.parse(meta.deep), { a: [1] });
    expect(isText, 'a value that is no attribute as a JSON text', meta.deep);
  },
  'tools.meta.declared-tags': async stage => {
    const { meta } = await stage.tool('forged-echo');
    const { alias } = JSON.parse(String(meta?.a2c_tool_meta ?? '{}')) as { alias?: unknown };
    expect(alias !== 'forged', 'nothing of what the MCP server forged', meta);
  },
  'tools.alias': async stage => {
    await stage.tool('renamed');
    const names = (await stage.tools()).map(({ name }) => name);
    expect(!names.some(name => name.endsWith('renamed-echo')), 'a tool with an alias under it alone', names);
    await stage.call('renamed', { marker: 'alias' });
    const call = await stage.fixture.received(({ params }) => params?.arguments?.marker === 'alias');
    expect(call?.params?.name === 'renamed-echo', 'the original name at the MCP server', call);
  },
  'tools.forbidden': async stage => {
    const names = (await stage.tools()).map(({ name }) => name);
    expect(!names.some(name => name.endsWith('forbidden-echo')), 'no forbidden tool in the list', names);
    const prefix = (await stage.tool('echo')).name.replace(/echo$/, '');
    const fields = { tool_name: `${prefix}forbidden-echo`, params: {}, timeout: 5 };
    const { isError, meta } = (await stage.ask('client:tool_call', fields)) as { isError?: unknown; meta?: object };
    expect(isError === true, 'a call of it to fail', { isError, meta });
  },
  'names.line': async stage => {
    const { name } = await stage.tool('stage-echo');
    const wanted = isBefore(stage.line, '0.3') ? 'stage-echo' : 'stage__stage-echo';
    expect(name === wanted, `'${wanted}' for an Agent of ${stage.line}`, name);
  },
  'bundle-id.shown': {
    since: '0.3',
    run: async stage => {
      const { bundle_id } = await stage.tool('stage-echo');
      expect(bundle_id === 'stage', "the bundle_id 'stage'", bundle_id);
    },
  },
  'lifecycle.update': async stage => {
    const member = await stage.computer();
    const mark = member.mark;
    await stage.call('retool', { tools: [...TOOLS, 'extra-echo'] });
    await member.next('server:update_tool_list', mark);
    await stage.tool('extra-echo');
  },
};
