import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LocalTool } from '@a2c-smcp/computer';
import { openOffice, RawPeer, scriptedServer } from '@a2c-smcp/testing';
import type { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect, test, vi } from 'vitest';
import { startA2c } from '../cli/a2c.ts';
import { eventually } from '../eventually.ts';
import { bundled } from '../programs.ts';
import { streamTransport } from '../streams.ts';
import { asking, ERAS, type Era, forms, newClient, textIn, toolNames, waitingTool } from './bridged.ts';

const echo = { run: ({ text }: { text?: string }) => text ?? 'nothing' };
const prompts = [{ name: 'review', arguments: [{ name: 'path', required: true }] }];
interface Process {
  client: Client;
  pid: number;
}

/** A folder for sockets, and bridges. */
function openMachine(url: string) {
  const folder = mkdtempSync(join(tmpdir(), 'a2c-seat-'));
  vi.stubEnv('XDG_RUNTIME_DIR', folder);
  const words = (more: string[]) => ['bridge', '--url', url, '--office', 'test', ...more];
  const clients: Client[] = [];
  return {
    folder,
    /** Starts a bridge in this process, which takes a fraction of the time. */
    async start(era: Era = 'legacy', ...more: string[]): Promise<{ client: Client }> {
      const client = newClient(era, forms);
      await client.connect(streamTransport(streams => startA2c(words(more), { streams }).ended.then(() => {})));
      clients.push(client);
      return { client };
    },
    /** Starts a bridge that can be killed, or that competes with others for a seat. */
    async startProcess(era: Era = 'legacy', ...more: string[]): Promise<Process> {
      const client = newClient(era, forms);
      const args = [bundled('a2c'), ...words(more)];
      const env = { PATH: process.env.PATH ?? '', XDG_RUNTIME_DIR: folder };
      const transport = new StdioClientTransport({ command: process.execPath, args, env, stderr: 'ignore' });
      await client.connect(transport);
      clients.push(client);
      return { client, pid: transport.pid ?? 0 };
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(clients.map(client => client.close().catch(() => {})));
      vi.unstubAllEnvs();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const call = async ({ client }: { client: Client }, name = 'echo', args: object = { text: 'hi' }) =>
  textIn(await client.callTool({ name, arguments: { ...args } }));

describe.each(ERAS)('bridges of one machine for clients of the %s era', era => {
  test(`a call through a holder that is killed fails, and the next one works (${era})`, async () => {
    const wait = waitingTool();
    await using office = await openOffice({ desk: { tools: { echo, wait } } });
    await using machine = openMachine(office.url);
    const [first, second] = [await machine.startProcess(era), await machine.start(era)];
    expect(await call(first)).toBe('hi');
    expect(await call(second, 'find_documents', { query: 'x' })).toMatch(
      /^No page mentions these words\.\n\nComputer 'desk'/,
    );
    const pending = second.client.callTool({ name: 'wait' });
    await eventually(() => expect(wait.state).toBe('running'));
    process.kill(first.pid, 'SIGKILL');
    const result = await pending;
    expect(result.isError).toBe(true);
    expect(textIn(result)).toContain('outcome of the call is unknown');
    expect(await call(second)).toBe('hi');
  });

  test(`a call through the holder is cancelled, and so are those of a client that goes (${era})`, async () => {
    const wait = waitingTool();
    await using office = await openOffice({ desk: { tools: { echo, wait } } });
    await using machine = openMachine(office.url);
    const [first, second] = [await machine.start(era), await machine.start(era)];
    const third = await machine.startProcess(era);
    expect(await call(first)).toBe('hi');
    const stop = new AbortController();
    const pending = second.client.callTool({ name: 'wait' }, { signal: stop.signal });
    await eventually(() => expect(wait.state).toBe('running'));
    stop.abort();
    await expect(pending).rejects.toThrow();
    await eventually(() => expect(wait.state).toBe('cancelled'));
    const abandoned = third.client.callTool({ name: 'wait' }).catch(() => {});
    await eventually(() => expect(wait.state).toBe('running'));
    process.kill(third.pid, 'SIGKILL');
    await eventually(() => expect(wait.state).toBe('cancelled'));
    await abandoned;
  });
});

test('bridges share one seat, and the next takes over when its holder is killed', async () => {
  await using office = await openOffice({ desk: { tools: { echo } } });
  await using machine = openMachine(office.url);
  const [first, second, third] = [
    await machine.startProcess('modern'),
    await machine.startProcess('modern'),
    await machine.startProcess('modern'),
  ];
  for (const one of [first, second, third]) {
    expect(await toolNames(one.client)).toEqual(['echo']);
    expect(await call(one)).toBe('hi');
  }
  process.kill(first.pid, 'SIGKILL');
  expect(await call(second)).toBe('hi');
  expect(await call(third)).toBe('hi');
  expect(await toolNames(third.client)).toEqual(['echo']);
  process.kill(second.pid, 'SIGKILL');
  expect(await call(third)).toBe('hi');
});

test('progress reaches the client of a bridge that uses the seat of another', async () => {
  const work: LocalTool = {
    run(_, { progress }) {
      progress({ progress: 1, total: 2, message: 'half' });
      return new Promise(resolve => setTimeout(() => resolve('done'), 500));
    },
  };
  await using office = await openOffice({ desk: { tools: { work } } });
  await using machine = openMachine(office.url);
  const [holder, other] = [await machine.start(), await machine.start()];
  for (const { client } of [holder, other]) {
    await toolNames(client);
    const reports: unknown[] = [];
    await client.callTool({ name: 'work' }, { onprogress: report => void reports.push(report) });
    expect(reports).toEqual([{ progress: 1, total: 2, message: 'half' }]);
  }
});

test('a huge result through a shared seat arrives as a file, and harms no other call', async () => {
  const data = Buffer.alloc(52 * 1024 * 1024, 'picture').toString('base64');
  const picture: LocalTool = { run: () => ({ content: [{ type: 'image', mimeType: 'image/png', data }] }) };
  let finish = () => {};
  const wait: LocalTool = {
    run: () =>
      new Promise(resolve => {
        finish = () => resolve('waited');
      }),
  };
  await using office = await openOffice({ desk: { tools: { echo, picture, wait } } });
  await using machine = openMachine(office.url);
  const [first, second] = [await machine.startProcess(), await machine.startProcess()];
  expect(await call(first)).toBe('hi');
  const pending = call(second, 'wait');
  const result = await second.client.callTool({ name: 'picture' }, { timeout: 120_000 });
  expect(textIn(result)).toMatch(/^52\.0 MiB of image\/png, too large for an answer, are in the file/);
  finish();
  expect(await pending).toBe('waited');
}, 120_000);

test('prompts reach the client of a bridge that uses the seat of another', async () => {
  await using office = await openOffice({ desk: { servers: { app: scriptedServer({ prompts }) } } });
  await using machine = openMachine(office.url);
  const [first, second] = [await machine.start(), await machine.start('modern')];
  expect(await call(first)).toContain('hi');
  const listed = (await second.client.listPrompts()).prompts.map(({ name }) => name);
  expect(listed).toEqual(['use-office', 'review']);
  const { messages } = await second.client.getPrompt({ name: 'review', arguments: { path: 'a.ts' } });
  expect(messages).toMatchObject([{ content: { text: 'review {"path":"a.ts"}' } }]);
  await expect(second.client.getPrompt({ name: 'review' })).rejects.toThrow('Argument path is missing');
});

test('questions reach the client of a bridge that uses the seat of another', async () => {
  await using office = await openOffice({ desk: asking });
  await using machine = openMachine(office.url);
  const [holder, other] = [await machine.start('legacy'), await machine.start('modern')];
  await toolNames(holder.client);
  for (const [name, { client }] of Object.entries({ holder, other })) {
    client.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: { name } }));
    expect(await call({ client }, 'ask', {})).toContain(name);
  }
});

