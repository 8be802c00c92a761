import { type Checks, expect, skip } from '../../check.ts';
import type { AgentStage } from '../../stages/agent-stage.ts';
import type { Policy } from '../../stages/played-server.ts';
import { quiet } from '../../stages/wait.ts';

/** The answers to a join that all mean yes. */
const YES: [shape: string, answer: unknown[]][] = [
  ['true, null', [true, null]],
  ['[true, null]', [[true, null]]],
  ['no argument', []],
  ['null', [null]],
];

/** How an Agent connects, joins and returns. */
export const connection: Checks<AgentStage> = {
  'version.sent': {
    since: '0.2',
    run: async stage => {
      await stage.connect();
      const versions = stage.server.handshakes.map(({ version }) => version);
      const isWhole = versions.every(version => /^\d+\.\d+\.\d+$/.test(version ?? ''));
      expect(isWhole, 'a2c_version as MAJOR.MINOR.PATCH in every handshake', versions);
    },
  },
  'version.client.polling-first': async stage => {
    await stage.connect();
    const [first] = stage.server.handshakes;
    expect(first?.transport === 'polling', 'HTTP polling in the first handshake', first?.transport);
  },
  'version.client.error': {
    since: '0.2',
    run: async stage => {
      stage.server.policy.refusal = { min: '98.0.0', max: '98.0.999' };
      const failure = await stage.refused();
      expect(failure !== undefined, 'an error for a Server of version 98.0', 'success');
      expect(/98\.0|version|4008/i.test(failure.message), 'an error that speaks of the version', failure);
      const before = stage.server.handshakes.length;
      await quiet();
      const more = stage.server.handshakes.length - before;
      expect(more === 0, 'no further attempt', `${more} more`);
    },
  },
  'version.client.auto': {
    since: '0.3',
    run: async stage => {
      stage.server.policy.refusal = { min: '0.2.0', max: '0.2.999' };
      const failure = await stage.refused();
      if (failure !== undefined) skip('the Agent knows one line only');
      const last = stage.server.handshakes.at(-1);
      expect(last?.version?.startsWith('0.2.'), 'a handshake with 0.2', last?.version);
    },
  },
  'auth.refused': async stage => {
    const failure = await stage.refused({ key: 'wrong' });
    expect(failure !== undefined, 'an error for a wrong key', 'success');
    const saysSo = /refused|unauthori[sz]ed|401|key|credential|auth/i.test(failure.message);
    expect(saysSo, 'an error that says that the credentials were refused', failure);
  },
  'auth.role': async stage => {
    const { member } = await stage.connect();
    const { auth } = member.socket.handshake;
    expect(!('role' in auth), 'no role in the auth object', Object.keys(auth));
  },
  'event.server.join-office': async stage => {
    const { member } = await stage.connect();
    const { name, office } = stage.start;
    const { joined } = member;
    const isIt = joined?.role === 'agent' && joined.name === name && joined.office_id === office;
    expect(isIt, `a join with the role agent, the name '${name}' and the office '${office}'`, joined);
  },
  'line.any-ack': {
    timeout: 60_000,
    run: async stage => {
      const { policy } = stage.server;
      for (const [shape, answer] of YES) {
        const failure = await joinWith(stage, policy, answer);
        expect(failure === undefined, `a join that is answered with ${shape} to count as a success`, failure);
      }
      const message = 'Room already has an agent';
      const refusal = { code: 4101, message, details: { role: 'agent' }, error: { code: 4101, message } };
      const failure = await joinWith(stage, policy, [refusal]);
      expect(failure !== undefined, 'a join that is answered with error 4101 to fail', 'success');
    },
  },
  'reconnect.rejoin': {
    timeout: 30_000,
    run: async stage => {
      const { member } = await stage.connect();
      member.cut();
      const back = await stage.server.member(found => found !== member && found.joined?.role === 'agent', 20_000);
      expect(back !== undefined, 'the Agent back in its office within 20 s', 'no join');
    },
  },
};

async function joinWith(stage: AgentStage, policy: Policy, answer: unknown[]): Promise<Error | undefined> {
  policy.joinAnswer = () => answer;
  return stage.refused();
}
