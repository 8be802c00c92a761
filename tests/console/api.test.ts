import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type ClientRequest, createServer, request, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Computer, Question } from '@a2c-smcp/computer';
import { EventFeed } from '@a2c-smcp/console';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkText, readText, replaceText } from '../../packages/cli/src/commands/config/edit.ts';
import { openComputer } from '../computer/office.ts';
import { eventually } from '../eventually.ts';
import { type Client, openClient } from './console.ts';

const folder = mkdtempSync(join(tmpdir(), 'a2c-api-'));
const file = join(folder, 'mcp.json');
let computer: Computer;
let client: Client;

beforeAll(async () => {
  writeFileSync(file, '{ "servers": {} }\n');
  computer = await openComputer(
    { scripted: { tools: ['echo', 'hang'] } },
    { configFile: file, policy: [{ decision: 'ask' }] },
  );
  const configuration = {
    read: async () => ({ path: file, ...(await readText(file)) }),
    check: async (text: string) => checkText(file, text),
    write: (text: string, sum: string) => replaceText(file, text, sum),
  };
  client = await openClient({ computer, configuration, configFile: file });
});
afterAll(async () => {
  await client.console.close();
  await computer.close();
  rmSync(folder, { recursive: true });
});

/** The question that is open. */
async function asked(): Promise<Question> {
  await eventually(() => expect(computer.questions.open).toHaveLength(1));
  return computer.questions.open[0] as Question;
}

interface Frame {
  id: string;
  topic: string;
  value: never;
}

/** The events of the console as a page gets them. */
function listen(lastEventId?: string): { frames: Frame[]; stop: () => void } {
  const frames: Frame[] = [];
  let text = '';
  const { cookie = '' } = client.headers;
  const headers = { cookie, ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }) };
  const sent: ClientRequest = request(`${client.console.url}api/v1/events`, { headers }, response => {
    response.setEncoding('utf8').on('data', part => {
      text += part;
      const blocks = text.split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks.filter(each => each.startsWith('id'))) {
        const [, id = '', data = ''] = /^id: (.*)\ndata: (.*)$/.exec(block) ?? [];
        frames.push({ id, ...JSON.parse(data) });
      }
    });
    response.on('error', () => {});
  });
  sent.on('error', () => {});
  sent.end();
  return { frames, stop: () => sent.destroy() };
}

test('the stream begins with a snapshot, then has changes; a page that returns gets what it missed', async () => {
  const first = listen();
  const second = listen();
  await eventually(() => expect([first.frames[0]?.topic, second.frames[0]?.topic]).toEqual(['snapshot', 'snapshot']));
  expect(first.frames[0]?.value).toMatchObject({
    about: { name: 'desk' },
    servers: [{ name: 'scripted', offered: 2 }],
  });
  await computer.disableServer('scripted');
  await eventually(() => expect(first.frames.map(({ topic }) => topic)).toContain('servers'));
  const seen = first.frames.at(-1)?.id;
  first.stop();
  await computer.enableServer('scripted');
  await eventually(() => expect(second.frames.filter(({ topic }) => topic === 'servers').length).toBeGreaterThan(1));
  const again = listen(seen);
  await eventually(() => expect(again.frames.map(({ topic }) => topic)).toContain('servers'));
  expect(again.frames.map(({ topic }) => topic)).not.toContain('snapshot');
  const late = listen('an-id-of-another-time');
  await eventually(() => expect(late.frames[0]?.topic).toBe('snapshot'));
  for (const { stop } of [second, again, late]) stop();
});

test('many changes of one topic are sent together, and nothing is looked up while no page listens', async () => {
  let looks = 0;
  let followed = 0;
  const feed = new EventFeed({
    snapshot: () => ({}),
    follow: () => {
      followed += 1;
      return () => {
        followed -= 1;
      };
    },
  });
  feed.publish('value', () => {
    looks += 1;
  });
  expect([feed.isFollowed, looks, followed]).toEqual([false, 0, 0]);
  const { frames, stop } = listen();
  await eventually(() => expect(frames).toHaveLength(1));
  // Twenty states of one server within a moment.
  await Promise.all(Array.from({ length: 10 }, () => computer.restartServer('scripted')));
  await eventually(() => expect(computer.status()[0]?.state).toBe('ready'));
  expect(frames.filter(({ topic }) => topic === 'servers').length).toBeLessThan(10);
  stop();
});