test('changes reach every bridge of a shared seat', async () => {
  await using office = await openOffice({ desk: { tools: { echo } }, laptop: { tools: { echo } } });
  await using machine = openMachine(office.url);
  const [first, second] = [await machine.start(), await machine.start()];
  let changes = 0;
  second.client.setNotificationHandler('notifications/tools/list_changed', () => void changes++);
  expect(await toolNames(first.client)).toEqual(['desk__echo', 'laptop__echo']);
  expect(await toolNames(second.client)).toEqual(['desk__echo', 'laptop__echo']);
  await office.computers.laptop.leave();
  await eventually(() => expect(changes).toBe(1));
  expect(await toolNames(second.client)).toEqual(['desk__echo']);
  expect(textIn(await second.client.callTool({ name: 'office' }))).toContain("agent 'a2c'");
});

test('a holder that ends in order passes the seat on', async () => {
  await using office = await openOffice({ desk: { tools: { echo } } });
  await using machine = openMachine(office.url);
  const [first, second] = [await machine.startProcess(), await machine.startProcess()];
  expect(await call(first)).toBe('hi');
  expect(await call(second)).toBe('hi');
  await first.client.close();
  expect(await call(second)).toBe('hi');
  await second.client.close();
  expect(readdirSync(join(machine.folder, 'a2c-smcp'))).toEqual([]);
});

