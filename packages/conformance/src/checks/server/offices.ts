import { type Checks, expect, skip } from '../../check.ts';
import { codeOf, isYes } from '../../stages/answers.ts';
import type { ServerStage } from '../../stages/server-stage.ts';
import { quiet, waitFor } from '../../stages/wait.ts';

/** Checks joins and leaves. */
export const offices: Checks<ServerStage> = {
  'join.malformed': {
    until: '0.4',
    run: async stage => {
      const peer = await stage.connect();
      const answer = await peer.ask('server:join_office', { role: 'agent', office_id: stage.unique() });
      const [ok, reason] = answer;
      expect(
        ok === false && typeof reason === 'string' && reason !== '',
        'false and a sentence, without a name',
        answer,
      );
    },
  },
  'join.identity': async stage => {
    const office = stage.unique();
    const peer = await stage.join('computer', 'c', office);
    const role = await stage.enter(peer, 'agent', 'c', office);
    expect(!isYes(role), 'another role on the same connection to be refused', role);
    const name = await stage.enter(peer, 'computer', 'other', office);
    expect(!isYes(name), 'another name on the same connection to be refused', name);
  },
  'join.repeat': async stage => {
    const { office, agent, computer } = await stage.openOffice();
    const answer = await stage.enter(agent, 'agent', 'a', office);
    expect(isYes(answer), 'a second join of the same office to succeed', answer);
    await quiet();
    const heard = computer.payloads('notify:enter_office');
    expect(heard.length === 1, 'one notify:enter_office', heard);
  },
  'join.agent.exclusive': async stage => {
    const office = stage.unique();
    await stage.join('agent', 'a', office);
    await stage.join('computer', 'c1', office);
    await stage.join('computer', 'c2', office);
    const answer = await stage.enter(await stage.connect(), 'agent', 'b', office);
    expect(!isYes(answer), 'a second Agent to be refused', answer);
  },
  'join.agent.elsewhere': async stage => {
    const agent = await stage.join('agent', 'a', stage.unique());
    const answer = await stage.enter(agent, 'agent', 'a', stage.unique());
    expect(!isYes(answer), 'an Agent that is in another office to be refused', answer);
  },
  'join.computer.moves': {
    until: '0.4',
    run: async stage => {
      const { agent, computer } = await stage.openOffice();
      const answer = await stage.enter(computer, 'computer', 'c', stage.unique());
      expect(isYes(answer), 'a Computer to be let into another office', answer);
      const left = await waitFor(() => agent.payloads('notify:leave_office')[0]);
      expect(left !== undefined, 'notify:leave_office in the old office', left);
    },
  },
  'join.name': async stage => {
    const { office } = await stage.openOffice();
    const answer = await stage.enter(await stage.connect(), 'computer', 'c', office);
    expect(!isYes(answer), 'a second Computer of one name to be refused', answer);
    await stage.join('computer', 'a', office);
    await stage.join('computer', 'c', stage.unique());
  },
  'join.atomic': async stage => {
    const first = await stage.openOffice();
    const office = stage.unique();
    const second = await stage.join('computer', 'd', office);
    const answer = await stage.enter(first.agent, 'agent', 'a', office);
    expect(!isYes(answer), 'an Agent that is in another office to be refused', answer);
    await quiet();
    const heard = [...first.computer.payloads('notify:leave_office'), ...second.payloads('notify:enter_office')];
    expect(heard.length === 0, 'no notification of a refused join', heard);
    const list = { agent: stage.name('a'), req_id: stage.unique(), office_id: first.office };
    const [{ sessions = [] } = {}] = (await first.agent.ask('server:list_room', list)) as [{ sessions?: unknown[] }?];
    expect(sessions.length === 2, 'the Agent still in its office', sessions);
  },
  'names.legal': async stage => {
    for (const name of ['', 'x'.repeat(257), 'line\nbreak']) {
      const answer = await (await stage.connect()).enter('computer', name, stage.unique());
      expect(!isYes(answer), `the name ${JSON.stringify(name).slice(0, 20)} to be refused`, answer);
    }
  },
  'leave.foreign': {
    until: '0.4',
    run: async stage => {
      const { agent, computer } = await stage.openOffice();
      const answer = await agent.leave(stage.unique());
      expect(answer[0] === false, 'false for an office the peer is not in', answer);
      await quiet();
      const heard = computer.payloads('notify:leave_office');
      expect(heard.length === 0, 'no notify:leave_office', heard);
    },
  },
  'leave.clears': async stage => {
    const { office, agent } = await stage.openOffice();
    const answer = await agent.leave(office);
    expect(isYes(answer), 'a leave to succeed', answer);
    const next = await stage.join('agent', 'a', office);
    next.close();
    await quiet();
    const other = await stage.enter(agent, 'agent', 'a', stage.unique());
    expect(isYes(other), 'the connection to be let into another office', other);
  },
  'disconnect.leaves': async stage => {
    const { office, agent, computer } = await stage.openOffice();
    computer.close();
    const left = await waitFor(() => agent.payloads('notify:leave_office')[0]);
    expect(
      (left as { computer?: unknown } | undefined)?.computer === stage.name('c'),
      'notify:leave_office of the Computer',
      left,
    );
    await stage.join('computer', 'c', office);
  },
  'reconnect.stranger': async stage => {
    const { office } = await stage.openOffice();
    const { auth } = { auth: {}, ...credentialsOf(stage) };
    const peer = await stage.connect({ auth: { ...auth, instance_id: stage.unique() } });
    const answer = await stage.enter(peer, 'computer', 'c', office);
    expect(!isYes(answer), 'a taken name with another instance_id to be refused', answer);
  },
  'reconnect.takeover': async stage => {
    const office = stage.unique();
    const instance = { auth: { ...credentialsOf(stage).auth, instance_id: stage.unique() } };
    const agent = await stage.join('agent', 'a', office);
    const old = await stage.join('computer', 'c', office, instance);
    const answer = await stage.enter(await stage.connect(instance), 'computer', 'c', office);
    if (!isYes(answer)) skip('the Server knows no instance_id');
    const isClosed = await waitFor(() => (old.socket.connected ? undefined : true));
    expect(isClosed === true, 'the end of the old connection', 'it is open');
    await quiet();
    const heard = [...agent.payloads('notify:leave_office'), ...agent.payloads('notify:enter_office').slice(1)];
    expect(heard.length === 0, 'no notification of a leave or a second enter', heard);
  },
  'line.0.5.acks': {
    since: '0.5',
    run: async stage => {
      const peer = await stage.connect();
      const office = stage.unique();
      const joined = await stage.enter(peer, 'computer', 'c', office);
      expect(joined.length === 0, 'a join to be answered without arguments', joined);
      const left = await peer.leave(office);
      expect(left.length === 0, 'a leave to be answered without arguments', left);
    },
  },
  'line.0.5.leave': {
    since: '0.5',
    run: async stage => {
      const { office, agent } = await stage.openOffice();
      const answers = [await agent.leave(stage.unique()), await agent.leave(office)];
      expect(answers.every(isYes), 'leaving twice to succeed, whatever office is named', answers);
    },
  },
  'line.0.5.errors': {
    since: '0.5',
    run: async stage => {
      const { office, agent } = await stage.openOffice();
      const malformed = await (await stage.connect()).ask('server:join_office', { role: 'agent', office_id: office });
      expect(codeOf(malformed[0]) === 400, 'error 400 for a join without a name', malformed);
      const full = await stage.enter(await stage.connect(), 'agent', 'b', office);
      expect(codeOf(full[0]) === 4101, 'error 4101 for a second Agent', full);
      const elsewhere = await stage.enter(agent, 'agent', 'a', stage.unique());
      expect(codeOf(elsewhere[0]) === 4106, 'error 4106 for an Agent in another office', elsewhere);
    },
  },
  'ack.pair': {
    until: '0.4',
    run: async stage => {
      const peer = await stage.connect();
      const office = stage.unique();
      const joined = await stage.enter(peer, 'computer', 'c', office);
      expect(
        joined[0] === true && joined.length === 2 && joined[1] === null,
        'a join to be answered with true, null',
        joined,
      );
      const left = await peer.leave(office);
      expect(left[0] === true && (left[1] ?? null) === null, 'a leave to be answered with true, null', left);
    },
  },
};

function credentialsOf({ target: { key } }: ServerStage): { auth?: object } {
  return key === undefined ? {} : { auth: { token: key } };
}
