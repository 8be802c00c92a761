import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Computer } from '@a2c-smcp/computer';
import { Peer } from '@a2c-smcp/peer';
import { GetComputerConfigRet } from '@a2c-smcp/protocol';
import { apiKeys, SmcpServer } from '@a2c-smcp/server';
import { describe, expect, test } from 'vitest';
import { openBareOffice, recordingLogger, stateOf } from '../computer/office.ts';
import { temporaryFolder } from '../computer/temporary.ts';
import { eventually } from '../eventually.ts';
import { bundled } from '../programs.ts';
import { given, inputs, openEcho, servers, traces } from './canaries.ts';

const crash = fileURLToPath(new URL('../fixtures/crash-on-signal.mjs', import.meta.url));

const FORMS = [
  'text',
  'lines',
  'json',
  'nested',
  'ascii',
  'inspect',
  'url',
  'form',
  'base64',
  'base64url',
  'basic',
  'hex',
];

test('the detector of these tests finds a canary in every form', () => {
  const text = 'before cAnArY99"cAnArY after';
  const bytes = Buffer.from(text);
  const readings = [
    text,
    JSON.stringify(text),
    encodeURIComponent(text),
    bytes.toString('base64'),
    bytes.toString('hex'),
  ];
  for (const reading of readings) expect(traces(`x ${reading} y`)).not.toEqual([]);
});

describe('a Computer with secrets at every place of its configuration', () => {
  async function open() {
    const logger = recordingLogger();
    const office = await openBareOffice({
      servers: servers(await openEcho()),
      inputs,
      env: { PATH: process.env.PATH, OUTER: given.env },
      ask: async ({ id }) => (id === 'token' ? given.typed : undefined),
      logger,
    });
    expect(stateOf(office.computer, 'leaking')).toBe('ready');
    const call = (tool_name: string) =>
      office.ask('client:tool_call', {
        agent: 'a',
        req_id: tool_name,
        computer: 'desk',
        tool_name,
        params: {},
        timeout: 20,
      });
    return { office, logger, call };
  }

  test('a Computer masks secrets in whatever form a server prints them, whole or in pieces', async () => {
    const { office, logger, call } = await open();
    await using _ = office;
    for (const name of FORMS.flatMap(form => [`print-${form}`, `drip-${form}`])) {
      await call(name);
      await eventually(() => expect(office.computer.stderr('leaking')).toContain(`${name}]`));
      const printed = office.computer.stderr('leaking').join('\n').split(`[${name}\n`).at(-1) ?? '';
      expect(printed, name).toContain('***');
      expect(traces(printed), name).toEqual([]);
    }
    expect(logger.text()).toContain('drip-hex]');
    expect(traces(logger.text())).toEqual([]);
  });

  test('a Computer masks secrets of any form in the errors that an Agent gets', async () => {
    const { office, logger, call } = await open();
    await using _ = office;
    for (const form of FORMS) {
      const refused = await call(`refuse-${form}`);
      expect(refused).toMatchObject({ isError: true, meta: { error_code: 4003 } });
      expect(JSON.stringify(refused)).toContain('***');
      expect(traces(JSON.stringify(refused))).toEqual([]);
    }
    const asked = ['echoing', 'sse', 'broken', 'missing'].map(mcp_server =>
      office.ask('client:get_resources', { agent: 'a', req_id: mcp_server, computer: 'desk', mcp_server }),
    );
    expect(traces(JSON.stringify(await Promise.all(asked)))).toEqual([]);
    expect(traces(JSON.stringify(office.computer.history))).toEqual([]);
    expect(traces(JSON.stringify(office.heard))).toEqual([]);
    expect(traces(logger.text())).toEqual([]);
  });

  test('a Computer masks secrets in its status, also of servers that fail', async () => {
    const { office, logger, call } = await open();
    await using _ = office;
    await call('exit');
    await eventually(() => expect(logger.text()).toContain('exited with code 9'));
    const status = office.computer.status();
    expect(status.filter(({ state }) => state === 'failed').map(({ name }) => name)).toEqual(
      expect.arrayContaining(['echoing', 'sse', 'broken', 'missing']),
    );
    expect(status.find(({ name }) => name === 'echoing')?.error).toContain('***');
    expect(traces(JSON.stringify(status))).toEqual([]);
    expect(traces(logger.text())).toEqual([]);
  });

  test('a Computer masks secrets in its configuration, which still says what it runs', async () => {
    const { office } = await open();
    await using _ = office;
    const answer = await office.ask('client:get_config', { agent: 'a', req_id: 'c', computer: 'desk' });
    expect(traces(JSON.stringify(answer))).toEqual([]);
    const { inputs: shownInputs, servers: shown } = GetComputerConfigRet.parse(answer);
    expect(shown.leaking?.server_parameters).toMatchObject({
      command: process.execPath,
      args: expect.arrayContaining(['--api-key', '--secret=***', 'Authorization: ***', 'GITHUB_TOKEN=***']),
      env: expect.objectContaining({ PLAIN: '***', TYPED: '${input:token}', ASKED: 'Bearer ${input:login}' }),
    });
    expect(shown.echoing?.server_parameters).toMatchObject({
      url: expect.stringMatching(/^http:\/\/\*\*\*@127\.0\.0\.1:\d+\/mcp\/\*\*\*\?sig=\*\*\*&q=\*\*\*$/),
      headers: { 'X-Odd': '***', Cookie: '***', Authorization: '***' },
    });
    expect(shownInputs?.map(({ id, type }) => [id, type])).toEqual(inputs.map(({ id, type }) => [id, type]));
    expect(traces(JSON.stringify(office.computer.inputs))).not.toEqual([]);
  });

  test.each([
    ['values', { auth: { token: given.auth }, headers: { 'x-api-key': given.header } }],
    ['functions', { auth: () => ({ token: given.auth }), headers: async () => ({ 'x-api-key': given.header }) }],
  ])('a Computer masks its credentials for the Server when that repeats them, as %s', async (_, credentials) => {
    const logger = recordingLogger();
    await using computer = await Computer.open({ name: 'desk', logger });
    const echo = await openEcho();
    const options = { office: 'o', ...credentials, timeout: 2000 };
    const error = await computer.join(`http://ann:${given.key}@${echo}`, options).catch((thrown: Error) => thrown);
    expect(error).toBeInstanceOf(Error);
    expect(traces(computer.redact(`${(error as Error).stack} ${given.auth} ${given.header} ${given.key}`))).toEqual([]);
    expect(traces(logger.text())).toEqual([]);
  });
});