test('bridges that start together agree on one holder', async () => {
  await using office = await openOffice({ desk: { tools: { echo } } });
  await using machine = openMachine(office.url);
  const all = await Promise.all(Array.from({ length: 6 }, () => machine.startProcess()));
  expect(await Promise.all(all.map(one => call(one)))).toEqual(all.map(() => 'hi'));
});

test('a bridge with a seat of its own does not share it', async () => {
  await using office = await openOffice({ desk: { tools: { echo } } });
  await using machine = openMachine(office.url);
  const first = await machine.start('legacy', '--own-seat');
  expect(await call(first)).toBe('hi');
  const second = await machine.start();
  expect(await toolNames(second.client)).toEqual([]);
  expect(await call(second, 'office', {})).toContain('already has an agent');
});

test('bridges say who holds a seat that is taken by a stranger, and take it together later', async () => {
  await using office = await openOffice({ desk: { tools: { echo } } });
  await using machine = openMachine(office.url);
  const stranger = await RawPeer.join(office.url, 'agent', 'stranger', 'test');
  const [first, second] = [await machine.start(), await machine.start()];
  expect(await call(first, 'office', {})).toContain('already has an agent');
  expect(await call(second, 'office', {})).toContain('already has an agent');
  stranger.close();
  await eventually(async () => expect(await toolNames(first.client)).toEqual(['echo']));
  await eventually(async () => expect(await toolNames(second.client)).toEqual(['echo']));
});

describe('the socket of a shared seat', () => {
  test('can be entered by its owner only', async () => {
    await using office = await openOffice({ desk: { tools: { echo } } });
    await using machine = openMachine(office.url);
    expect(await call(await machine.start())).toBe('hi');
    expect(statSync(join(machine.folder, 'a2c-smcp')).mode & 0o777).toBe(0o700);
  });

  test('is not used in a folder that others can enter', async () => {
    await using office = await openOffice({ desk: { tools: { echo } } });
    await using machine = openMachine(office.url);
    mkdirSync(join(machine.folder, 'a2c-smcp'));
    chmodSync(join(machine.folder, 'a2c-smcp'), 0o777);
    expect(await call(await machine.start())).toBe('hi');
    expect(readdirSync(join(machine.folder, 'a2c-smcp'))).toEqual([]);
  });

  test.each([
    ['garbage', 'hello\n'],
    ['deep nesting', `${'['.repeat(100_000)}\n`],
    ['an unknown request', '{"type":"call","id":1,"method":"close","args":[]}\n'],
    ['a request of the prototype', '{"type":"call","id":1,"method":"constructor","args":[]}\n'],
  ])('survives %s', async (_, bytes) => {
    await using office = await openOffice({ desk: { tools: { echo } } });
    await using machine = openMachine(office.url);
    const first = await machine.start();
    expect(await call(first)).toBe('hi');
    const [name = ''] = readdirSync(join(machine.folder, 'a2c-smcp'));
    const socket = connect(join(machine.folder, 'a2c-smcp', name));
    const heard = new Promise(resolve =>
      socket.once('close', resolve).on('data', data => /error/.test(`${data}`) && resolve(0)),
    );
    socket.write(bytes);
    await heard;
    socket.destroy();
    expect(await call(first)).toBe('hi');
  });
});
