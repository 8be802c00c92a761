import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { eventually, expectGone } from '../computer/office.ts';
import { temporaryFolder } from '../computer/temporary.ts';
import { configFile } from './config-file.ts';
import { startBusyServer, startComputer, startService } from './service.ts';

describe('signals', () => {
  test('a Server that gets SIGTERM waits for calls in flight', async () => {
    await using server = await startBusyServer({ tool: 'slow', params: { ms: 1500 } });
    server.service.child.kill('SIGTERM');
    expect((await server.result).content[0]?.text).toBe('done');
    expect(await server.service.ended).toEqual([0, null]);
  });

  test('a second SIGTERM ends a Server at once, also with calls in flight', async () => {
    await using server = await startBusyServer({ tool: 'hang' });
    const { child, ended } = server.service;
    child.kill('SIGTERM');
    await eventually(() => expect(server.service.err).toContain('Ending'));
    child.kill('SIGTERM');
    expect(await ended).toEqual([130, null]);
  });

  test('closing the output of the demo early, as head does, ends it in order', async () => {
    const folder = temporaryFolder();
    await using demo = startService(['demo', '--port', '0'], { env: { TMPDIR: folder } });
    await demo.line(/Who is in the office/);
    expect(readdirSync(folder).filter(name => name.startsWith('a2c-demo-'))).toHaveLength(1);
    demo.child.stdout?.destroy();
    expect(await demo.ended, demo.err).toEqual([0, null]);
    expect(readdirSync(folder).filter(name => name.startsWith('a2c-demo-'))).toEqual([]);
  });

  test('a Computer without an office whose lazy MCP servers sleep stays until SIGTERM, in 85 MB', async () => {
    const home = temporaryFolder();
    const config = configFile(undefined, { start: 'lazy', idle: 'PT0.3S' });
    await using computer = startService(['computer', '--offline', '--service', '--config', config], {
      env: { HOME: home },
    });
    await eventually(() => expect(computer.err).toContain('"state":"asleep"'));
    const { child } = computer;
    // Nothing of the server is left that could keep the Computer alive.
    if (process.platform === 'linux') {
      const children = () => readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim().split(' ');
      await eventually(() => expect(children()).toHaveLength(1));
      expect(Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1])).toBeLessThan(
        85_000,
      );
    }
    child.kill('SIGTERM');
    expect(await computer.ended, computer.err).toEqual([0, null]);
    expect(readdirSync(join(home, '.config/a2c-smcp/catalogs'))).toHaveLength(1);
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
