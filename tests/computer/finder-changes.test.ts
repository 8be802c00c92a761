import { describe, expect, test } from 'vitest';
import { verifies } from '../conformance/verifies.ts';
import { eventually, recordingLogger, stateOf } from './office.ts';
import { eras, openPublishing, type PublishingOffice, publishing, warnings } from './publishing.ts';

const app = 'dpe://com.example.app';
const documents = (...paths: string[]) =>
  paths.map(path => ({ uri: `${app}/${path}`, name: path, _meta: { page_count: 1 } }));
const elsewhere = [{ uri: 'file:///notes.txt' }, { uri: 'window://com.example.app/main' }];
const titled = (title: string) => JSON.stringify({ title, page_count: 1 });
const titles = async (office: PublishingOffice) =>
  (await office.ask('client:get_finder')).documents?.map(({ title }) => title);

describe.each(eras)('in the %s era', era => {
  verifies(
    'finder-change.updated',
    async () => {
      await using office = await openPublishing(
        { app: { documents: 1, contents: { [`${app}/0`]: titled('old') } } },
        { era },
      );
      expect(await titles(office)).toEqual(['old']);
      // First and alone: an announcement that should not be would melt into the next one within 200 ms.
      for (const { uri } of elsewhere) await office.callTool('notify', { uri });
      await office.toldOf('desktop', 1);
      await office.ask('client:get_tools');
      expect(office.told).toEqual({ desktop: 1, finder: 0 });
      await office.callTool('write', { uri: `${app}/0`, text: titled('fresh') });
      await office.toldOf('finder', 1);
      expect(await titles(office)).toEqual(['fresh']);
      expect(office.told).toEqual({ desktop: 1, finder: 1 });
    },
    era,
  );

  verifies(
    'finder-change.list',
    async () => {
      const others = { resources: [{ uri: 'dpe://com.example.others/doc', _meta: { page_count: 1 } }] };
      await using office = await openPublishing({ app: { resources: documents('a', 'b') }, others }, { era });
      const publish = async (resources: object[]) => {
        const lists = (await office.received('resources/list')).length;
        await office.callTool('publish', { resources });
        await eventually(async () => expect(await office.received('resources/list')).toHaveLength(lists + 1));
      };
      await publish([...documents('b', 'a'), ...documents('a')]);
      await publish([...documents('a', 'b'), { uri: 'file:///notes.txt' }]);
      await publish([...documents('a', 'b', 'c'), ...elsewhere]);
      await office.toldOf('finder', 1);
      await office.toldOf('desktop', 1);
      expect(await titles(office)).toEqual(['a', 'b', 'c', 'doc']);
      await publish(elsewhere);
      await office.toldOf('finder', 2);
      expect(await titles(office)).toEqual(['doc']);
      expect(office.told).toEqual({ desktop: 1, finder: 2 });
      expect(await office.received('resources/list', 'others')).toHaveLength(1);
    },
    era,
  );

  test('an update of a page makes its document be read anew', async () => {
    await using office = await openPublishing(
      { app: { documents: 1, contents: { [`${app}/0`]: titled('old') } } },
      { era },
    );
    expect(await titles(office)).toEqual(['old']);
    await office.callTool('silently', { uri: `${app}/0`, text: titled('fresh') });
    await office.callTool('notify', { uri: `${app}/0/pages/3` });
    await office.toldOf('finder', 1);
    expect(await titles(office)).toEqual(['fresh']);
  });

  test('many updates of documents are announced few times, and the last one is not lost', async () => {
    await using office = await openPublishing(
      { app: { documents: 1, contents: { [`${app}/0`]: titled('old') } } },
      { era },
    );
    const started = Date.now();
    expect(await titles(office)).toEqual(['old']);
    await office.callTool('notify', { uri: `${app}/0`, times: 500 });
    await office.callTool('write', { uri: `${app}/0`, text: titled('last') });
    await office.toldOf('finder', 1);
    await eventually(async () => expect(await titles(office)).toEqual(['last']));
    expect(office.told.finder).toBeLessThanOrEqual(2 + (Date.now() - started) / 200);
  });
});

