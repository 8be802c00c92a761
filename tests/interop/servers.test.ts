import { Agent } from '@a2c-smcp/agent';
import { Computer } from '@a2c-smcp/computer';
import { describe, expect, test, vi } from 'vitest';
import { TOOLS } from '../../interop/src/story/scene.ts';
import { scripted } from '../computer/office.ts';
import { eventually } from '../eventually.ts';
import { recordings } from './golden.ts';
import { GoldenServer } from './golden-server.ts';

const transports = ['websocket'] as const;

describe.each(recordings('server'))('a Server of $name', recording => {
  const { office, release } = recording;

  test('is understood by our Agent', async () => {
    await using server = await GoldenServer.listen(recording, 'agent');
    await using agent = await Agent.connect(server.url, { name: 'assistant', office, transports });
    const left = vi.fn();
    agent.on('leave', left);
    const [entered] = server.sent('notify:enter_office');
    server.tell(entered!);
    await eventually(() => expect(agent.computers.get('desk')?.tools.length).toBeGreaterThan(0));
    // The Server of Rust lists them in any order.
    expect((await agent.members()).map(({ name }) => name).toSorted()).toEqual(['assistant', 'desk']);

    const echo = { computer: 'desk', tool: 'echo', params: { text: 'grüße' } };
    expect(await agent.callTool(echo)).toMatchObject({ content: [{ text: '{"text":"grüße"}' }] });
    expect(await agent.callTool({ computer: 'desk', tool: 'fail' })).toMatchObject({ isError: true });
    expect(await agent.callTool({ computer: 'desk', tool: 'no-such-tool' })).toMatchObject({ isError: true });
    const config = agent.getConfig('desk');
    // Releases before 0.2 do not route it and acknowledge it with nothing.
    if (release.startsWith('0.1.')) await expect(config).rejects.toThrow('nothing');
    else expect((await config).servers).toHaveProperty('fixture');

    const [leaving] = server.sent('notify:leave_office');
    server.tell(leaving!);
    await eventually(() => expect(left).toHaveBeenCalledWith({ computer: 'desk' }));
  });

  test('is answered by our Computer as it was', async () => {
    await using server = await GoldenServer.listen(recording, 'computer');
    const fixture = scripted({ tools: TOOLS }, { name: 'fixture', default_tool_meta: { auto_apply: true } });
    await using computer = await Computer.open({ name: 'desk', servers: { fixture } });
    // The names of tools were recorded without a `bundle_id`.
    await computer.join(server.url, { office, transports, protocolVersion: '0.2.0' });
    const requests = [...server.sent('client:get_tools').slice(0, 1), ...server.sent('client:tool_call')];
    expect(requests.length).toBeGreaterThan(3);
    for (const request of requests) expect(await server.ask(request)).toEqual(server.answered(request));
  });
});
