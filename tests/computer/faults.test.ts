import { Computer, type ComputerOptions } from '@a2c-smcp/computer';
import { expect, test } from 'vitest';
import {
  eventually,
  expectGone,
  type Office,
  openOffice,
  recordingLogger,
  scripted,
  stateOf,
  textOf,
} from './office.ts';

const good = scripted({ tools: ['echo', 'pids'] }, { name: 'good' });

interface Fault {
  office: Office;
  /** Fails when the healthy server has not answered every time until now. */
  healthy(): Promise<void>;
}

/** An office with a healthy server and one that misbehaves. Afterwards nothing of either is left. */
async function withFault(
  script: object,
  test: (fault: Fault) => Promise<void>,
  options: Partial<ComputerOptions> = {},
): Promise<void> {
  const servers = { bad: scripted(script, { name: 'bad' }), good };
  const office = await openOffice({ servers, ...options });
  await eventually(() => expect(stateOf(office.computer, 'good')).toBe('ready'));
  const pids = JSON.parse(textOf(await office.callTool('pids')));
  const answers: boolean[] = [];
  let over = false;
  const asking = setInterval(async () => {
    const answered = await office.callTool('echo').then(
      result => result.isError !== true,
      () => over,
    );
    answers.push(answered);
  }, 20);
  const badPid = () => office.computer.status()[0]?.pid;
  const seen = new Set<number>();
  try {
    await test({
      office,
      async healthy() {
        const pid = badPid();
        if (pid !== undefined) seen.add(pid);
        const count = answers.length;
        await eventually(() => expect(answers.length).toBeGreaterThan(count + 2));
        expect(answers).not.toContain(false);
        expect(stateOf(office.computer, 'good')).toBe('ready');
      },
    });
  } finally {
    over = true;
    clearInterval(asking);
    await office[Symbol.asyncDispose]();
  }
  await expectGone([...pids, ...seen]);
}

test('a server that exits at start has failed, with its reason and the last lines of its standard error', async () => {
  await withFault({ exit: 'start', say: 'no database' }, async ({ office, healthy }) => {
    await healthy();
    // On a busy machine it may have been started again meanwhile, and is failed again soon.
    await eventually(() => {
      const [status] = office.computer.status();
      expect(status).toMatchObject({ state: 'failed', tools: 0 });
      expect(status?.stderr?.at(-1)).toBe('no database');
      expect(status?.error).toContain('exited with code 3');
    });
    await eventually(() => expect(office.computer.status()[0]?.restarts).toBeGreaterThan(0));
  });
});

test('a server that fails is a warning with its last lines, once for each reason', async () => {
  const logger = recordingLogger();
  const servers = { bad: scripted({ exit: 'start', say: 'no database' }, { name: 'bad' }) };
  await using computer = await Computer.open({ name: 'desk', servers, logger });
  await eventually(() => expect(computer.status()[0]?.restarts).toBeGreaterThan(1));
  const warnings = logger.lines.filter(({ level }) => level === 'warn');
  expect(warnings).toMatchObject([
    {
      message: 'An MCP server failed',
      fields: { mcp_server: 'bad', error: expect.stringContaining('exited with code 3'), stderr: ['no database'] },
    },
  ]);
});

test('a server that exits during the handshake is failed', async () => {
  await withFault({ exit: 'initialize' }, async ({ office, healthy }) => {
    await healthy();
    expect(office.computer.status()[0]?.error).toContain('exited with code 4');
  });
});

test('a server that exits in the middle of a call fails that call at once and comes back', async () => {
  await withFault({ tools: ['exit', 'other'] }, async ({ office, healthy }) => {
    const call = office.callTool('exit', { code: 9 }, { timeout: 600 });
    const result = await call;
    expect(result).toMatchObject({ isError: true, meta: { error_code: 4003 } });
    expect(textOf(result)).toContain('exited with code 9');
    await healthy();
    await eventually(() => expect(office.computer.status()[0]).toMatchObject({ state: 'ready', restarts: 1 }));
  });
});

test('a server that hangs at initialize fails, and nothing waits for it', async () => {
  const options = { patience: 500, startTimeout: 3000 };
  await withFault(
    { hang: 'initialize' },
    async ({ office, healthy }) => {
      expect(stateOf(office.computer, 'bad')).toBe('starting');
      await healthy();
      await eventually(() => expect(stateOf(office.computer, 'bad')).toBe('failed'));
      expect(office.computer.status()[0]?.error).toContain('3000 ms');
    },
    options,
  );
});

test('a server that floods its standard error keeps a bounded part of it', async () => {
  await withFault({ stderr: 20_000 }, async ({ office, healthy }) => {
    await healthy();
    await eventually(() => expect(office.computer.stderr('bad').at(-1)).toContain('line 19999 '));
    expect(office.computer.stderr('bad')).toHaveLength(200);
  });
});

test('invalid lines of a server are skipped, and its messages are read', async () => {
  await withFault({ garbage: true, tools: ['other'] }, async ({ office, healthy }) => {
    await healthy();
    expect(stateOf(office.computer, 'bad')).toBe('ready');
    expect(await office.callTool('other')).not.toHaveProperty('isError');
  });
});

test('a server that writes bytes of another encoding is started again', async () => {
  await withFault({ tools: ['bytes', 'other'] }, async ({ office, healthy }) => {
    const result = await office.callTool('bytes');
    expect(result).toMatchObject({ isError: true, meta: { error_code: 4003 } });
    expect(textOf(result)).toContain('no utf-8');
    await healthy();
    expect(await office.callTool('other')).not.toHaveProperty('isError');
  });
});

test('a result of 20 MB becomes a failure that says so, and the connection survives', async () => {
  await withFault({ tools: ['big'] }, async ({ office, healthy }) => {
    const result = await office.callTool('big', { size: 20 * 1024 * 1024 });
    expect(result).toMatchObject({ isError: true });
    expect(textOf(result)).toMatch(/too large.*2097\d{4} bytes.*16777216/);
    await healthy();
    expect(textOf(await office.callTool('big', { size: 3_000_000 }))).toHaveLength(3_000_000);
  });
});

test('a server that changes its tools every 10 ms costs few announcements', async () => {
  await withFault({ busyTools: 10 }, async ({ office, healthy }) => {
    const times: number[] = [];
    office.agent.channel.on('notify:update_tool_list', () => times.push(Date.now()));
    await eventually(() => expect(times.length).toBeGreaterThan(10));
    const [first = 0] = times;
    const duration = (times.at(-1) ?? 0) - first;
    expect((times.length - 1) / duration).toBeLessThanOrEqual(1 / 45);
    await healthy();
  });
});

test('a server that stops answering is noticed by a ping and started again', async () => {
  const options = { pingInterval: 200, requestTimeout: 1000 };
  await withFault(
    { deaf: true, tools: ['other'] },
    async ({ office, healthy }) => {
      await eventually(() => expect(office.computer.status()[0]?.restarts).toBeGreaterThan(0));
      await healthy();
    },
    options,
  );
});

test('a command that does not exist is a failure of that server alone', async () => {
  const server_parameters = { command: 'no-such-command-at-all' };
  const missing = { name: 'missing', type: 'stdio' as const, server_parameters };
  await using computer = await Computer.open({ name: 'desk', servers: { missing, good } });
  expect(computer.status()).toMatchObject([
    { state: 'failed', error: "No command 'no-such-command-at-all' was found: check 'command' and PATH" },
    { state: 'ready' },
  ]);
});
