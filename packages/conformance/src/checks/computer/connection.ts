import { type Checks, expect } from '../../check.ts';
import type { ComputerStage } from '../../stages/computer-stage.ts';
import { quiet } from '../../stages/wait.ts';

/** How a Computer connects, joins and returns. */
export const connection: Checks<ComputerStage> = {
  'version.sent': {
    since: '0.2',
    run: async ({ server }) => {
      const versions = server.handshakes.map(({ version }) => version);
      const isWhole = versions.every(version => /^\d+\.\d+\.\d+$/.test(version ?? ''));
      expect(isWhole, 'a2c_version as MAJOR.MINOR.PATCH in every handshake', versions);
    },
  },
  'version.client.polling-first': async ({ server }) => {
    const [first] = server.handshakes;
    expect(first?.transport === 'polling', 'HTTP polling in the first handshake', first?.transport);
  },
  'auth.role': async stage => {
    const { auth } = (await stage.computer()).socket.handshake;
    expect(!('role' in auth), 'no role in the auth object', Object.keys(auth));
  },
  'event.server.join-office': async stage => {
    const { joined } = await stage.computer();
    const { name, office } = stage.start;
    const wanted = { role: 'computer', name, office_id: office };
    const isIt = joined?.role === 'computer' && joined.name === name && joined.office_id === office;
    expect(isIt, `a join with ${JSON.stringify(wanted)}`, joined);
  },
  'unknown.refused': async stage => {
    const member = await stage.computer();
    const [answer] = await member.ask('client:no_such_request', stage.request());
    const { code, details } = (answer ?? {}) as { code?: unknown; details?: { reason?: unknown } };
    expect(code === 400 && details?.reason === 'unsupported', 'error 400 with the reason "unsupported"', answer);
  },
  'reconnect.rejoin': {
    timeout: 30_000,
    run: async stage => {
      const { name } = stage.start;
      const before = await stage.computer();
      before.cut();
      const isBack = (member: typeof before) => member !== before && member.joined?.name === name;
      const member = await stage.server.member(isBack, 20_000);
      expect(member !== undefined, 'the Computer back in its office within 20 s', 'no join');
      await quiet();
      await stage.tools();
    },
  },
};
