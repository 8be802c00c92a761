import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Computer } from '@a2c-smcp/computer';
import type { MCPServerConfig } from '@a2c-smcp/protocol';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { verifies } from '../conformance/verifies.ts';
import { root } from '../packages.ts';
import { eventually, expectGone, fixture, isRunning, openComputer, scripted, textOf } from './office.ts';
import { temporaryFolder } from './temporary.ts';

const wrapper = fileURLToPath(new URL('../fixtures/wrapper.mjs', import.meta.url));
const victim = fileURLToPath(new URL('../fixtures/computer-process.mjs', import.meta.url));

function wrapped(script: object, name: string): MCPServerConfig {
  const args = [wrapper, process.execPath, fixture, JSON.stringify(script)];
  return { ...scripted({}, { name }), type: 'stdio', server_parameters: { command: process.execPath, args } };
}

/** The processes of a group. */
function groupOf(leader: number): number[] {
  const lines = execFileSync('ps', ['-eo', 'pid=,pgid='], { encoding: 'utf8' }).trim().split('\n');
  const rows = lines.map(line => line.trim().split(/\s+/).map(Number));
  return rows.flatMap(([pid, group]) => (pid !== undefined && group === leader ? [pid] : []));
}

/** True if SIGHUP, SIGINT and SIGTERM do not end a process. */
function handlesSignals(pid: number): boolean {
  if (process.platform !== 'linux') return true;
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const mask = (field: string) => BigInt(`0x${new RegExp(`^${field}:\\s+(\\w+)`, 'm').exec(status)?.[1] ?? 0}`);
  return ((mask('SigIgn') | mask('SigCgt')) & 0x4003n) === 0x4003n;
}

async function pidsOf(computer: Computer): Promise<number[]> {
  const leaders = computer.status().flatMap(({ pid }) => (pid === undefined ? [] : [pid]));
  const results = await Promise.all(computer.tools.map(({ name }) => computer.callTool({ tool: name })));
  return [...leaders, ...results.flatMap(result => JSON.parse(textOf(result)))];
}

describe('closing leaves no process behind', () => {
  test.each([
    ['grandchildren', scripted({ tools: ['pids'], spawn: 3 }, { name: 's' })],
    ['a wrapper like npx', wrapped({ tools: ['pids'], spawn: 1 }, 's')],
    [
      'a server that ignores all requests to end',
      scripted({ tools: ['pids'], spawn: 1, stubborn: true }, { name: 's' }),
    ],
  ])('closing leaves no process of %s', { timeout: 30_000 }, async (_, config) => {
    const computer = await Computer.open({ name: 'desk', servers: { s: config } });
    const pids = await pidsOf(computer);
    expect(pids.every(isRunning)).toBe(true);
    await computer.close();
    expect(pids.filter(isRunning)).toEqual([]);
  });

  test('closing leaves no process of a server that npx started', { timeout: 60_000 }, async () => {
    const server_parameters = { command: 'npx', args: ['--no-install', 'mcp-server-everything'], cwd: root };
    const servers = { s: { type: 'stdio' as const, server_parameters } };
    const computer = await Computer.open({ name: 'desk', servers, patience: 60_000 });
    const pids = groupOf(computer.status()[0]!.pid!);
    expect(pids.length).toBeGreaterThan(1);
    await computer.close();
    expect(pids.filter(isRunning)).toEqual([]);
  });

  test('a server ends with its wrapper, before the restart', { timeout: 30_000 }, async () => {
    await using computer = await Computer.open({ name: 'desk', servers: { s: wrapped({ tools: ['pids'] }, 's') } });
    const pids = await pidsOf(computer);
    process.kill(pids[0]!, 'SIGKILL');
    await expectGone(pids);
  });

  test('a server that is removed, disabled or restarted leaves no process', { timeout: 30_000 }, async () => {
    await using computer = await openComputer({ a: { tools: ['a-pids'], spawn: 1 } });
    for (const end of ['restartServer', 'disableServer', 'removeServer'] as const) {
      const pids = await pidsOf(computer);
      await computer[end]('a');
      expect(pids.filter(isRunning)).toEqual([]);
    }
    expect(computer.status()).toEqual([]);
  });
});

