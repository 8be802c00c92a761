import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { Agent } from '@a2c-smcp/agent';
import { SmcpServer } from '@a2c-smcp/server';
import { expect } from 'vitest';
import { eventually, openComputer } from '../computer/office.ts';
import { bundled } from '../programs.ts';
import { configFile } from './config-file.ts';

export interface Service extends AsyncDisposable {
  child: ChildProcess;
  /** Standard output so far. */
  readonly out: string;
  /** Standard error so far, as far as it was read. */
  readonly err: string;
  /** The first part of the output that matches. */
  line(pattern: RegExp): Promise<RegExpExecArray>;
  /** Starts to read standard error, after `readsErrors: false`. */
  readErrors(): void;
  ended: Promise<[code: number | null, signal: NodeJS.Signals | null]>;
}

export interface ServiceOptions {
  env?: Record<string, string>;
  /** @default true */
  readsErrors?: boolean;
  /** A file that gets standard error in place of a pipe. */
  errorsTo?: string;
}

/** `A2C_TEST_EXECUTABLE` is the single file of `npm run single-file`, if that is to be tested. */
const { A2C_TEST_EXECUTABLE: executable } = process.env;
const command = executable ? [executable] : [process.execPath, bundled('a2c')];

/** Starts the real `a2c` without a terminal. */
export function startService(
  words: readonly string[],
  { env = {}, readsErrors = true, errorsTo }: ServiceOptions = {},
): Service {
  const target = errorsTo === undefined ? 'pipe' : openSync(errorsTo, 'w');
  const [program = '', ...first] = command;
  const child = spawn(program, [...first, ...words], {
    env: { ...process.env, A2C_PINS: 'off', A2C_AUDIT: 'off', ...env },
    stdio: ['ignore', 'pipe', target],
  });
  // A test that times out does not get to its end.
  const kill = () => void child.kill('SIGKILL');
  process.once('exit', kill);
  child.once('exit', () => process.off('exit', kill));
  if (typeof target === 'number') closeSync(target);
  let [out, err] = ['', ''];
  child.stdout?.setEncoding('utf8').on('data', text => {
    out += text;
  });
  const readErrors = () => {
    child.stderr?.setEncoding('utf8').on('data', text => {
      err += text;
    });
  };
  if (readsErrors) readErrors();
  const ended = once(child, 'exit') as Service['ended'];
  return {
    child,
    ended,
    readErrors,
    get out() {
      return out;
    },
    get err() {
      return err;
    },
    async line(pattern) {
      await eventually(() => expect(out).toMatch(pattern));
      return pattern.exec(out)!;
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** A Server, the real `a2c computer` in its office, and the ids of the processes of its MCP server. */
export async function startComputer(options: ServiceOptions = {}) {
  const server = await SmcpServer.listen({ port: 0, gracePeriod: 0 });
  const config = configFile({ tools: ['pids', 'slow'], spawn: 2 }, { default_tool_meta: { auto_apply: true } });
  const service = startService(['computer', '--url', server.url, '--name', 'desk', '--config', config], options);
  await service.line(/Computer 'desk' is in office/);
  const agent = await Agent.connect(server.url, { name: 'a', office: 'demo' });
  const result = await agent.callTool({ computer: 'desk', tool: 'pids' });
  const pids: number[] = JSON.parse(String(result.content[0]?.text));
  expect(pids.length).toBeGreaterThan(2);
  return {
    service,
    agent,
    pids,
    async [Symbol.asyncDispose]() {
      await agent.close();
      await service[Symbol.asyncDispose]();
      await server.close();
    },
  };
}

/** The real `a2c server` with a call to one tool of a Computer in flight. */
export async function startBusyServer(call: { tool: string; params?: object }, options: ServiceOptions = {}) {
  const service = startService(['server', '--port', '0'], options);
  const [, url = ''] = await service.line(/Server on (\S+)/);
  const computer = await openComputer({ scripted: { tools: [call.tool] } });
  await computer.join(url, { office: 'o' });
  const agent = await Agent.connect(url, { name: 'a', office: 'o' });
  const result = agent.callTool({ computer: 'desk', tool: call.tool, params: { ...call.params } });
  // A test may end the Server first.
  result.catch(() => {});
  await expect.poll(async () => (await (await fetch(`${url}/health`)).json()).inFlight).toBe(1);
  return {
    service,
    result,
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]();
      await agent.close();
      await computer.close();
    },
  };
}