verifies('finder-change.named', async () => {
  await using office = await openPublishing({ app: { resources: documents('a', 'b', 'c') } });
  const named: unknown[] = [];
  const local: unknown[] = [];
  office.agent.channel.on('notify:update_finder', (payload: { uris?: unknown }) => void named.push(payload.uris));
  office.computer.on('finder', ({ uris }) => local.push(uris));
  const told = async (uris: unknown) => {
    await eventually(() => expect(named.at(-1)).toEqual(uris));
    expect(local.at(-1)).toEqual(uris);
    named.push('seen');
  };
  await office.callTool('notify', { uri: `${app}/a/pages/3` });
  await told([`${app}/a`]);
  await office.callTool('publish', { resources: documents('a', 'c', 'd') });
  await told([`${app}/b`, `${app}/d`]);
  const many = Array.from({ length: 101 }, (_, index) => `new-${index}`);
  await office.callTool('publish', { resources: documents('a', 'c', 'd', ...many) });
  await told(undefined);
  const long = 'x'.repeat(9000);
  await office.callTool('publish', { resources: documents('a', `${long}1`, `${long}2`) });
  await told(undefined);
  await office.callTool('publish', { resources: documents('a') });
  await told(undefined);
  await office.callTool('exit');
  await told([`${app}/a`]);
});

describe('a server that comes or goes', () => {
  test('a start of a server, its crash and its restart each change the finder', async () => {
    await using office = await openPublishing({ app: { resources: documents('a') } });
    const resources = [{ uri: 'dpe://com.example.other/b', name: 'b', _meta: { page_count: 1 } }];
    await office.computer.addServer(publishing({ resources }, { name: 'other' }));
    await office.toldOf('finder', 1);
    expect(await titles(office)).toEqual(['a', 'b']);
    await office.callTool('exit');
    await office.toldOf('finder', 2);
    await eventually(() => expect(stateOf(office.computer, 'app')).toBe('ready'));
    await office.toldOf('finder', 3);
    expect(await titles(office)).toEqual(['a', 'b']);
    await office.computer.removeServer('other');
    await office.toldOf('finder', 4);
    expect(await titles(office)).toEqual(['a']);
    expect(office.told.desktop).toBe(0);
  });

  test('a server without documents does not change the finder when it comes or goes', async () => {
    await using office = await openPublishing({
      app: { documents: 1 },
      idle: { windows: 1, host: 'com.example.idle' },
    });
    await office.computer.restartServer('idle');
    await office.toldOf('desktop', 1);
    await office.callTool('write', { uri: `${app}/0`, text: titled('fresh') });
    await office.toldOf('finder', 1);
    expect(office.told.finder).toBe(1);
  });
});

test('documents are read again after a stream of the 2026 era broke off', async () => {
  const script = { documents: 1, contents: { [`${app}/0`]: titled('old') } };
  await using office = await openPublishing({ app: script }, { era: 'modern' });
  expect(await titles(office)).toEqual(['old']);
  await office.callTool('silently', { uri: `${app}/0`, text: titled('unheard') });
  expect(await titles(office)).toEqual(['old']);
  await office.callTool('close-streams');
  await office.toldOf('finder', 1);
  expect(await titles(office)).toEqual(['unheard']);
});

test('a list that does not come in time leaves the former documents in the Finder', { timeout: 30_000 }, async () => {
  await using office = await openPublishing({ app: { resources: documents('a', 'b') } });
  expect(await titles(office)).toEqual(['a', 'b']);
  await office.callTool('publish', { resources: documents('a', 'b', 'c'), listDelay: 6000 });
  await eventually(async () => expect(await office.received('resources/list')).toHaveLength(2));
  expect(await titles(office)).toEqual(['a', 'b']);
  await office.toldOf('finder', 1);
  expect(await titles(office)).toEqual(['a', 'b', 'c']);
});

test('a server with many documents is subscribed to step by step, and a closed Computer does not complain', async () => {
  const logger = recordingLogger();
  const many = Array.from({ length: 100 }, (_, index) => `${index}`);
  const script = { resources: documents(...many), hang: ['resources/subscribe'] };
  {
    await using office = await openPublishing({ app: script }, { logger });
    expect(await office.ask('client:get_finder')).toMatchObject({ total_count: 100 });
    expect(await office.received('resources/subscribe')).toHaveLength(32);
  }
  expect(warnings(logger)).toEqual([]);
});
