import type { RawPeer } from '@a2c-smcp/testing';
import { type Checks, expect, type Run, skip } from '../../check.ts';
import { versionOf } from '../../line.ts';
import { expectError, type ServerStage } from '../../stages/server-stage.ts';
import { quiet, waitFor } from '../../stages/wait.ts';

/** Checks the notifications that members of an office receive. */
export const notifications: Checks<ServerStage> = {
  'event.notify.enter-office': async stage => {
    const { office, agent } = await stage.openOffice();
    await stage.join('computer', 'd', office);
    const entered = await next(agent, 'notify:enter_office', stage.name('d'));
    expect(entered.office_id === office && !entered.agent, 'the office, and the name under `computer` alone', entered);
  },
  'event.notify.leave-office': async stage => {
    const { office, agent, computer } = await stage.openOffice();
    await computer.leave(office);
    const left = await next(agent, 'notify:leave_office', stage.name('c'));
    expect(left.office_id === office && !left.agent, 'the office, and the name under `computer` alone', left);
  },
  'event.notify.update-config': passesOn('update_config'),
  'event.notify.update-tool-list': passesOn('update_tool_list'),
  'event.notify.update-desktop': passesOn('update_desktop'),
  'event.notify.update-finder': passesOn('update_finder', 'the Server knows no Finder'),
  'event.notify.tool-call-cancel': async stage => {
    const { agent, computer } = await stage.openOffice();
    const cancel = { agent: stage.name('a'), req_id: stage.unique() };
    agent.socket.emit('server:tool_call_cancel', cancel);
    const heard = await waitFor(() => computer.payloads('notify:tool_call_cancel')[0]);
    const { agent: name, req_id } = (heard ?? {}) as Partial<typeof cancel>;
    expect(
      name === cancel.agent && req_id === cancel.req_id,
      `notify:tool_call_cancel with ${JSON.stringify(cancel)}`,
      heard,
    );
  },
  'notify.agent-version': {
    since: '0.2',
    run: async stage => {
      const office = stage.unique();
      const computer = await stage.join('computer', 'c', office);
      await stage.join('agent', 'a', office);
      const entered = await waitFor(() => computer.payloads('notify:enter_office')[0]);
      const { a2c_version } = (entered ?? {}) as { a2c_version?: unknown };
      if (entered !== undefined && a2c_version === undefined) skip('the Server does not tell versions');
      expect(a2c_version === versionOf(stage.line), `a2c_version '${versionOf(stage.line)}'`, entered);
    },
  },
  'progress.audience': async stage => {
    const { office, agent, computer } = await stage.openOffice();
    const another = await stage.join('computer', 'd', office);
    computer.socket.emit('server:update_progress', { computer: stage.name('c'), req_id: 'r', progress: 1 });
    const heard = await waitFor(() => agent.payloads('notify:update_progress')[0], 1500);
    if (heard === undefined) skip('the Server knows no progress');
    await quiet();
    const others = another.payloads('notify:update_progress');
    expect(others.length === 0, 'nothing at other Computers', others);
  },
  'broadcast.audience': async stage => {
    const { office, agent, computer } = await stage.openOffice();
    const another = await stage.join('computer', 'd', office);
    const stranger = await stage.join('agent', 'b', stage.unique());
    computer.socket.emit('server:update_tool_list', { computer: stage.name('c') });
    await next(agent, 'notify:update_tool_list', stage.name('c'));
    await next(another, 'notify:update_tool_list', stage.name('c'));
    await quiet();
    const heard = [computer, stranger].map(peer => peer.payloads('notify:update_tool_list').length);
    expect(
      heard.every(count => count === 0),
      'nothing at the sender and in other offices',
      heard,
    );
  },
  'broadcast.update-guard': {
    until: '0.4',
    run: async stage => {
      const { office, agent, computer } = await stage.openOffice();
      const another = await stage.join('computer', 'd', office);
      agent.socket.emit('server:update_tool_list', { computer: stage.name('c') });
      another.socket.emit('server:update_tool_list', { computer: stage.name('c') });
      await quiet();
      const heard = [agent, computer].flatMap(peer => peer.payloads('notify:update_tool_list'));
      expect(heard.length === 0, 'no notification in the name of another member', heard);
    },
  },
  'broadcast.cancel-guard': {
    until: '0.4',
    run: async stage => {
      const { office, agent, computer } = await stage.openOffice();
      const another = await stage.join('computer', 'd', office);
      another.socket.emit('server:tool_call_cancel', { agent: stage.name('a'), req_id: 'r' });
      agent.socket.emit('server:tool_call_cancel', { agent: stage.name('b'), req_id: 'r' });
      await quiet();
      const heard = computer.payloads('notify:tool_call_cancel');
      expect(heard.length === 0, 'no cancellation in the name of another member', heard);
    },
  },
  'line.0.5.identity': {
    since: '0.5',
    run: async stage => {
      const { agent, computer } = await stage.openOffice();
      computer.socket.emit('server:update_tool_list', { computer: 'somebody else' });
      await next(agent, 'notify:update_tool_list', stage.name('c'));
    },
  },
  'list-room.members': async stage => {
    const { office, agent } = await stage.openOffice();
    const sessions = await list(stage, agent, office);
    const named = sessions.map(({ role, name }) => `${role} ${name}`).toSorted();
    const wanted = `agent ${stage.name('a')},computer ${stage.name('c')}`;
    expect(named.join() === wanted, wanted, sessions);
    const isWhole = sessions.every(({ sid, office_id }) => typeof sid === 'string' && office_id === office);
    expect(isWhole, 'sessions with sid and office_id', sessions);
  },
  'list-room.foreign': async stage => {
    const { office } = await stage.openOffice();
    const agent = await stage.join('agent', 'b', stage.unique());
    const ask = (office_id: string) =>
      agent.ask('server:list_room', { agent: stage.name('b'), req_id: stage.unique(), office_id });
    expectError(await ask(office), 4104);
    expectError(await ask(stage.unique()), ...(stage.line === '0.5' ? [4104] : [4102]));
  },
};

