import { readdirSync } from 'node:fs';
import { Agent } from '@a2c-smcp/agent';
import { beforeAll, describe, expect, test } from 'vitest';
import { buildPackages } from '../build.ts';
import { eventually, expectGone, openComputer } from '../computer/office.ts';
import { temporaryFolder } from '../computer/temporary.ts';
import { startComputer, startService } from './service.ts';

beforeAll(buildPackages, 120_000);

describe('signals', () => {
  test('SIGTERM lets calls in flight end before the Server does', async () => {
    await using server = startService(['server', '--port', '0']);
    const [, url = ''] = await server.line(/Server on (\S+)/);
    await using computer = await openComputer({ scripted: { tools: ['slow'] } });
    await computer.join(url, { office: 'o' });
    await using agent = await Agent.connect(url, { name: 'a', office: 'o' });
    const call = agent.callTool({ computer: 'desk', tool: 'slow', params: { ms: 1500 } });
    await expect.poll(async () => (await (await fetch(`${url}/health`)).json()).inFlight).toBe(1);
    server.child.kill('SIGTERM');
    expect((await call).content[0]?.text).toBe('done');
    expect(await server.ended).toEqual([0, null]);
  });

  test('a second SIGTERM ends a Server at once, calls in flight or not', async () => {
    await using server = startService(['server', '--port', '0']);
    const [, url = ''] = await server.line(/Server on (\S+)/);
    await using computer = await openComputer({ scripted: { tools: ['hang'] } });
    await computer.join(url, { office: 'o' });
    await using agent = await Agent.connect(url, { name: 'a', office: 'o' });
    const call = agent.callTool({ computer: 'desk', tool: 'hang' }, { timeout: 20_000 });
    call.catch(() => {});
    await expect.poll(async () => (await (await fetch(`${url}/health`)).json()).inFlight).toBe(1);
    server.child.kill('SIGTERM');
    await eventually(() => expect(server.err).toContain('Ending'));
    server.child.kill('SIGTERM');
    expect(await server.ended).toEqual([130, null]);
  });

  test('a reader that leaves early, as head does, ends the demo in order', async () => {
    const folder = temporaryFolder();
    await using demo = startService(['demo', '--port', '0'], { env: { TMPDIR: folder } });
    await demo.line(/Who is in the office/);
    expect(readdirSync(folder).filter(name => name.startsWith('a2c-demo-'))).toHaveLength(1);
    demo.child.stdout?.destroy();
    expect(await demo.ended).toEqual([0, null]);
    expect(readdirSync(folder).filter(name => name.startsWith('a2c-demo-'))).toEqual([]);
  });

  test('SIGPIPE does not end a Server', async () => {
    await using server = startService(['server', '--port', '0']);
    const [, url = ''] = await server.line(/Server on (\S+)/);
    server.child.kill('SIGPIPE');
    expect((await fetch(`${url}/health`)).status).toBe(200);
    server.child.kill('SIGTERM');
    expect(await server.ended).toEqual([0, null]);
  });

  test.each(['SIGTERM', 'SIGHUP'] as const)('%s ends a Computer and every process it has started', async signal => {
    await using computer = await startComputer();
    computer.service.child.kill(signal);
    expect(await computer.service.ended).toEqual([0, null]);
    await expectGone(computer.pids);
  });
});
