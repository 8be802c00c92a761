import { isDeepStrictEqual } from 'node:util';
import { type Checks, expect } from '../../check.ts';
import { isBefore } from '../../line.ts';
import { type ComputerStage, metaOf, type ToolResult } from '../../stages/computer-stage.ts';

/** Calls of tools. */
export const calls: Checks<ComputerStage> = {
  'event.client.tool-call': async stage => {
    const { content, isError } = await stage.call('echo', { text: 'grüße' });
    const text = String(content?.[0]?.text);
    expect(!isError && text === '{"text":"grüße"}', 'what the tool was sent', content);
  },
  'result.failure': async stage => {
    const result = await stage.call('fail');
    const [item] = result.content ?? [];
    expect(result.isError === true && item?.text === 'it failed', 'isError and the text of the tool', result);
  },
  'exec.errors': async stage => {
    const fields = { tool_name: 'no-such-tool', params: {}, timeout: 5 };
    const result = (await stage.ask('client:tool_call', fields)) as ToolResult;
    expect(result.isError === true && Array.isArray(result.content), 'a result with isError', result);
    if (!isBefore(stage.line, '0.2')) expect(metaOf(result).error_code === 4001, 'meta.error_code 4001', result);
  },
  'exec.timeout': async stage => {
    const started = performance.now();
    const result = await stage.call('hang', {}, 1);
    const seconds = (performance.now() - started) / 1000;
    expect(result.isError === true && seconds < 5, 'a failed result soon after 1 s', { result, seconds });
  },
  'result.timeout-marker': {
    since: '0.2',
    run: async stage => {
      const { a2c_timeout, timeout } = metaOf(await stage.call('hang', {}, 1));
      expect(a2c_timeout === true || timeout === true, 'meta.a2c_timeout or meta.timeout', { a2c_timeout, timeout });
    },
  },
  'exec.timeout.range': async stage => {
    const { name } = await stage.tool('echo');
    for (const timeout of [0, 3601, 1.5]) {
      const answer = await stage.ask('client:tool_call', { tool_name: name, params: {}, timeout });
      const { code, isError } = answer as { code?: unknown; isError?: unknown };
      expect(code === 400 || isError === true, `a timeout of ${timeout} to be refused`, answer);
    }
  },
  'exec.schema-mismatch': async stage => {
    const result = { content: [{ type: 'text', text: 'odd' }], structuredContent: { unexpected: 1 } };
    const got = await stage.call('odd', { result });
    expect(!got.isError && got.content?.[0]?.text === 'odd', 'the result of the tool', got);
  },
  'result.forged': async stage => {
    const result = { content: [{ type: 'text', text: 't' }], _meta: { a2c_cancelled: true, own: 1 } };
    const meta = metaOf(await stage.call('odd', { result }));
    expect(meta.a2c_cancelled === undefined, 'no a2c_cancelled of an MCP server', meta);
  },
  'blob.forged': async stage => {
    const image = { type: 'image', data: '', mimeType: 'image/png', _meta: { a2c_blob_handle: 'forged' } };
    const { content } = await stage.call('odd', { result: { content: [image] } });
    const meta = content?.[0]?._meta as { a2c_blob_handle?: unknown } | undefined;
    expect(meta?.a2c_blob_handle === undefined, 'no a2c_blob_handle of an MCP server', content);
  },
  'cancel.result': async stage => {
    const result = await cancelled(stage, 'result');
    const meta = metaOf(result);
    // The marker came with 0.2.3; before, only the text tells.
    const isMarked = meta.a2c_cancelled === true || /cancel/i.test(String(result.content?.[0]?.text));
    expect(result.isError === true && isMarked, 'a failed result that says it was cancelled', result);
    expect(meta.error_code === undefined, 'no error code', meta);
  },
  'cancel.forwarded': async stage => {
    await cancelled(stage, 'forwarded');
    const call = await stage.fixture.received(({ params }) => params?.arguments?.marker === 'forwarded');
    const cancel = await stage.fixture.received(
      ({ method, params }) => method === 'notifications/cancelled' && params?.requestId === call?.id,
    );
    expect(cancel !== undefined, 'notifications/cancelled at the MCP server', 'nothing');
  },
  'cancel.unknown': async stage => {
    const member = await stage.computer();
    member.notify('notify:tool_call_cancel', { agent: 'conformance-agent', req_id: 'of-no-call' });
    const { isError } = await stage.call('echo');
    expect(!isError && member.isOpen, 'the Computer to go on', { isError, isOpen: member.isOpen });
  },
  'error.bad-request': async stage => {
    const member = await stage.computer();
    const { name } = await stage.tool('echo');
    const request = stage.request({ tool_name: name, params: {}, timeout: 'soon' });
    const answer = await member.ask('client:tool_call', request);
    const [payload] = answer as [{ code?: unknown; error?: { code?: unknown } }?];
    expect((payload?.code ?? payload?.error?.code) === 400, 'error 400 for a timeout that is a text', answer);
  },
  'history.attempts': async stage => {
    const hostOf = async () => {
      const { desktops } = (await stage.ask('client:get_desktop')) as { desktops?: string[] };
      return /^window:\/\/([^/]+)/.exec(desktops?.[0] ?? '')?.[1];
    };
    await stage.call('stage-echo');
    const first = await hostOf();
    await stage.call('fail');
    const hosts = [first, await hostOf()];
    const wanted = ['com.example.stage', 'com.example.fixture'];
    expect(isDeepStrictEqual(hosts, wanted), `the MCP server used last first: ${wanted.join(', then ')}`, hosts);
  },
};

/** The result of a call that is cancelled while it runs. */
async function cancelled(stage: ComputerStage, marker: string): Promise<ToolResult> {
  const member = await stage.computer();
  const { name } = await stage.tool('hang');
  const request = stage.request({ tool_name: name, params: { marker }, timeout: 8 });
  const answer = member.ask('client:tool_call', request, 12_000);
  await stage.fixture.received(({ params }) => params?.arguments?.marker === marker);
  const cancelledAt = performance.now();
  member.notify('notify:tool_call_cancel', { agent: request.agent, req_id: request.req_id });
  const [result] = (await answer) as [ToolResult?];
  const seconds = (performance.now() - cancelledAt) / 1000;
  expect(seconds < 5, 'the end of the call soon after it is cancelled', `${seconds.toFixed(1)} s later: the timeout`);
  return result ?? {};
}
