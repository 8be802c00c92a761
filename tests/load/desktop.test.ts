import { describe, expect, test } from 'vitest';
import { recordingLogger } from '../computer/office.ts';
import { eras, openPublishing, publishing, warnings } from '../computer/publishing.ts';

const app = 'window://com.example.app';

describe.each(eras)('in the %s era', era => {
  test('100 unchanged windows cost their server no request', async () => {
    await using office = await openPublishing({ app: { windows: 100 } }, { era });
    expect(await office.desktop()).toHaveLength(100);
    const before = await office.received();
    for (let pull = 0; pull < 10; pull++) expect(await office.desktop()).toHaveLength(100);
    await office.desktop({ window: `${app}/7` });
    const after = await office.received();
    expect(after.slice(before.length)).toEqual([['tools/call', 'log']]);
    expect(before.filter(([method]) => method === 'resources/list')).toHaveLength(1);
    expect(before.filter(([method]) => method === 'resources/read')).toHaveLength(100);
  });

  test('only the window that changed is read again', async () => {
    await using office = await openPublishing({ app: { windows: 20 } }, { era });
    await office.desktop();
    await office.callTool('write', { uri: `${app}/7`, text: 'fresh' });
    await office.toldOf('desktop', 1);
    for (let pull = 0; pull < 3; pull++) expect(await office.desktop()).toContain(`${app}/7\n\nfresh`);
    const reads = await office.received('resources/read');
    expect(reads.slice(20)).toEqual([['resources/read', `${app}/7`]]);
  });

  test('a changed list makes everything be read again', async () => {
    await using office = await openPublishing({ app: { windows: 2 } }, { era });
    await office.desktop();
    await office.callTool('silently', { uri: `${app}/0`, text: 'fresh' });
    await office.callTool('publish', { resources: [{ uri: `${app}/0` }] });
    await office.toldOf('desktop', 1);
    expect(await office.desktop()).toEqual([`${app}/0\n\nfresh`]);
  });

  test('a window whose subscription is refused is read at every pull', async () => {
    await using office = await openPublishing({ app: { windows: 1, refuse: true } }, { era });
    await office.desktop();
    await office.callTool('silently', { uri: `${app}/0`, text: 'fresh' });
    expect(await office.desktop()).toEqual([`${app}/0\n\nfresh`]);
    await office.desktop();
    expect(await office.received('resources/subscribe')).toHaveLength(era === 'legacy' ? 1 : 0);
  });

  test('pulls at the same time read each window once', async () => {
    await using office = await openPublishing({ app: { windows: 5, delay: 50 } }, { era });
    const pulls = await Promise.all(Array.from({ length: 10 }, () => office.desktop()));
    for (const pull of pulls) expect(pull).toHaveLength(5);
    expect(await office.received('resources/read')).toHaveLength(5);
  });
});

test('a server that does not announce updates is read at every pull', async () => {
  const script = { windows: 1, capability: { listChanged: true } };
  await using office = await openPublishing({}, { servers: { app: publishing(script, { require_subscribe: false }) } });
  await office.desktop();
  await office.callTool('silently', { uri: `${app}/0`, text: 'fresh' });
  expect(await office.desktop()).toEqual([`${app}/0\n\nfresh`]);
});

test('a server that does not announce changes of its list is listed at every pull, and each window subscribed once', async () => {
  await using office = await openPublishing({ app: { windows: 1, capability: { subscribe: true }, restless: true } });
  let told = 0;
  office.agent.channel.on('notify:update_desktop', () => void told++);
  for (let pull = 0; pull < 5; pull++) expect(await office.desktop()).toHaveLength(2);
  const subscribed = (await office.received('resources/subscribe')).map(([, uri]) => uri);
  expect(subscribed).toHaveLength(new Set(subscribed).size);
  expect(told).toBe(0);
});

describe.concurrent('a server that does not answer', () => {
  const good = { windows: 2, host: 'com.example.good' };

  test('a server that does not answer reads costs its windows, and the others come within the limit', async () => {
    const logger = recordingLogger();
    await using office = await openPublishing({ app: { windows: 3, hang: ['resources/read'] }, good }, { logger });
    const started = Date.now();
    const desktops = await office.desktop();
    expect(Date.now() - started).toBeLessThan(12_000);
    expect(desktops.map(entry => entry.split('/')[2])).toEqual(['com.example.good', 'com.example.good']);
    expect(
      warnings(logger)
        .map(([, uri]) => uri)
        .toSorted(),
    ).toEqual([0, 1, 2].map(path => `${app}/${path}`));
  });

  test('a server that does not answer one read costs that window alone', async () => {
    await using office = await openPublishing({ app: { windows: 3, hang: [`${app}/1`] } });
    expect((await office.desktop()).map(entry => entry.split('\n')[0])).toEqual([`${app}/0`, `${app}/2`]);
  });

  test('a server that does not list costs its windows, and the Computer still opens', async () => {
    await using office = await openPublishing({ app: { windows: 3, hang: ['resources/list'] }, good });
    expect(await office.desktop()).toHaveLength(2);
    await office.callTool('good__write', { uri: 'window://com.example.good/0', text: 'fresh' });
    await office.toldOf('desktop', 1);
  });

  test('a server that does not answer subscriptions costs nothing but their updates', async () => {
    await using office = await openPublishing({ app: { windows: 2, hang: ['resources/subscribe'] }, good });
    expect(await office.desktop()).toHaveLength(4);
  });
});
