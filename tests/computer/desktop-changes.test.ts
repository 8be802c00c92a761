import { EventEmitter, once } from 'node:events';
import { Computer } from '@a2c-smcp/computer';
import type { Socket } from 'socket.io';
import { describe, expect, test } from 'vitest';
import { verifies } from '../conformance/verifies.ts';
import { joinAnswers, openForeignServer } from '../peer/foreign-server.ts';
import { eventually, recordingLogger, stateOf } from './office.ts';
import { eras, openPublishing, publishing } from './publishing.ts';

const app = 'window://com.example.app';
const windows = (...paths: string[]) => paths.map(path => ({ uri: `${app}/${path}`, name: path }));
const elsewhere = [{ uri: 'file:///notes.txt' }, { uri: 'dpe://com.example.app/doc' }];

describe.each(eras)('in the %s era', era => {
  verifies(
    'desktop-change.updated',
    async () => {
      await using office = await openPublishing({ app: { windows: 2 } }, { era });
      await office.desktop();
      // First and alone: an announcement that should not be would melt into the next one within 200 ms.
      for (const { uri } of elsewhere) await office.callTool('notify', { uri });
      await office.toldOf('finder', 1);
      await office.ask('client:get_tools');
      expect(office.told).toEqual({ desktop: 0, finder: 1 });
      await office.callTool('write', { uri: `${app}/1`, text: 'fresh' });
      await office.toldOf('desktop', 1);
      expect(await office.desktop()).toContain(`${app}/1\n\nfresh`);
      expect(office.told).toEqual({ desktop: 1, finder: 1 });
    },
    era,
  );

  verifies(
    'desktop-change.list',
    async () => {
      await using office = await openPublishing({ app: { resources: windows('a', 'b') } }, { era });
      const publish = async (resources: object[]) => {
        const lists = (await office.received('resources/list')).length;
        await office.callTool('publish', { resources });
        await eventually(async () => expect(await office.received('resources/list')).toHaveLength(lists + 1));
      };
      await publish([...windows('b', 'a'), ...windows('a')]);
      await publish([...windows('a', 'b'), { uri: 'file:///notes.txt' }]);
      await publish(windows('a', 'b', 'c'));
      await office.toldOf('desktop', 1);
      expect(await office.desktop()).toHaveLength(3);
      await publish([]);
      await office.toldOf('desktop', 2);
      expect(await office.desktop()).toEqual([]);
      expect(office.told).toEqual({ desktop: 2, finder: 0 });
    },
    era,
  );

  verifies(
    'changes.equal',
    async () => {
      const logger = recordingLogger();
      await using office = await openPublishing({ app: { windows: 2, documents: 1 } }, { era, logger });
      const equal = () =>
        logger.lines
          .filter(({ message }) => message.includes('leaves a view as it is'))
          .map(({ level, fields }) => [level, fields]);
      expect(equal()).toEqual([]);
      await office.callTool('publish', { resources: [...windows('1', '0'), { uri: 'dpe://com.example.app/new' }] });
      await office.toldOf('finder', 1);
      await eventually(() => expect(equal()).toContainEqual(['debug', { mcp_server: 'app', view: 'desktop' }]));
      expect(equal()).not.toContainEqual(['debug', { mcp_server: 'app', view: 'finder' }]);
    },
    era,
  );

  verifies(
    'changes.subscribe',
    async () => {
      const resources = [...windows('a', 'b'), ...elsewhere];
      await using office = await openPublishing({ app: { resources } }, { era });
      for (let pull = 0; pull < 5; pull++) await Promise.all([office.desktop(), office.ask('client:get_finder')]);
      const wanted = [`${app}/a`, `${app}/b`, 'dpe://com.example.app/doc'];
      const subscriptions = async () =>
        era === 'legacy'
          ? (await office.received('resources/subscribe')).map(([, uri]) => uri)
          : (await office.received('subscriptions/listen')).at(-1)?.[1];
      expect(await subscriptions()).toEqual(expect.arrayContaining(wanted));
      expect(await subscriptions()).toHaveLength(wanted.length);
      const streams = (await office.received('subscriptions/listen')).length;
      await office.callTool('publish', { resources: [...resources, ...windows('c')] });
      await office.toldOf('desktop', 1);
      await office.desktop();
      expect(await subscriptions()).toEqual(expect.arrayContaining([...wanted, `${app}/c`]));
      expect(await subscriptions()).toHaveLength(wanted.length + 1);
      expect(await office.received('subscriptions/listen')).toHaveLength(era === 'legacy' ? 0 : streams + 1);
    },
    era,
  );

  test('a server that answers every subscription with an update causes no feedback', async () => {
    await using office = await openPublishing({ app: { windows: 5, echo: true } }, { era });
    let pulls = 0;
    office.agent.channel.on('notify:update_desktop', async () => {
      pulls += 1;
      await office.desktop();
    });
    for (let pull = 0; pull < 20; pull++) expect(await office.desktop()).toHaveLength(5);
    const subscriptions = async () =>
      (await office.received(era === 'legacy' ? 'resources/subscribe' : 'subscriptions/listen')).length;
    const before = await subscriptions();
    expect(before).toBe(era === 'legacy' ? 5 : 2);
    for (const text of ['one', 'two', 'three']) {
      const { desktop } = office.told;
      await office.callTool('write', { uri: `${app}/0`, text });
      await office.toldOf('desktop', desktop + 1);
      await eventually(async () => expect((await office.desktop())[0]).toContain(text));
    }
    expect(await subscriptions()).toBe(before);
    // A telling or two for the updates that the first subscriptions brought, and one per change.
    expect(pulls).toBeLessThanOrEqual(6);
  });

  test('many updates of windows are announced few times, and the last one is not lost', async () => {
    await using office = await openPublishing({ app: { windows: 1 } }, { era });
    const started = Date.now();
    await office.desktop();
    await office.callTool('notify', { uri: `${app}/0`, times: 500 });
    await office.callTool('write', { uri: `${app}/0`, text: 'last' });
    await office.callTool('publish', { resources: windows('0', 'new'), times: 200 });
    await eventually(async () => expect(await office.desktop()).toHaveLength(2));
    await office.toldOf('desktop', 1);
    expect(await office.desktop()).toContain(`${app}/0\n\nlast`);
    expect(office.told.desktop).toBeLessThanOrEqual(2 + (Date.now() - started) / 200);
    expect((await office.received('resources/list')).length).toBeLessThanOrEqual(3 + (Date.now() - started) / 50);
  });
});