describe('the command line', () => {
  test.each(['json', 'pretty'])(
    'a2c computer writes no secret to its log in %s, nor when a bug ends it',
    async logs => {
      const key = given.key;
      await using server = await SmcpServer.listen({ port: 0, gracePeriod: 0, authenticate: apiKeys([key]) });
      const url = server.url.replace('://', `://ann:${given.auth}@`);
      const words = [
        '--url',
        url,
        '--key',
        key,
        '--header',
        `x-more:${given.header}`,
        '--input',
        `token=${given.typed}`,
      ];
      const config = ['--config', await configFile(), '--name', 'desk', '--office', 'o'];
      await using computer = start(['computer', ...words, ...config, '--logs', logs, '--log-level', 'debug'], {
        NODE_OPTIONS: `--import ${crash}`,
        CRASH_WITH: [given.env, given.typed, given.auth, key].join(' and '),
      });
      await eventually(() => expect(computer.output()).toContain("is in office 'o'"));
      if (process.platform === 'linux') {
        const ours = argumentsOf(computer.child.pid ?? 0).filter(line => !line.includes('leaking-mcp-server'));
        expect(ours.join('\n')).toMatch(/^a2c computer\s.*guardian/s);
        expect(traces(ours.join('\n'))).toEqual([]);
      }
      await using agent = await Peer.join(server.url, {
        role: 'agent',
        name: 'a',
        office: 'o',
        headers: { 'x-api-key': key },
      });
      for (const tool_name of ['print-json', 'drip-text', 'print-basic', 'refuse-url']) {
        const request = { agent: 'a', req_id: tool_name, computer: 'desk', tool_name, params: {}, timeout: 20 };
        expect(traces(JSON.stringify(await agent.call('client:tool_call', request, { timeout: 25_000 })))).toEqual([]);
      }
      await eventually(() => expect(computer.output()).toContain('print-basic]'));
      computer.child.kill('SIGUSR2');
      await computer.ended;
      expect(computer.child.exitCode).toBe(70);
      expect(computer.output()).toContain('boom *** and ***');
      expect(traces(computer.output())).toEqual([]);
    },
  );

  test('a2c doctor reports on servers and a Server without a secret', async () => {
    const url = `http://ann:${given.auth}@${await openEcho()}`;
    const words = ['--config', await configFile(), '--url', url, '--key', given.key, '--input', `token=${given.typed}`];
    await using doctor = start(['doctor', ...words]);
    await doctor.ended;
    expect(doctor.output()).toContain("MCP server 'leaking' is ready");
    expect(doctor.output()).toContain("MCP server 'echoing' failed");
    expect(traces(doctor.output())).toEqual([]);
  });
});

interface Started extends AsyncDisposable {
  child: ChildProcess;
  /** All that it wrote to both streams. */
  output(): string;
  ended: Promise<unknown[]>;
}

/** The real `a2c`, with secrets in its environment. */
function start(words: string[], env: Record<string, string> = {}): Started {
  let output = '';
  const child = spawn(process.execPath, [bundled('a2c'), ...words], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env, OUTER: given.env },
  });
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', text => {
      output += text;
    });
  }
  const ended = once(child, 'close');
  return {
    child,
    ended,
    output: () => output,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

async function configFile(): Promise<string> {
  const path = join(temporaryFolder(), 'mcp.json');
  writeFileSync(path, JSON.stringify({ inputs, servers: servers(await openEcho()) }));
  return path;
}

/** The arguments of a process and of those it has started, as all users of the machine see them. */
function argumentsOf(pid: number): string[] {
  const children = readdirSync(`/proc/${pid}/task`).flatMap(task =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean),
  );
  return [pid, ...children].map(each => readFileSync(`/proc/${each}/cmdline`, 'utf8').replaceAll('\0', ' '));
}
