import type { Agent, AgentEvents } from '@a2c-smcp/agent';
import { ErrorCode, SmcpError } from '@a2c-smcp/protocol';
import { RawPeer, recordingLogger } from '@a2c-smcp/testing';
import { describe, expect, test } from 'vitest';
import { verifies } from '../conformance/verifies.ts';
import { eventually } from '../eventually.ts';
import { openOffice } from './office.ts';
import { ScriptedComputer, text } from './scripted-computer.ts';

const hi = () => text('hi');

function toolsOf(agent: Agent, computer: string): string[] | undefined {
  return agent.computers.get(computer)?.tools.map(({ name }) => name);
}

/** Records the events of the Agent from now on. */
function follow<K extends keyof AgentEvents>(agent: Agent, ...names: K[]): { name: K; payload: AgentEvents[K] }[] {
  const emitted: { name: K; payload: AgentEvents[K] }[] = [];
  for (const name of names) agent.on(name, payload => emitted.push({ name, payload }));
  return emitted;
}

describe('the cached office', () => {
  test('an Agent that joins last has the tools of all Computers', async () => {
    await using office = await openOffice({ tools: { echo: hi, save: hi } });
    expect(toolsOf(office.agent, 'desk')).toEqual(['echo', 'save']);
  });

  verifies(['react.enter', 'react.leave'], async () => {
    await using office = await openOffice();
    const { agent, server } = office;
    const emitted = follow(agent, 'enter', 'tools', 'leave');
    const second = await ScriptedComputer.join(server.url, { name: 'lab', tools: { measure: hi } });
    await eventually(() => expect(toolsOf(agent, 'lab')).toEqual(['measure']));
    await second.close();
    await eventually(() => expect(agent.computers.has('lab')).toBe(false));
    expect(emitted).toMatchObject([
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
    const emitted = follow(agent, 'desktop', 'finder', 'config');
    computer.windows.push('window://a\n\nA');
    computer.announce('desktop');
    await eventually(() => expect(agent.computers.get('desk')?.desktop).toEqual(['window://a\n\nA']));
    computer.announce('finder');
    await eventually(() => expect(agent.computers.get('desk')?.finder).toEqual({ documents: [], totalCount: 0 }));
    computer.announce('config');
    await eventually(() => expect(agent.computers.get('desk')?.config).toEqual({ servers: {} }));
    expect(emitted.map(({ name }) => name)).toEqual(['desktop', 'finder', 'config']);
  });

  test('many changes cause few requests, and the last state is fetched', async () => {
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

  test('topics outside autoRefresh are announced and not fetched', async () => {
    await using office = await openOffice({ agent: { autoRefresh: ['tools'] } });
    const { agent, computer } = office;
    const emitted = follow(agent, 'changed', 'desktop');
    computer.announce('desktop');
    computer.tools.set('save', hi);
    computer.announce('tool_list');
    await eventually(() => expect(toolsOf(agent, 'desk')).toEqual(['save']));
    expect(emitted).toEqual([
      { name: 'changed', payload: { computer: 'desk', topic: 'desktop' } },
      { name: 'changed', payload: { computer: 'desk', topic: 'tools' } },
    ]);
    expect(computer.askedFor('client:get_desktop')).toEqual([]);
  });

  verifies(
    'finder-change.named',
    async () => {
      await using office = await openOffice();
      const { agent, computer } = office;
      const emitted = follow(agent, 'changed');
      computer.announce('finder', { uris: ['dpe://files/a'] });
      computer.announce('finder');
      await eventually(() =>
        expect(emitted).toEqual([
          { name: 'changed', payload: { computer: 'desk', topic: 'finder', uris: ['dpe://files/a'] } },
          { name: 'changed', payload: { computer: 'desk', topic: 'finder' } },
        ]),
      );
    },
    'the Agent passes them on',
  );

  test('waitFor refuses to wait for tools that are not fetched', async () => {
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
  });

  verifies(
    'retry.codes',
    async () => {
      const logger = recordingLogger();
      await using office = await openOffice({ agent: { logger } });
      const { computer } = office;
      /** How often a list is requested that always fails, until the Agent gives up. */
      const attempts = async (code: number) => {
        computer.beforeAnswer = () => {
          throw new SmcpError(code, 'Never');
        };
        const givenUp = () =>
          logger.lines.filter(({ message }) => message === 'A Computer could not be refreshed').length;
        const [asked, before] = [computer.asked.length, givenUp()];
        computer.announce('tool_list');
        await eventually(() => expect(givenUp()).toBe(before + 1));
        return computer.asked.length - asked;
      };
      for (const code of [400, 401, 403]) expect([code, await attempts(code)]).toEqual([code, 1]);
      for (const code of [408, 500]) expect([code, await attempts(code)]).toEqual([code, 4]);
      computer.beforeAnswer = () => {
        throw new SmcpError(ErrorCode.NotFound, 'Gone');
      };
      const asked = computer.asked.length;
      computer.announce('tool_list');
      await eventually(() => expect(office.agent.computers.has('desk')).toBe(false));
      expect(computer.asked.length - asked).toBe(1);
    },
    'each code',
  );

  test('a Computer that the office does not know is removed', async () => {
    await using office = await openOffice();
    const { agent, computer } = office;
    computer.beforeAnswer = () => {
      throw new SmcpError(ErrorCode.NotFound, "No computer 'desk' in this office");
    };
    computer.announce('tool_list');
    await eventually(() => expect(agent.computers.has('desk')).toBe(false));
  });

  test('malformed notifications are ignored', async () => {
    await using office = await openOffice({ tools: { echo: hi } });
    const { agent, server } = office;
    await using other = await RawPeer.join(server.url, 'computer', 'other', 'demo');
    other.reply('client:get_tools', ({ req_id }) => ({ tools: [], req_id }));
    other.socket.emit('server:update_tool_list', { computer: 7 });
    other.socket.emit('server:update_tool_list', null);
    await other.settled();
    await eventually(() => expect([...agent.computers.keys()]).toEqual(['desk', 'other']));
    expect(toolsOf(agent, 'desk')).toEqual(['echo']);
  });
});

describe('waiting for a tool', () => {
  test('waitFor resolves at once when the tool is offered', async () => {
    await using office = await openOffice({ tools: { echo: hi } });
    expect(await office.agent.waitFor({ tool: 'echo' })).toMatchObject({ computer: 'desk', tool: { name: 'echo' } });
  });

  test('waitFor resolves when a Computer with the tool enters', async () => {
    await using office = await openOffice({ tools: { echo: hi } });
    const { agent, server } = office;
    const waiting = agent.waitFor({ computer: 'lab', tool: 'echo' });
    await using _lab = await ScriptedComputer.join(server.url, { name: 'lab', tools: { echo: hi } });
    expect(await waiting).toMatchObject({ computer: 'lab', tool: { name: 'echo' } });
  });

  test('waitFor rejects after its signal, its timeout or the end of the Agent', async () => {
    await using office = await openOffice();
    const { agent } = office;
    const controller = new AbortController();
    const aborted = agent.waitFor({ tool: 'never' }, { signal: controller.signal });
    controller.abort(new Error('changed my mind'));
    await expect(aborted).rejects.toThrow('changed my mind');
    await expect(agent.waitFor({ tool: 'never' }, { timeout: 20 })).rejects.toMatchObject({ code: 408 });
    const closed = agent.waitFor({ tool: 'never' });
    await Promise.all([expect(closed).rejects.toThrow('closed'), agent.close()]);
    await expect(agent.waitFor({ tool: 'never' })).rejects.toThrow('closed');
  });
});
