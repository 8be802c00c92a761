import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Agent } from '@a2c-smcp/agent';
import { SmcpServer } from '@a2c-smcp/server';
import { beforeAll, describe, expect, test } from 'vitest';
import { buildPackages } from '../build.ts';
import { expectGone, openComputer } from '../computer/office.ts';
import { root } from '../packages.ts';
import { configFile } from './config-file.ts';

beforeAll(buildPackages, 120_000);

interface Started extends AsyncDisposable {
  child: ChildProcess;
  /** The first line of output that matches. */
  line(pattern: RegExp): Promise<RegExpExecArray>;
  ended: Promise<[code: number | null]>;
}

/** Starts the real `a2c` as a service, without a terminal. */
function start(...words: string[]): Started {
  const child = spawn(process.execPath, [join(root, 'packages/cli/bin/a2c.js'), ...words], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let out = '';
  child.stdout?.setEncoding('utf8').on('data', text => {
    out += text;
  });
  const ended = once(child, 'exit') as Promise<[number | null]>;
  return {
    child,
    ended,
    async line(pattern) {
      await expect.poll(() => out, { timeout: 20_000 }).toMatch(pattern);
      return pattern.exec(out)!;
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

describe('SIGTERM', () => {
  test('lets calls in flight end before the Server does', async () => {
    await using server = start('server', '--port', '0');
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

  test('ends a Computer and every process it has started', async () => {
    await using server = await SmcpServer.listen({ port: 0, gracePeriod: 0 });
    const config = configFile({ tools: ['pids'], spawn: 2 }, { default_tool_meta: { auto_apply: true } });
    await using service = start('computer', '--url', server.url, '--name', 'desk', '--config', config);
    await service.line(/Computer 'desk' is in office/);
    await using agent = await Agent.connect(server.url, { name: 'a', office: 'demo' });
    const result = await agent.callTool({ computer: 'desk', tool: 'pids' });
    const pids: number[] = JSON.parse(String(result.content[0]?.text));
    expect(pids.length).toBeGreaterThan(2);
    service.child.kill('SIGTERM');
    expect(await service.ended).toEqual([0, null]);
    await expectGone(pids);
  });
});
