import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Computer } from '@a2c-smcp/computer';
import { describe, expect, test } from 'vitest';
import { verifies } from '../conformance/verifies.ts';
import { eventually, openBareOffice, openComputer, openOffice, scripted, textOf } from './office.ts';
import { temporaryFolder } from './temporary.ts';

const tools = ['echo', 'fail', 'refuse', 'hang', 'slow', 'progress', 'odd', 'big', 'exit'];
const servers = { s: scripted({ tools }, { name: 's' }) };

/** The request that was cancelled is the one that was sent. */
function expectCancelled(log: string): void {
  const messages = readFileSync(log, 'utf8')
    .trim()
    .split('\n')
    .map(line => JSON.parse(line));
  const { id } = messages.find(({ method }) => method === 'tools/call');
  const { params } = messages.find(({ method }) => method === 'notifications/cancelled');
  expect(params.requestId).toBe(id);
}

describe('calling a tool', () => {
  verifies('result.tool-meta', async () => {
    await using office = await openOffice({ servers });
    expect(await office.callTool('echo', { text: 'hi' })).toEqual({
      content: [{ type: 'text', text: '{"text":"hi"}', annotations: { audience: ['user'] } }],
      meta: {
        own: 'meta',
        a2c_tool_meta: { auto_apply: true, alias: null, tags: null, ret_object_mapper: null },
      },
    });
  });

  verifies(['result.failure', 'exec.errors', 'result.error-code'], async () => {
    await using office = await openOffice({ servers });
    expect(await office.callTool('fail')).toMatchObject({ isError: true, content: [{ text: 'it failed' }] });
    const unknown = await office.callTool('no-such-tool');
    expect(unknown).toMatchObject({ isError: true, meta: { error_code: 4001 } });
    expect(textOf(unknown)).toContain("'no-such-tool'");
    const refused = await office.callTool('refuse', { message: 'out of paper' });
    expect(refused).toMatchObject({ isError: true, meta: { error_code: 4003, mcp_server: 's' } });
    expect(textOf(refused)).toContain('out of paper');
    expect(await office.callTool('exit')).toMatchObject({ isError: true, meta: { error_code: 4003 } });
  });

  verifies('result.meta-key', async () => {
    await using computer = await openComputer({ s: { tools } });
    const block = { type: 'text', text: '', _meta: { of: 'block' } };
    const result = await computer.callTool({
      tool: 'odd',
      params: { result: { content: [block], _meta: { of: 'result' } } },
    });
    expect(result).toMatchObject({ content: [block], meta: { of: 'result' } });
    expect(result).not.toHaveProperty('_meta');
  });

  verifies('exec.schema-mismatch', async () => {
    const strict = {
      name: 'odd',
      outputSchema: { type: 'object', required: ['n'], properties: { n: { type: 'number' } } },
    };
    const broken = { name: 'very-odd', outputSchema: { type: 'object', $ref: '#/nowhere' } };
    await using computer = await openComputer({ s: { tools: [strict, broken] } });
    const result = { content: [{ type: 'new-kind', text: 'x' }], structuredContent: { n: 'no number' }, extra: [1] };
    for (const tool of ['odd', 'very-odd']) {
      expect(await computer.callTool({ tool, params: { result } })).toMatchObject(result);
    }
  });

  test('a call fails when the answer is no tool result', async () => {
    await using computer = await openComputer({ s: { tools } });
    const result = await computer.callTool({ tool: 'odd', params: { result: { content: 'text' } } });
    expect(result).toMatchObject({ isError: true, meta: { error_code: 4003 } });
  });

  verifies(['exec.timeout', 'result.timeout-marker'], async () => {
    const log = join(temporaryFolder(), 'log');
    await using office = await openOffice({ servers: { s: scripted({ tools, log }, { name: 's' }) } });
    const result = await office.callTool('hang', {}, { timeout: 1 });
    expect(result).toMatchObject({ isError: true, meta: { error_code: 4004, a2c_timeout: true, timeout: true } });
    await eventually(() => expect(readFileSync(log, 'utf8')).toContain('notifications/cancelled'));
    expectCancelled(log);
  });

  verifies(['exec.timeout.range', 'error.bad-request'], async () => {
    await using office = await openBareOffice({ servers });
    const request = { agent: 'a', req_id: 'r', computer: 'desk', tool_name: 'echo', params: {} };
    for (const timeout of [0, 3601, 1.5, '5', undefined]) {
      expect(await office.ask('client:tool_call', { ...request, timeout })).toMatchObject({ code: 400 });
    }
    for (const timeout of [1, 3600]) {
      const result = await office.ask('client:tool_call', { ...request, req_id: `r${timeout}`, timeout });
      expect(result).toMatchObject({ content: [{ type: 'text' }] });
    }
    expect(await office.ask('client:get_tools', { agent: 'a' })).toMatchObject({ code: 400 });
    expect(await office.ask('client:read_resource', null)).toMatchObject({ code: 400 });
  });

  test('progress keeps a call alive beyond the silence that its transport allows, but not beyond its own limit', async () => {
    await using computer = await openComputer({ s: { tools } });
    const steps = { steps: 8, ms: 40 };
    expect(textOf(await computer.callTool({ tool: 'progress', params: steps }))).toBe('finished');
    const long = computer.callTool({ tool: 'progress', params: { steps: 1000, ms: 40 }, timeout: 1000 });
    expect(await long).toMatchObject({ meta: { error_code: 4004 } });
  });

  test('a call waits for a pending restart of its server', async () => {
    await using computer = await openComputer({ s: { tools } });
    expect(await computer.callTool({ tool: 'exit' })).toMatchObject({ isError: true });
    await eventually(() => expect(computer.status()[0]?.state).toBe('starting'));
    expect(await computer.callTool({ tool: 'echo', timeout: 20_000 })).not.toHaveProperty('isError');
    expect(computer.status()[0]).toMatchObject({ state: 'ready', restarts: 1 });
  });
});