describe('a server that comes or goes', () => {
  verifies('desktop-change.baseline', async () => {
    await using office = await openPublishing({ app: { windows: 2 } });
    await office.callTool('publish', { resources: windows('0', '1') });
    await eventually(async () => expect(await office.received('resources/list')).toHaveLength(2));
    const other = publishing({ windows: 1, host: 'com.example.other' }, { name: 'other' });
    await office.computer.addServer(other);
    await office.toldOf('desktop', 1);
    expect(await office.desktop()).toHaveLength(3);
    await office.computer.removeServer('other');
    await office.toldOf('desktop', 2);
    expect(await office.desktop()).toHaveLength(2);
    expect(office.told).toEqual({ desktop: 2, finder: 0 });
  });

  test('a crash of a server and its restart each change the desktop', async () => {
    await using office = await openPublishing({ app: { windows: 1 } });
    await office.callTool('write', { uri: `${app}/0`, text: 'of the first life' });
    await office.toldOf('desktop', 1);
    expect(await office.desktop()).toEqual([`${app}/0\n\nof the first life`]);
    await office.callTool('exit');
    await office.toldOf('desktop', 2);
    await eventually(() => expect(stateOf(office.computer, 'app')).toBe('ready'));
    await office.toldOf('desktop', 3);
    expect(await office.desktop()).toEqual([`${app}/0\n\ntext of ${app}/0`]);
  });

  test('stopping, starting and restarting a server each change the desktop', async () => {
    await using office = await openPublishing({ app: { windows: 1 }, idle: {} });
    await office.computer.disableServer('app');
    await office.toldOf('desktop', 1);
    expect(await office.desktop()).toEqual([]);
    await office.computer.enableServer('app');
    await office.toldOf('desktop', 2);
    expect(await office.desktop()).toHaveLength(1);
    await office.computer.restartServer('app');
    await office.toldOf('desktop', 3);
    expect(await office.desktop()).toHaveLength(1);
  });

  test('a server without windows does not change the desktop when it comes or goes', async () => {
    await using office = await openPublishing({ app: { windows: 1 }, idle: {} });
    await office.computer.restartServer('idle');
    await office.callTool('write', { uri: `${app}/0`, text: 'fresh' });
    await office.toldOf('desktop', 1);
    expect(office.told).toEqual({ desktop: 1, finder: 0 });
  });
});