describe('a Computer in a process of its own', () => {
  async function start(servers: Record<string, MCPServerConfig>, ...args: string[]) {
    const child = spawn(process.execPath, [victim, JSON.stringify(servers), ...args], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = await once(child.stdout, 'data');
    return { child, pids: JSON.parse(String(line)) as number[] };
  }

  const servers = {
    plain: scripted({ tools: ['a-pids'], spawn: 1 }, { name: 'plain' }),
    wrapped: wrapped({ tools: ['b-pids'], spawn: 1 }, 'wrapped'),
    stubborn: scripted({ tools: ['c-pids'], spawn: 1, stubborn: true }, { name: 'stubborn' }),
  };

  test('a killed Computer leaves no MCP server running after 5 s', { timeout: 30_000 }, async () => {
    const { child, pids } = await start(servers);
    expect(pids).toHaveLength(6);
    expect(pids.every(isRunning)).toBe(true);
    child.kill('SIGKILL');
    await expectGone(pids, 5000);
  });

  test('a closed Computer does not keep Node alive', { timeout: 30_000 }, async () => {
    const { child, pids } = await start({ plain: servers.plain }, 'close');
    expect(await once(child, 'exit')).toEqual([0, null]);
    expect(pids.filter(isRunning)).toEqual([]);
  });
});

test('one guardian serves one Computer after another', async () => {
  const guardians = () => {
    const lines = execFileSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8' }).split('\n');
    return lines.filter(line => /guardian\.sh$/.test(line) && line.trim().split(/\s+/)[1] === String(process.pid));
  };
  await (await openComputer({ a: { tools: ['echo'] } })).close();
  const first = guardians();
  expect(first).toHaveLength(1);
  await using _ = await openComputer({ a: { tools: ['echo'] } });
  expect(guardians()).toEqual(first);
});

describe.each([
  ['the shell', '/bin/sh', 'guardian.sh'],
  ['Node, where there is no shell,', process.execPath, 'guardian.js'],
])('the guardian of %s', (_, program, script) => {
  const path = fileURLToPath(new URL(`../../packages/computer/guardian/${script}`, import.meta.url));

  test('it ends the groups it was given and no others, stubborn ones by force', { timeout: 30_000 }, async () => {
    const guardian = spawn(program, [path], { stdio: ['pipe', 'ignore', 'inherit'] });
    const groups = ['', 'trap "" TERM;', ''].map(trap => {
      // The echo tells that signals are dealt with.
      const group = spawn('/bin/sh', ['-c', `${trap} echo; sleep 100 & wait; wait`], {
        detached: true,
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      onTestFinished(() => void group.kill('SIGKILL'));
      return group;
    });
    await Promise.all(groups.map(({ stdout }) => once(stdout, 'data')));
    const [gentle = 0, stubborn = 0, released = 0] = groups.map(({ pid }) => pid);
    guardian.stdin.write(`+${released}\n\n+\n+1\n+0\n+-5\n+x\n-99999\n+${gentle}\n+${stubborn}\n-${released}\n`);
    await eventually(() => expect(handlesSignals(guardian.pid!)).toBe(true));
    for (const signal of ['SIGINT', 'SIGHUP', 'SIGTERM'] as const) guardian.kill(signal);
    expect([gentle, stubborn, released].filter(isRunning)).toEqual([gentle, stubborn, released]);
    guardian.stdin.end();
    expect(await once(guardian, 'exit')).toEqual([0, null]);
    await expectGone([gentle, stubborn]);
    expect(isRunning(released)).toBe(true);
  });
});

verifies(
  'config.effects',
  async () => {
    const folder = temporaryFolder();
    vi.stubEnv('CANARY', 'not for servers');
    vi.stubEnv('NODE_EXTRA_CA_CERTS', '/etc/ssl/own.pem');
    const { server_parameters, ...config } = scripted({ tools: ['cwd', 'env'] }, { name: 's' });
    await using computer = await Computer.open({
      name: 'desk',
      servers: {
        s: {
          ...config,
          type: 'stdio',
          server_parameters: {
            command: process.execPath,
            args: [],
            ...server_parameters,
            cwd: folder,
            env: { OWN: 'ü' },
          },
        },
      },
    });
    vi.unstubAllEnvs();
    expect(textOf(await computer.callTool({ tool: 'cwd' }))).toBe(realpathSync(folder));
    const environment = JSON.parse(textOf(await computer.callTool({ tool: 'env' })));
    expect(environment).toMatchObject({
      OWN: 'ü',
      PATH: process.env.PATH,
      NODE_EXTRA_CA_CERTS: '/etc/ssl/own.pem',
    });
    expect(environment).not.toHaveProperty('CANARY');
  },
  'a server gets its folder and environment, and no more of ours than it needs',
);
