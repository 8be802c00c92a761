import { Agent } from '@a2c-smcp/agent';
import { beforeAll, describe, expect, test } from 'vitest';
import { buildPackages } from '../build.ts';
import { startService } from '../cli/service.ts';
import { eventually, openComputer } from '../computer/office.ts';
import { RawPeer } from '../raw-peer.ts';

beforeAll(buildPackages, 120_000);

describe('standard error', () => {
  test('a reader that stops neither blocks a Server nor lets it grow, and later learns how many lines it missed', async () => {
    await using server = startService(['server', '--port', '0'], { readsErrors: false });
    const [, url = ''] = await server.line(/Server on (\S+)/);
    await using computer = await openComputer({ scripted: { tools: ['echo'] } });
    await computer.join(url, { office: 'o' });
    await using agent = await Agent.connect(url, { name: 'a', office: 'o' });
    // Each join and each leave is a line with both names: 1,500 bytes for a round.
    await using noisy = await RawPeer.connect(url);
    const [name, office] = ['n'.repeat(250), 'o'.repeat(250)];
    for (let round = 0; round < 1000; round++) {
      await noisy.enter('computer', name, office);
      await noisy.leave(office);
    }
    const start = performance.now();
    expect((await fetch(`${url}/health`)).status).toBe(200);
    expect((await agent.callTool({ computer: 'desk', tool: 'echo', params: { n: 1 } })).isError).toBeFalsy();
    expect(performance.now() - start).toBeLessThan(5000);
    server.readErrors();
    await eventually(() => expect(server.err).toMatch(/"level":"warn","message":"Log lines were dropped","count":\d+/));
    const lines = server.err.split('\n').filter(line => line.includes(office)).length;
    const dropped = Number(/dropped","count":(\d+)/.exec(server.err)?.[1]);
    expect(lines + dropped).toBe(2000);
    expect(server.err.length).toBeLessThan(1_200_000);
    server.child.kill('SIGTERM');
    expect(await server.ended).toEqual([0, null]);
  });

  test('a Server whose log is not read ends on SIGTERM all the same', async () => {
    await using server = startService(['server', '--port', '0'], { readsErrors: false });
    const [, url = ''] = await server.line(/Server on (\S+)/);
    await using noisy = await RawPeer.connect(url);
    const [name, office] = ['n'.repeat(250), 'o'.repeat(250)];
    for (let round = 0; round < 400; round++) {
      await noisy.enter('computer', name, office);
      await noisy.leave(office);
    }
    server.child.kill('SIGTERM');
    expect(await server.ended).toEqual([0, null]);
  });

  test('a Server outlives the readers of its standard output and standard error', async () => {
    await using server = startService(['server', '--port', '0']);
    const [, url = ''] = await server.line(/Server on (\S+)/);
    server.child.stdout?.destroy();
    server.child.stderr?.destroy();
    await using noisy = await RawPeer.connect(url);
    for (let round = 0; round < 5; round++) {
      await noisy.enter('computer', 'n', 'o');
      await noisy.leave('o');
    }
    expect((await fetch(`${url}/health`)).status).toBe(200);
    server.child.kill('SIGTERM');
    expect(await server.ended).toEqual([0, null]);
  });
});