test('a server that takes long to list its windows does not delay the others, and changes the desktop when it has', async () => {
  const servers = { app: publishing({ windows: 1, listDelay: 7000 }) };
  await using computer = await Computer.open({ name: 'desk', servers });
  let told = 0;
  computer.on('desktop', () => void told++);
  await eventually(() => expect(told).toBe(1));
  expect(await computer.desktop()).toHaveLength(1);
});

test('an update may name a window without the query it is published with', async () => {
  const uri = `${app}/main?tab=1`;
  await using office = await openPublishing({ app: { resources: [{ uri }] } });
  await office.desktop();
  await office.callTool('silently', { uri, text: 'fresh' });
  await office.callTool('notify', { uri: `${app}/main` });
  await office.toldOf('desktop', 1);
  expect(await office.desktop()).toEqual([`${app}/main\n\nfresh`]);
});

test('a Computer emits an event for a changed desktop', async () => {
  await using office = await openPublishing({ app: { windows: 1, documents: 1 } });
  const heard: string[] = [];
  office.computer.on('desktop', () => heard.push('desktop'));
  office.computer.on('finder', () => heard.push('finder'));
  await office.callTool('write', { uri: `${app}/0`, text: 'fresh' });
  await eventually(() => expect(heard).toEqual(['desktop']));
  await office.callTool('write', { uri: 'dpe://com.example.app/0', text: '{}' });
  await eventually(() => expect(heard).toEqual(['desktop', 'finder']));
});

test('windows are read again after a stream of the 2026 era broke off', async () => {
  await using office = await openPublishing({ app: { windows: 1 } }, { era: 'modern' });
  await office.desktop();
  await office.callTool('silently', { uri: `${app}/0`, text: 'unheard' });
  expect(await office.desktop()).toEqual([`${app}/0\n\ntext of ${app}/0`]);
  await office.callTool('close-streams');
  await office.toldOf('desktop', 1);
  expect(await office.desktop()).toEqual([`${app}/0\n\nunheard`]);
  await office.callTool('write', { uri: `${app}/0`, text: 'heard again' });
  await office.toldOf('desktop', 2);
  expect(await office.desktop()).toEqual([`${app}/0\n\nheard again`]);
});

test('a desktop that changed while the office was out of reach is announced after the rejoin', async () => {
  const heard: string[] = [];
  const connections: Socket[] = [];
  const changed = new EventEmitter();
  await using server = await openForeignServer({
    connected: socket => {
      connections.push(socket);
      if (connections.length === 1) return joinAnswers(true, null)(socket);
      socket.onAny((event: string) => event !== 'server:list_room' && heard.push(event));
      socket.on('server:join_office', async (_, ack) => {
        await once(changed, 'window');
        ack(true, null);
      });
    },
  });
  const servers = { app: publishing({ windows: 1 }) };
  await using computer = await Computer.open({ name: 'desk', servers });
  computer.on('desktop', () => changed.emit('window'));
  await computer.join(server.url, { office: 'demo' });
  connections[0]?.disconnect(true);
  await eventually(() => expect(heard).toEqual(['server:join_office']));
  await computer.callTool({ tool: 'write', params: { uri: `${app}/0`, text: 'fresh' } });
  await eventually(() => expect(heard).toEqual(['server:join_office', 'server:update_desktop']));
});