/** A signal of a Computer becomes a notification. */
function passesOn(topic: string, unknown?: string): Run<ServerStage> {
  return async stage => {
    const { agent, computer } = await stage.openOffice();
    computer.socket.emit(`server:${topic}`, { computer: stage.name('c') });
    const heard = await waitFor(() => agent.payloads(`notify:${topic}`)[0], unknown === undefined ? undefined : 1500);
    if (heard === undefined && unknown !== undefined) skip(unknown);
    const { computer: name } = (heard ?? {}) as { computer?: unknown };
    expect(name === stage.name('c'), `notify:${topic} with the name of the Computer`, heard);
  };
}

interface Notice {
  office_id?: unknown;
  computer?: unknown;
  agent?: unknown;
}

/** The notification about a Computer. */
async function next(peer: RawPeer, event: string, computer: string): Promise<Notice> {
  const isAboutIt = (payload: unknown) => (payload as Notice | undefined)?.computer === computer;
  const found = await waitFor(() => peer.payloads(event).find(isAboutIt) as Notice | undefined);
  expect(found !== undefined, `${event} of '${computer}'`, peer.heard);
  return found;
}

interface Session {
  sid?: unknown;
  name?: unknown;
  role?: unknown;
  office_id?: unknown;
}

async function list(stage: ServerStage, agent: RawPeer, office: string): Promise<Session[]> {
  const request = { agent: stage.name('a'), req_id: stage.unique(), office_id: office };
  const [answer] = (await agent.ask('server:list_room', request)) as [{ sessions?: Session[]; req_id?: unknown }?];
  expect(answer?.req_id === request.req_id, 'the req_id of the request', answer);
  expect(Array.isArray(answer?.sessions), 'a list of sessions', answer);
  return answer?.sessions ?? [];
}
