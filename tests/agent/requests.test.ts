import { getEventListeners } from 'node:events';
import { authHintOf, type CallToolResult, ErrorCode, errorCodeOf, isCancelled, isTimedOut } from '@a2c-smcp/agent';
import { RawPeer } from '@a2c-smcp/testing';
import { describe, expect, test, vi } from 'vitest';
import { verifies } from '../conformance/verifies.ts';
import { eventually } from '../eventually.ts';
import { openOffice } from './office.ts';
import { text } from './scripted-computer.ts';

const forever = () => new Promise<never>(() => {});

describe('calling a tool', () => {
  test('a call returns the answer of the Computer', async () => {
    await using office = await openOffice({ tools: { echo: ({ say }) => text(String(say)) } });
    const result = await office.agent.callTool({ computer: 'desk', tool: 'echo', params: { say: 'hi' } });
    expect(result).toEqual(text('hi'));
    expect(office.computer.askedFor('client:tool_call')[0]).toMatchObject({ agent: 'assistant', timeout: 60 });
  });

  verifies(
    'result.failure',
    async () => {
      const failed = { ...text('no disk'), isError: true };
      await using office = await openOffice({ tools: { save: () => failed } });
      expect(await office.agent.callTool({ computer: 'desk', tool: 'save' })).toEqual(failed);
      const elsewhere = office.agent.callTool({ computer: 'nowhere', tool: 'save' });
      await expect(elsewhere).rejects.toMatchObject({ name: 'SmcpError', code: ErrorCode.NotFound });
    },
    'the Agent returns failed results and throws errors',
  );

  verifies(['result.meta-key', 'upstream-auth.no-retry'], async () => {
    const meta = { error_code: 4006, auth_hint: { message: 'Sign in on the Computer' } };
    await using office = await openOffice({
      tools: {
        ours: () => ({ ...text('no'), isError: true, meta }),
        mcp: () => ({ ...text('no'), isError: true, _meta: meta }),
        rust: () => ({ ...text('no'), is_error: true, meta }),
      },
    });
    for (const tool of ['ours', 'mcp', 'rust']) {
      const result = await office.agent.callTool({ computer: 'desk', tool });
      expect(result).toEqual({ ...text('no'), isError: true, meta });
      expect(errorCodeOf(result)).toBe(ErrorCode.UpstreamAuthRequired);
      expect(authHintOf(result)).toBe('Sign in on the Computer');
    }
    expect(office.computer.askedFor('client:tool_call')).toHaveLength(3);
  });

  test('the mime_type of the Rust SDK is returned as mimeType', async () => {
    const content: unknown = [
      { type: 'image', data: 'AAAA', mime_type: 'image/png' },
      { type: 'resource', resource: { uri: 'file:///a', blob: 'AAAA', mime_type: 'image/gif' } },
    ];
    await using office = await openOffice({
      tools: { draw: () => ({ content: content as CallToolResult['content'] }) },
    });
    const result = await office.agent.callTool({ computer: 'desk', tool: 'draw' });
    expect(result.content).toMatchObject([{ mimeType: 'image/png' }, { resource: { mimeType: 'image/gif' } }]);
  });

  verifies(['agent-timeout.cancels', 'result.timeout-marker'], async () => {
    await using office = await openOffice({ tools: { hang: forever } });
    const result = await office.agent.callTool({ computer: 'desk', tool: 'hang' }, { timeout: 100 });
    expect(result).toMatchObject({ isError: true, meta: { a2c_timeout: true, timeout: true } });
    expect(isTimedOut(result)).toBe(true);
    expect(isCancelled(result)).toBe(false);
    expect(isTimedOut({ content: [], meta: { timeout: true } })).toBe(true);
    expect(isTimedOut({ content: [], _meta: { a2c_timeout: true } })).toBe(true);
    const [asked] = office.computer.askedFor('client:tool_call');
    await eventually(() => expect(office.computer.cancelled).toEqual([asked?.req_id]));
  });

  test('an aborted call is cancelled on the Computer and returns a cancelled result', async () => {
    const stopped = vi.fn();
    await using office = await openOffice({
      tools: {
        hang: (_, signal) => {
          signal.addEventListener('abort', stopped);
          return forever();
        },
      },
    });
    const controller = new AbortController();
    const calling = office.agent.callTool({ computer: 'desk', tool: 'hang' }, { signal: controller.signal });
    await eventually(() => expect(office.computer.askedFor('client:tool_call')).toHaveLength(1));
    controller.abort();
    const result = await calling;
    expect(result).toMatchObject({
      isError: true,
      meta: { a2c_cancelled: true, a2c_cancel_reason: 'agent_requested' },
    });
    expect(isCancelled(result)).toBe(true);
    await eventually(() => expect(stopped).toHaveBeenCalledOnce());
  });

  verifies('cancel.grace', async () => {
    await using office = await openOffice({
      tools: {
        slow: async (_, signal) => {
          await new Promise(resolve => signal.addEventListener('abort', resolve));
          return { ...text('cleaned up'), isError: true, meta: { a2c_cancelled: true } };
        },
        deaf: forever,
      },
    });
    const { agent } = office;
    const abortSoon = () => {
      const controller = new AbortController();
      setTimeout(() => controller.abort(), 100);
      return controller.signal;
    };
    const confirmed = await agent.callTool({ computer: 'desk', tool: 'slow' }, { signal: abortSoon() });
    expect(confirmed).toMatchObject({ content: [{ text: 'cleaned up' }], meta: { a2c_cancelled: true } });
    expect(confirmed.meta).not.toHaveProperty('a2c_cancel_confirmed');
    const started = performance.now();
    const unconfirmed = await agent.callTool({ computer: 'desk', tool: 'deaf' }, { signal: abortSoon() });
    expect(unconfirmed).toMatchObject({ isError: true, meta: { a2c_cancelled: true, a2c_cancel_confirmed: false } });
    expect(performance.now() - started).toBeGreaterThan(1000);
  });

  test('a call that is aborted while its Agent is offline returns at once', async () => {
    await using office = await openOffice({ tools: { echo: () => text('hi') } });
    const { agent } = office;
    await office.server.close();
    await eventually(() => expect(agent.joined).toBe(false));
    const controller = new AbortController();
    const call = agent.callTool({ computer: 'desk', tool: 'echo' }, { signal: controller.signal });
    controller.abort();
    const started = performance.now();
    expect(await call).toMatchObject({ meta: { a2c_cancelled: true, a2c_cancel_confirmed: false } });
    expect(performance.now() - started).toBeLessThan(900);
  });

  test('any number of calls may have one signal, and none leaves a listener on it', async () => {
    await using office = await openOffice({ tools: { echo: () => text('hi') } });
    const { signal } = new AbortController();
    const warnings: Error[] = [];
    const listen = (warning: Error) => warnings.push(warning);
    process.on('warning', listen);
    const calls = Array.from({ length: 300 }, () =>
      office.agent.callTool({ computer: 'desk', tool: 'echo' }, { signal }),
    );
    const lists = Array.from({ length: 50 }, () => office.agent.getTools('desk', { signal }));
    await Promise.all([...calls, ...lists]);
    await new Promise(resolve => setImmediate(resolve));
    process.off('warning', listen);
    expect(warnings.filter(({ name }) => name === 'MaxListenersExceededWarning')).toEqual([]);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  test('a call with an aborted signal is never sent', async () => {
    await using office = await openOffice({ tools: { echo: () => text('hi') } });
    const { agent, computer } = office;
    const result = await agent.callTool({ computer: 'desk', tool: 'echo' }, { signal: AbortSignal.abort() });
    expect(isCancelled(result)).toBe(true);
    await agent.getTools('desk');
    expect(computer.askedFor('client:tool_call')).toEqual([]);
  });

  test('a pending call fails at once when the Computer leaves', async () => {
    await using office = await openOffice({ tools: { hang: forever } });
    const calling = office.agent.callTool({ computer: 'desk', tool: 'hang' });
    await eventually(() => expect(office.computer.askedFor('client:tool_call')).toHaveLength(1));
    await Promise.all([expect(calling).rejects.toMatchObject({ code: ErrorCode.NotFound }), office.computer.close()]);
  });

  test.each([0, -1, Number.NaN, 3_600_001])('a call with a timeout of %d ms throws a TypeError', async timeout => {
    await using office = await openOffice();
    const calling = office.agent.callTool({ computer: 'desk', tool: 'echo' }, { timeout });
    await expect(calling).rejects.toThrow(TypeError);
  });

  test('a call with too large parameters fails with 413, and the next call works', async () => {
    await using office = await openOffice({
      tools: { echo: () => text('hi') },
      server: { limits: { messageBytes: 20_000 } },
    });
    const large = { computer: 'desk', tool: 'echo', params: { body: 'x'.repeat(20_000) } };
    await expect(office.agent.callTool(large)).rejects.toMatchObject({ code: 413, details: { limit: 20_000 } });
    expect(await office.agent.callTool({ computer: 'desk', tool: 'echo' })).toEqual(text('hi'));
  });
});

describe('other requests', () => {
  test('members, tools and the configuration are requested from the Computer', async () => {
    await using office = await openOffice({ tools: { echo: () => text('hi') } });
    const { agent, computer } = office;
    computer.config.servers.files = { type: 'stdio', name: 'files', server_parameters: { command: 'node' } };
    const members = await agent.members();
    expect(members.map(({ role, name }) => [role, name]).toSorted()).toEqual([
      ['agent', 'assistant'],
      ['computer', 'desk'],
    ]);
    expect(await agent.getTools('desk')).toMatchObject([{ name: 'echo' }]);
    expect(await agent.getConfig('desk')).toMatchObject({ servers: { files: { type: 'stdio' } } });
  });

  test('a desktop can be requested in part', async () => {
    await using office = await openOffice();
    const { agent, computer } = office;
    computer.windows.push('window://a\n\nA', 'window://b\n\nB');
    expect(await agent.getDesktop('desk')).toHaveLength(2);
    expect(await agent.getDesktop('desk', { size: 1 })).toEqual(['window://a\n\nA']);
    expect(await agent.getDesktop('desk', { window: 'window://b' })).toEqual(['window://b\n\nB']);
    const [all, first] = computer.askedFor('client:get_desktop');
    expect(all).not.toHaveProperty('desktop_size');
    expect(first).toMatchObject({ desktop_size: 1 });
  });

  test('resources are listed page by page, and one of them is read', async () => {
    await using office = await openOffice();
    const { agent, computer } = office;
    computer.resources.set('file:///a', [{ uri: 'file:///a', text: 'A' }]);
    computer.resources.set('file:///b', [{ uri: 'file:///b', text: 'B' }]);
    const first = await agent.getResources('desk', { server: 'files' });
    expect(first).toEqual({ resources: [{ uri: 'file:///a' }], nextCursor: '1' });
    const second = await agent.getResources('desk', { server: 'files', cursor: first.nextCursor });
    expect(second).toEqual({ resources: [{ uri: 'file:///b' }], nextCursor: undefined });
    expect(await agent.readResource('desk', 'file:///b', { server: 'files', timeout: 2500 })).toMatchObject([
      { text: 'B' },
    ]);
    expect(computer.askedFor('client:read_resource')[0]).toMatchObject({ mcp_server: 'files', timeout: 3 });
  });

  test('prompts are listed of all servers or of one, and one of them is filled in', async () => {
    await using office = await openOffice();
    await using desk = await RawPeer.join(office.server.url, 'computer', 'prompting', 'demo');
    const prompt = { name: 'review', mcp_server: 'build', arguments: [{ name: 'path', required: true }] };
    const messages = [{ role: 'user', content: { type: 'text', text: 'Review a.ts' } }];
    desk.reply('client:get_prompts', ({ req_id, mcp_server }) => ({
      prompts: [prompt],
      next_cursor: mcp_server === undefined ? null : '1',
      req_id,
    }));
    desk.reply('client:get_prompt', ({ req_id }) => ({ description: null, messages, req_id }));
    const { agent } = office;
    expect(await agent.getPrompts('prompting')).toEqual({ prompts: [prompt], nextCursor: undefined });
    const page = await agent.getPrompts('prompting', { server: 'build', cursor: '0' });
    expect(page.nextCursor).toBe('1');
    expect(desk.payloads('client:get_prompts')[1]).toMatchObject({ mcp_server: 'build', cursor: '0' });
    const wanted = { server: 'build', name: 'review', arguments: { path: 'a.ts' } };
    expect(await agent.getPrompt('prompting', wanted, { timeout: 2500 })).toEqual({ messages });
    const [sent] = desk.payloads('client:get_prompt');
    expect(sent).toMatchObject({ mcp_server: 'build', name: 'review', arguments: { path: 'a.ts' }, timeout: 3 });
  });

  test('prompts of a Computer without this extension are an error with the reason unsupported', async () => {
    await using office = await openOffice();
    await using old = await RawPeer.join(office.server.url, 'computer', 'old', 'demo');
    const refusal = { code: 400, message: 'Unknown event', details: { reason: 'unsupported' } };
    old.reply('client:get_prompts', () => refusal);
    old.reply('client:get_prompt', () => refusal);
    const unsupported = { name: 'SmcpError', code: 400, reason: 'unsupported', message: 'Unknown event' };
    await expect(office.agent.getPrompts('old')).rejects.toMatchObject(unsupported);
    await expect(office.agent.getPrompt('old', { server: 's', name: 'x' })).rejects.toMatchObject(unsupported);
  });

  verifies('ack.req-id.check', async () => {
    await using office = await openOffice();
    const { agent, computer } = office;
    for (let count = 0; count < 20; count++) await agent.getTools('desk');
    const ids = computer.askedFor('client:get_tools').map(({ req_id }) => req_id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids[0]).toMatch(/^[0-9a-f]{32}$/);
    await using confused = await RawPeer.join(office.server.url, 'computer', 'confused', 'demo');
    confused.reply('client:get_config', () => ({ servers: {}, req_id: ids[0] }));
    await expect(agent.getConfig('confused')).rejects.toThrow('req_id of another request');
  });

  verifies('ack.nothing', async () => {
    await using office = await openOffice();
    await using odd = await RawPeer.join(office.server.url, 'computer', 'odd', 'demo');
    odd.socket.on('client:get_resources', (_, answer) => answer());
    odd.reply('client:get_tools', () => ({}));
    const listing = office.agent.getResources('odd', { server: 'files' });
    await expect(listing).rejects.toThrow('client:get_resources was answered with nothing: the other side');
    await expect(office.agent.getTools('odd')).rejects.toThrow('The Server may have lost an error');
  });

  test('a request fails when its signal fires', async () => {
    await using office = await openOffice();
    office.computer.beforeAnswer = forever;
    const controller = new AbortController();
    const asking = office.agent.getDesktop('desk', { signal: controller.signal });
    controller.abort(new Error('changed my mind'));
    await expect(asking).rejects.toThrow('changed my mind');
  });

  test('a request fails with 408 and a reason after its timeout', async () => {
    await using office = await openOffice();
    office.computer.beforeAnswer = forever;
    const asking = office.agent.getConfig('desk', { timeout: 50 });
    await expect(asking).rejects.toMatchObject({ code: 408, reason: 'timeout', details: { reason: 'timeout' } });
  });
});