describe('cancelling a call', () => {
  verifies(['cancel.result', 'cancel.forwarded'], async () => {
    const log = join(temporaryFolder(), 'log');
    await using office = await openOffice({ servers: { s: scripted({ tools, log }, { name: 's' }) } });
    const call = office.callTool('hang', {}, { req_id: 'r1' });
    await eventually(() => expect(readFileSync(log, 'utf8')).toContain('tools/call'));
    office.agent.emit('server:tool_call_cancel', { agent: 'assistant', req_id: 'r1' });
    const result = await call;
    expect(result).toMatchObject({
      isError: true,
      meta: { a2c_cancelled: true, a2c_cancel_reason: 'agent_requested' },
    });
    expect(result.meta).not.toHaveProperty('error_code');
    await eventually(() => expect(readFileSync(log, 'utf8')).toContain('notifications/cancelled'));
    expectCancelled(log);
  });

  verifies('cancel.unknown', async () => {
    await using office = await openOffice({ servers });
    const call = office.callTool('slow', { ms: 300 }, { req_id: 'r1' });
    office.agent.emit('server:tool_call_cancel', { agent: 'assistant', req_id: 'another' });
    expect(textOf(await call)).toBe('done');
    office.agent.emit('server:tool_call_cancel', { agent: 'assistant', req_id: 'r1' });
    expect(await office.callTool('echo')).not.toHaveProperty('isError');
  });

  test('a cancelled call ends at once even if the MCP server ignores the cancellation', async () => {
    await using office = await openOffice({ servers });
    const started = Date.now();
    const call = office.callTool('slow', { ms: 15_000 }, { req_id: 'r1' });
    await eventually(() => expect(office.computer.status()[0]?.state).toBe('ready'));
    const cancel = setInterval(
      () => office.agent.emit('server:tool_call_cancel', { agent: 'assistant', req_id: 'r1' }),
      50,
    );
    expect(await call).toMatchObject({ meta: { a2c_cancelled: true } });
    clearInterval(cancel);
    expect(Date.now() - started).toBeLessThan(10_000);
    expect(await office.callTool('echo')).not.toHaveProperty('isError');
  });
});