test('a page that does not read holds up no more than its limit, and has a new snapshot when it has caught up', async () => {
  const feed = new EventFeed({ snapshot: () => 'all', follow: () => () => {} });
  const responses: ServerResponse[] = [];
  const http = createServer((incoming, response) => {
    responses.push(response);
    void feed.connect(incoming, response);
  });
  await new Promise<void>(resolve => http.listen(0, '127.0.0.1', resolve));
  const { port } = http.address() as AddressInfo;
  const open = () => {
    const socket = connect(port, '127.0.0.1');
    const page = { socket, text: '' };
    socket.setEncoding('utf8').on('data', part => (page.text += part));
    socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
    return page;
  };
  const slow = open();
  await eventually(() => expect(slow.text).toContain('"topic":"snapshot"'));
  slow.socket.pause();
  // The buffers of the system take some megabytes.
  const unread = () => responses[0]?.writableLength ?? 0;
  let former = 0;
  await eventually(() => {
    const isStuck = unread() > 256 * 1024 && unread() === former;
    former = unread();
    feed.publish('large', 'x'.repeat(1024 * 1024));
    expect(isStuck).toBe(true);
  });
  const before = slow.text.length;
  const quick = open();
  await eventually(() => {
    feed.publish('late', 1);
    expect(quick.text).toContain('"topic":"late"');
  });
  expect(unread()).toBe(former);
  slow.socket.resume();
  await eventually(() => expect(slow.text.slice(before)).toContain('"topic":"snapshot"'));
  expect(slow.text).not.toContain('"topic":"late"');
  feed.close();
  for (const { socket } of [slow, quick]) socket.destroy();
  http.close();
});

test('a pending call is listed, cancelled by its number, and kept with its result', async () => {
  const answers = computer.callTool({ tool: 'hang', params: { secret: 1 } });
  const question = await asked();
  const settled = await client.send('POST', `/questions/${question.id}`, { action: 'run' });
  expect(settled.json()).toEqual({ isSettled: true });
  expect((await client.send('POST', `/questions/${question.id}`, { action: 'run' })).json()).toEqual({
    isSettled: false,
  });
  const { pending } = await client.get<{ pending: { id: number; params: object }[] }>('/calls');
  expect(pending).toMatchObject([{ tool: 'hang', params: { secret: 1 }, isAsking: false }]);
  const path = `/calls/${pending[0]?.id}`;
  expect((await client.send('DELETE', path)).json()).toEqual({ cancelled: true });
  expect((await answers).isError).toBe(true);
  expect((await client.send('DELETE', path)).json()).toEqual({ cancelled: false });
  expect(await client.get(path)).toMatchObject({ record: { outcome: 'cancelled', decided_by: 'console' }, result: {} });
  await expect(client.get('/calls/999')).rejects.toThrow('404');
});

test('an answer that does not fit its question is refused with the reason, and the question stays', async () => {
  const call = computer.callTool({ tool: 'echo' });
  const question = await asked();
  const refused = await client.send('POST', `/questions/${question.id}`, { action: 'maybe' });
  expect([refused.status, refused.body]).toEqual([400, expect.stringContaining("'run' or 'refuse'")]);
  expect(computer.questions.open).toHaveLength(1);
  await client.send('POST', `/questions/${question.id}`, { action: 'refuse' });
  expect((await call).isError).toBe(true);
});

test('the configuration file is checked, and not overwritten when another program changed it', async () => {
  const { text, sum } = await client.get<{ text: string; sum: string }>('/config/file');
  const wrong = await client.send('POST', '/config/file/check', { text: '{ "servers": [] }' });
  expect(wrong.json()).toMatchObject({ problem: expect.any(String), diff: expect.any(Array) });
  expect((await client.send('PUT', '/config/file', { text: 'no json', sum })).status).toBe(400);
  writeFileSync(file, `${text}\n`);
  const late = await client.send('PUT', '/config/file', { text: '{ "servers": {}, "inputs": [] }', sum });
  expect([late.status, late.body]).toEqual([409, expect.stringContaining('changed meanwhile')]);
  expect(readFileSync(file, 'utf8')).toBe(`${text}\n`);
});

test('a console without a configuration file says so', async () => {
  await using bare = await openClient({ computer });
  await expect(bare.get('/config/file')).rejects.toThrow('404');
  expect((await bare.send('PUT', '/tools/echo/auto-apply', { value: true })).status).toBe(409);
  expect((await bare.send('POST', '/servers', { name: 'x', type: 'stdio' })).status).toBe(400);
});
