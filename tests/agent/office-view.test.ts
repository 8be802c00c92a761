import type { Agent, AgentEvents } from '@a2c-smcp/agent';
import { ErrorCode, SmcpError } from '@a2c-smcp/protocol';
import { describe, expect, test } from 'vitest';
import { verifies } from '../conformance/verifies.ts';
import { eventually } from '../eventually.ts';
import { RawPeer } from '../raw-peer.ts';
import { openOffice } from './office.ts';
import { ScriptedComputer, text } from './scripted-computer.ts';

const hi = () => text('hi');

function toolsOf(agent: Agent, computer: string): string[] | undefined {
  return agent.computers.get(computer)?.tools.map(({ name }) => name);
}

/** Everything the Agent tells from now on, by name. */
function follow<K extends keyof AgentEvents>(agent: Agent, ...names: K[]): { name: K; payload: AgentEvents[K] }[] {
  const told: { name: K; payload: AgentEvents[K] }[] = [];
  for (const name of names) agent.on(name, payload => told.push({ name, payload }));
  return told;
}

describe('the picture of the office', () => {
  test('shows the Computers that were there before', async () => {
    await using office = await openOffice({ tools: { echo: hi, save: hi } });
    expect(toolsOf(office.agent, 'desk')).toEqual(['echo', 'save']);
  });

  verifies(['react.enter', 'react.leave'], async () => {
    await using office = await openOffice();
    const { agent, server } = office;
    const told = follow(agent, 'enter', 'tools', 'leave');
    const second = await ScriptedComputer.join(server.url, { name: 'lab', tools: { measure: hi } });
    await eventually(() => expect(toolsOf(agent, 'lab')).toEqual(['measure']));
    await second.close();
    await eventually(() => expect(agent.computers.has('lab')).toBe(false));
    expect(told).toMatchObject([
      { name: 'enter', payload: { computer: 'lab' } },
      { name: 'tools', payload: { computer: 'lab', tools: [{ name: 'measure' }] } },
      { name: 'leave', payload: { computer: 'lab' } },
    ]);
  });

  verifies('react.tools', async () => {
    await using office = await openOffice({ tools: { echo: hi } });
    const { agent, computer } = office;
    computer.tools.set('save', hi);
    computer.announce('tool_list');
    await eventually(() => expect(toolsOf(agent, 'desk')).toEqual(['echo', 'save']));
    computer.tools.clear();
    computer.announce('config');
    await eventually(() => expect(toolsOf(agent, 'desk')).toEqual([]));
  });

  verifies('react.views', async () => {
    await using office = await openOffice();
    const { agent, computer } = office;
    const told = follow(agent, 'desktop', 'finder', 'config');
    computer.windows.push('window://a\n\nA');
    computer.announce('desktop');
    await eventually(() => expect(agent.computers.get('desk')?.desktop).toEqual(['window://a\n\nA']));
    computer.announce('finder');
    await eventually(() => expect(agent.computers.get('desk')?.finder).toEqual({ documents: [], totalCount: 0 }));
    computer.announce('config');
    await eventually(() => expect(agent.computers.get('desk')?.config).toEqual({ servers: {} }));
    expect(told.map(({ name }) => name)).toEqual(['desktop', 'finder', 'config']);
  });

  test('a storm of changes costs few requests, and the last state is seen', async () => {
    await using office = await openOffice();
    const { agent, computer } = office;
    let busy = 0;
    let busiest = 0;
    computer.beforeAnswer = async () => {
      busy += 1;
      busiest = Math.max(busiest, busy);
      await new Promise(resolve => setImmediate(resolve));
      busy -= 1;
    };
    const before = computer.asked.length;
    for (let change = 0; change < 200; change++) {
      computer.windows[0] = `window://a\n\n${change}`;
      computer.announce('desktop');
      computer.announce('tool_list');
    }
    await eventually(() => expect(agent.computers.get('desk')?.desktop).toEqual(['window://a\n\n199']));
    expect(computer.asked.length - before).toBeLessThan(40);
    expect(busiest).toBe(1);
  });

  test('can be limited; other changes are only announced', async () => {
    await using office = await openOffice({ agent: { autoRefresh: ['tools'] } });
    const { agent, computer } = office;
    const told = follow(agent, 'changed', 'desktop');
    computer.announce('desktop');
    computer.tools.set('save', hi);
    computer.announce('tool_list');
    await eventually(() => expect(toolsOf(agent, 'desk')).toEqual(['save']));
    expect(told).toEqual([
      { name: 'changed', payload: { computer: 'desk', topic: 'desktop' } },
      { name: 'changed', payload: { computer: 'desk', topic: 'tools' } },
    ]);
    expect(computer.askedFor('client:get_desktop')).toEqual([]);
  });

  test('does not wait for tools that are not fetched', async () => {
    await using office = await openOffice({ agent: { autoRefresh: ['desktop'] } });
    await expect(office.agent.waitFor({ tool: 'echo' })).rejects.toThrow(TypeError);
  });

  verifies('retry.codes', async () => {
    await using office = await openOffice();
    const { agent, computer } = office;
    const failures: ErrorCode[] = [ErrorCode.Internal, ErrorCode.Timeout];
    computer.beforeAnswer = () => {
      const code = failures.shift();
      if (code) throw new SmcpError(code, 'Not now');
    };
    computer.tools.set('save', hi);
    computer.announce('tool_list');
    await eventually(() => expect(toolsOf(agent, 'desk')).toEqual(['save']));
    failures.push(ErrorCode.Forbidden, ErrorCode.Forbidden);
    const asked = computer.asked.length;
    computer.announce('tool_list');
    await eventually(() => expect(failures).toHaveLength(1));
    await expect(agent.getTools('desk')).rejects.toMatchObject({ code: 403 });
    expect(computer.asked.length - asked).toBe(2);
  });

  test('forgets a Computer that the office does not know', async () => {
    await using office = await openOffice();
    const { agent, computer } = office;
    computer.beforeAnswer = () => {
      throw new SmcpError(ErrorCode.NotFound, "No computer 'desk' in this office");
    };
    computer.announce('tool_list');
    await eventually(() => expect(agent.computers.has('desk')).toBe(false));
  });

  test('is not confused by malformed notifications', async () => {
    await using office = await openOffice({ tools: { echo: hi } });
    const { agent, server } = office;
    await using stranger = await RawPeer.join(server.url, 'computer', 'stranger', 'demo');
    stranger.reply('client:get_tools', ({ req_id }) => ({ tools: [], req_id }));
    stranger.socket.emit('server:update_tool_list', { computer: 7 });
    stranger.socket.emit('server:update_tool_list', null);
    await stranger.settled();
    await eventually(() => expect([...agent.computers.keys()]).toEqual(['desk', 'stranger']));
    expect(toolsOf(agent, 'desk')).toEqual(['echo']);
  });
});