describe('confirmation', () => {
  const asked = {
    s: scripted(
      { tools: [{ name: 'echo', annotations: { destructiveHint: true } }] },
      { name: 's', default_tool_meta: null },
    ),
  };

  verifies('confirm.auto-apply', async () => {
    const confirmations: unknown[] = [];
    const confirm = async (confirmation: object) => confirmations.push(confirmation) > 0;
    await using computer = await Computer.open({ name: 'desk', servers: asked, confirm });
    expect(await computer.callTool({ tool: 'echo', params: { a: 1 } })).not.toHaveProperty('isError');
    expect(confirmations).toMatchObject([
      { server: 's', tool: 'echo', params: { a: 1 }, annotations: { destructiveHint: true } },
    ]);
    await computer.addServer({ ...asked.s, default_tool_meta: { auto_apply: false } });
    await computer.callTool({ tool: 'echo' });
    expect(confirmations).toHaveLength(2);
    await computer.addServer({ ...asked.s, default_tool_meta: { auto_apply: true } });
    await computer.callTool({ tool: 'echo' });
    expect(confirmations).toHaveLength(2);
  });

  test('a question for confirmation names the Agent that calls', async () => {
    const agents: unknown[] = [];
    const confirm = ({ agent }: { agent?: string }) => agents.push(agent) > 0;
    await using office = await openOffice({ servers: asked, confirm });
    await office.callTool('echo');
    await office.computer.callTool({ tool: 'echo' });
    expect(agents).toEqual(['assistant', undefined]);
    expect(office.computer.history).toMatchObject([
      { agent: 'assistant', outcome: 'ok', duration: expect.any(Number) },
      { agent: null, outcome: 'ok' },
    ]);
  });

  verifies('confirm.refused', async () => {
    const refusals = [
      undefined,
      async () => false,
      async () => {
        throw new Error('the window was closed');
      },
      // A confirmation that is not strictly true is none.
      (async () => 'yes') as unknown as () => Promise<boolean>,
    ];
    for (const confirm of refusals) {
      await using computer = await Computer.open({ name: 'desk', servers: asked, ...(confirm ? { confirm } : {}) });
      const result = await computer.callTool({ tool: 'echo' });
      expect(result).toMatchObject({ isError: true, meta: { error_code: 4005 } });
      expect(computer.history).toMatchObject([{ outcome: 'refused', success: false }]);
    }
  });

  test('a question for confirmation is abandoned when the call is cancelled or its time is over', async () => {
    let abandoned = 0;
    const confirm = ({ signal }: { signal: AbortSignal }) => {
      signal.addEventListener('abort', () => abandoned++);
      return new Promise<boolean>(() => {});
    };
    await using computer = await Computer.open({ name: 'desk', servers: asked, confirm });
    const cancel = new AbortController();
    const call = computer.callTool({ tool: 'echo', signal: cancel.signal });
    cancel.abort();
    expect(await call).toMatchObject({ meta: { a2c_cancelled: true } });
    const late = await computer.callTool({ tool: 'echo', timeout: 1000 });
    expect(late).toMatchObject({ meta: { error_code: 4004 } });
    expect(textOf(late)).toBe("Tool 'echo' waits for the owner's confirmation, which was not given within 1 s");
    expect(abandoned).toBe(2);
    expect(computer.history.map(({ outcome }) => outcome)).toEqual(['cancelled', 'timed out']);
  });
});

describe('accounting', () => {
  verifies('calls.once', async () => {
    const log = join(temporaryFolder(), 'log');
    await using office = await openBareOffice({ servers: { s: scripted({ tools, log }, { name: 's' }) } });
    const request = { agent: 'a', computer: 'desk', tool_name: 'slow', params: { ms: 300 }, timeout: 20 };
    const slow = () => office.ask('client:tool_call', { ...request, req_id: 'same' });
    const results = [...(await Promise.all([slow(), slow()])), await slow()];
    expect(results).toEqual(results.map(() => expect.objectContaining({ content: [{ type: 'text', text: 'done' }] })));
    const calls = readFileSync(log, 'utf8')
      .split('\n')
      .filter(line => line.includes('tools/call'));
    expect(calls).toHaveLength(1);
  });

  verifies('history.attempts', async () => {
    await using computer = await openComputer({ s: { tools }, t: { tools: ['other'] } });
    await computer.callTool({ tool: 'echo', params: { a: 1 } });
    await computer.callTool({ tool: 'fail' });
    await computer.callTool({ tool: 'nowhere' });
    await computer.callTool({ tool: 'other' });
    expect(computer.history).toMatchObject([
      { server: 's', tool: 'echo', parameters: { a: 1 }, timeout: 60, success: true, error: null },
      { server: 's', tool: 'fail', success: false, error: 'it failed' },
      { server: '', tool: 'nowhere', success: false },
      { server: 't', tool: 'other', success: true },
    ]);
  });

  test('a transformer adds to results and never takes from them', async () => {
    const transformer = {
      prepare({ name }: { name: string }) {
        if (name === 'broken') throw new Error('syntax error in line 1');
      },
      transform({ tool, params }: { tool: string; params: object }) {
        if (tool === 'fail') throw new Error('at run time');
        return JSON.stringify({ tool, params });
      },
    };
    await using computer = await openComputer({ s: { tools }, broken: { tools: ['x'] } }, { transformer });
    expect(await computer.callTool({ tool: 'echo', params: { a: 1 } })).toMatchObject({
      content: [{ text: '{"a":1}' }],
      meta: { own: 'meta', a2c_vrl_transformed: '{"tool":"echo","params":{"a":1}}' },
    });
    expect(await computer.callTool({ tool: 'fail' })).toMatchObject({ content: [{ text: 'it failed' }] });
    expect(computer.status()).toMatchObject([
      { state: 'ready' },
      { name: 'broken', state: 'failed', error: 'servers.broken.vrl: syntax error in line 1' },
    ]);
  });
});