describe('waiting for a tool', () => {
  test('ends at once when it is there', async () => {
    await using office = await openOffice({ tools: { echo: hi } });
    expect(await office.agent.waitFor({ tool: 'echo' })).toMatchObject({ computer: 'desk', tool: { name: 'echo' } });
  });

  test('ends when a Computer brings it', async () => {
    await using office = await openOffice({ tools: { echo: hi } });
    const { agent, server } = office;
    const waiting = agent.waitFor({ computer: 'lab', tool: 'echo' });
    await using _lab = await ScriptedComputer.join(server.url, { name: 'lab', tools: { echo: hi } });
    expect(await waiting).toMatchObject({ computer: 'lab', tool: { name: 'echo' } });
  });

  test('ends when its signal fires, its time is up or the Agent is closed', async () => {
    await using office = await openOffice();
    const { agent } = office;
    const controller = new AbortController();
    const aborted = agent.waitFor({ tool: 'never' }, { signal: controller.signal });
    controller.abort(new Error('changed my mind'));
    await expect(aborted).rejects.toThrow('changed my mind');
    await expect(agent.waitFor({ tool: 'never' }, { timeout: 20 })).rejects.toMatchObject({ code: 408 });
    const closed = agent.waitFor({ tool: 'never' });
    await Promise.all([expect(closed).rejects.toThrow('closed'), agent.close()]);
  });
});
