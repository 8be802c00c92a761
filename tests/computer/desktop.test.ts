import { describe, expect, test } from 'vitest';
import { verifies } from '../conformance/verifies.ts';
import { eventually, recordingLogger } from './office.ts';
import { eras, openPublishing, publishing, warnings } from './publishing.ts';

const app = 'window://com.example.app';

describe('the windows of MCP servers', () => {
  test.each(eras)('reach the Agent from a server of the %s era', async era => {
    await using office = await openPublishing({ app: { windows: 2 } }, { era });
    expect(office.computer.status()).toMatchObject([{ state: 'ready', era }]);
    const desktops = [`${app}/0\n\ntext of ${app}/0`, `${app}/1\n\ntext of ${app}/1`];
    expect(await office.desktop()).toEqual(desktops);
    expect(await office.computer.desktop()).toEqual(desktops);
    expect(await office.computer.desktop({ size: 1 })).toEqual(desktops.slice(0, 1));
  });

  verifies(['window-uri.query', 'render.canonical-uri'], async () => {
    const logger = recordingLogger();
    const uri = `${app}/main?priority=1`;
    await using office = await openPublishing({ app: { resources: [{ uri }] } }, { logger });
    for (let pull = 0; pull < 3; pull++) expect(await office.desktop()).toEqual([`${app}/main\n\ntext of ${uri}`]);
    expect(warnings(logger)).toEqual([['The URI of a window has a query, which is dropped', uri]]);
  });

  verifies(
    ['window-meta.priority', 'window-meta.fullscreen', 'window-meta.audience', 'window-meta.page-survives'],
    async () => {
      const logger = recordingLogger();
      const resources = [
        { uri: `${app}/high`, annotations: { priority: 99 } },
        { uri: `${app}/text`, annotations: { priority: 'high' } },
        { uri: `${app}/fullscreen`, _meta: { fullscreen: 'yes' } },
        { uri: `${app}/user`, annotations: { audience: ['user'] } },
        { uri: `${app}/robot`, annotations: { audience: ['robot'], lastModified: 'yesterday' } },
        { uri: `${app}/good`, annotations: { priority: 0.1, audience: ['user', 'assistant'] } },
      ];
      await using office = await openPublishing({ app: { resources } }, { logger });
      const order = ['good', 'high', 'text', 'fullscreen', 'user', 'robot'];
      for (let pull = 0; pull < 3; pull++) {
        expect((await office.desktop()).map(entry => entry.split('\n')[0])).toEqual(
          order.map(path => `${app}/${path}`),
        );
      }
      expect(warnings(logger)).toEqual([
        [expect.stringContaining('priority'), `${app}/high`],
        [expect.stringContaining('priority'), `${app}/text`],
        [expect.stringContaining('fullscreen'), `${app}/fullscreen`],
        [expect.stringContaining('assistant'), `${app}/user`],
        [expect.stringContaining('assistant'), `${app}/robot`],
        [expect.stringContaining('ISO 8601'), `${app}/robot`],
      ]);
    },
  );

  verifies('window-meta.annotations', async () => {
    const logger = recordingLogger();
    const resources = [
      { uri: `${app}/list`, annotations: ['high'] },
      { uri: `${app}/text`, annotations: 'high' },
      { uri: `${app}/role`, annotations: { audience: 'assistant' } },
      { uri: `${app}/time`, annotations: { lastModified: 'Monday' } },
      { uri: `${app}/number`, annotations: { lastModified: 1_700_000_000 } },
      { uri: `${app}/good`, annotations: { lastModified: '2026-01-31T08:30:00Z', audience: ['assistant'] } },
      { uri: `${app}/day`, annotations: { lastModified: '2026-01-31' } },
    ];
    await using office = await openPublishing({ app: { resources } }, { logger });
    for (let pull = 0; pull < 2; pull++) {
      expect((await office.desktop()).map(entry => entry.split('\n')[0])).toEqual(resources.map(({ uri }) => uri));
    }
    expect(warnings(logger)).toEqual([
      [expect.stringContaining('no object'), `${app}/list`],
      [expect.stringContaining('no object'), `${app}/text`],
      [expect.stringContaining('audience'), `${app}/role`],
      [expect.stringContaining('ISO 8601'), `${app}/time`],
      [expect.stringContaining('ISO 8601'), `${app}/number`],
    ]);
  });

  verifies('desktop.filter.told', async () => {
    const logger = recordingLogger();
    const [empty, picture, failing] = ['empty', 'picture', 'failing'].map(path => `${app}/${path}`);
    const uris = ['window://', empty, picture, failing, `${app}/good`];
    const contents = { [`${empty}`]: [], [`${picture}`]: [{ uri: picture, blob: 'AA==' }] };
    const script = { resources: uris.map(uri => ({ uri })), contents, fail: { [`${failing}`]: { code: -32603 } } };
    await using office = await openPublishing({ app: script }, { logger });
    const told: unknown[][] = [];
    for (let pull = 0; pull < 2; pull++) expect(await office.desktop()).toHaveLength(1);
    await office.computer.desktop({ onProblem: ({ server, uri, message }) => told.push([server, message, uri]) });
    const reasons = told.map(([, ...reason]) => reason);
    expect(reasons).toEqual(expect.arrayContaining(warnings(logger)));
    expect(warnings(logger)).toHaveLength(told.length);
    expect(reasons.filter(([message]) => `${message}`.startsWith('A window is left out'))).toEqual(
      expect.arrayContaining([
        [expect.stringContaining('its URI is not valid'), 'window://'],
        [expect.stringContaining('it has no text'), empty],
        [expect.stringContaining('it has no text'), picture],
        [expect.stringContaining('it could not be read'), failing],
      ]),
    );
    expect(told.every(([server]) => server === 'app')).toBe(true);
  });

  verifies('desktop.gate.told', async () => {
    const logger = recordingLogger();
    const capability = { listChanged: true };
    const servers = {
      silent: publishing({ windows: 2, documents: 1, capability }, { name: 'silent' }),
      files: publishing({ resources: [{ uri: 'file:///x' }], capability }, { name: 'files' }),
      relaxed: publishing(
        { windows: 1, host: 'com.example.relaxed', capability },
        { name: 'relaxed', require_subscribe: false },
      ),
    };
    await using office = await openPublishing({}, { servers, logger });
    const undeclared = () => logger.lines.filter(({ message }) => message.includes('resources.subscribe'));
    await eventually(() => expect(undeclared()).toHaveLength(2));
    const told: object[] = [];
    for (let pull = 0; pull < 2; pull++) expect(await office.desktop()).toHaveLength(1);
    await office.computer.desktop({ onProblem: problem => told.push(problem) });
    await office.computer.finder({ onProblem: problem => told.push(problem) });
    expect(told).toEqual([
      { server: 'silent', code: expect.any(String), message: expect.stringContaining('Windows are left out') },
      { server: 'silent', code: expect.any(String), message: expect.stringContaining('Documents are left out') },
    ]);
    expect(undeclared().map(({ level, fields }) => [level, fields?.mcp_server])).toEqual([
      ['warn', 'silent'],
      ['warn', 'silent'],
    ]);
  });

  verifies('window-meta.missing', async () => {
    const logger = recordingLogger();
    const resources = [
      { uri: `${app}/bare` },
      { uri: `${app}/nulls`, annotations: null, _meta: null },
      { uri: `${app}/inner`, annotations: { priority: null, audience: null }, _meta: { fullscreen: null } },
      { uri: `${app}/low`, annotations: { priority: 0.01 } },
    ];
    await using office = await openPublishing({ app: { resources } }, { logger });
    const order = ['low', 'bare', 'nulls', 'inner'].map(path => `${app}/${path}`);
    expect((await office.desktop()).map(entry => entry.split('\n')[0])).toEqual(order);
    expect(warnings(logger)).toEqual([]);
  });

  verifies('render.blob', async () => {
    const logger = recordingLogger();
    const uri = `${app}/mixed`;
    const contents = {
      [uri]: [
        { uri, blob: 'AA==' },
        { uri, text: 'text' },
      ],
    };
    await using office = await openPublishing({ app: { resources: [{ uri }], contents } }, { logger });
    for (let pull = 0; pull < 3; pull++) expect(await office.desktop()).toEqual([`${uri}\n\ntext`]);
    expect(warnings(logger)).toEqual([['Binary content of a window is not shown', uri]]);
  });

  verifies('desktop.filter.invalid-uri', async () => {
    const logger = recordingLogger();
    const uris = ['window://', 'window://h/%zz', 'file:///x', `${app}/good`, 'windows://h/x'];
    await using office = await openPublishing({ app: { resources: uris.map(uri => ({ uri })) } }, { logger });
    expect(await office.desktop()).toEqual([`${app}/good\n\ntext of ${app}/good`]);
    expect(await office.received('resources/read')).toEqual([['resources/read', `${app}/good`]]);
    expect(warnings(logger).map(([, uri]) => uri)).toEqual(['window://', 'window://h/%zz']);
  });

  verifies('desktop.filter.unreadable', async () => {
    const logger = recordingLogger();
    const fail = { [`${app}/0`]: { code: -32603, message: 'disk full' } };
    await using office = await openPublishing({ app: { windows: 2, fail } }, { logger });
    for (let pull = 0; pull < 3; pull++) expect(await office.desktop()).toEqual([`${app}/1\n\ntext of ${app}/1`]);
    expect(warnings(logger)).toEqual([['A window is left out: it could not be read', `${app}/0`]]);
    expect(logger.text()).toContain('disk full');
  });

  verifies('desktop.gate', async () => {
    const servers = {
      silent: publishing(
        { windows: 1, host: 'com.example.silent', capability: { listChanged: true } },
        { name: 'silent' },
      ),
      none: publishing({ capability: null }, { name: 'none' }),
      relaxed: publishing(
        { windows: 1, host: 'com.example.relaxed', capability: {} },
        { name: 'relaxed', require_subscribe: false },
      ),
    };
    await using office = await openPublishing({}, { servers });
    const uri = 'window://com.example.relaxed/0';
    expect(await office.desktop()).toEqual([`${uri}\n\ntext of ${uri}`]);
  });

  test('windows come and go with a changed `require_subscribe`, without a restart', async () => {
    const script = { windows: 1, capability: {} };
    await using office = await openPublishing(
      {},
      { servers: { app: publishing(script, { require_subscribe: false }) } },
    );
    const [{ pid } = {}] = office.computer.status();
    await office.computer.addServer(publishing(script));
    expect(await office.desktop()).toEqual([]);
    await office.computer.addServer(publishing(script, { require_subscribe: false }));
    expect(await office.desktop()).toHaveLength(1);
    expect(office.computer.status()).toMatchObject([{ pid }]);
  });

  verifies('desktop.size.zero', async () => {
    await using office = await openPublishing({ app: { windows: 3 } });
    expect(await office.desktop({ desktop_size: 0 })).toEqual([]);
    expect(await office.desktop({ desktop_size: -1, window: `${app}/0` })).toEqual([]);
    expect(await office.received('resources/read')).toEqual([]);
    expect(await office.desktop({ desktop_size: 2 })).toHaveLength(2);
    expect(await office.desktop({ desktop_size: null })).toHaveLength(3);
  });

  verifies(['desktop.window.exact', 'desktop.window.first'], async () => {
    const queried = `${app}/queried?tab=1`;
    const empty = `${app}/empty`;
    const script = {
      resources: [
        { uri: `${app}/main` },
        { uri: queried },
        { uri: empty },
        { uri: `${app}/full`, _meta: { fullscreen: true } },
      ],
      contents: { [empty]: [] },
    };
    await using office = await openPublishing({ one: script, two: { resources: [{ uri: `${app}/main` }] } });
    const main = `${app}/main\n\ntext of ${app}/main`;
    // The fullscreen window is not among those selected, so it hides nothing.
    expect(await office.desktop({ window: `${app}/main` })).toEqual([main, main]);
    for (const window of [queried, `${app}/queried`]) {
      expect(await office.desktop({ window })).toEqual([`${app}/queried\n\ntext of ${queried}`]);
    }
    for (const window of [empty, `${app}/mai`, `${app}/main/`, 'dpe://x', '']) {
      expect(await office.desktop({ window })).toEqual([]);
    }
    expect(await office.desktop({ window: null })).toHaveLength(2);
  });

  test('windows come first when a tool of their server was used last', async () => {
    await using office = await openPublishing({
      a: { windows: 1, host: 'com.example.a' },
      b: { windows: 1, host: 'com.example.b' },
    });
    const hosts = async () => (await office.desktop()).map(entry => entry.split('/')[2]);
    expect(await hosts()).toEqual(['com.example.a', 'com.example.b']);
    await office.callTool('b__log');
    expect(await hosts()).toEqual(['com.example.b', 'com.example.a']);
  });

  verifies('desktop.max-chars', async () => {
    const text = 'x'.repeat(1000);
    const contents = { [`${app}/0`]: 'short', [`${app}/1`]: text, [`${app}/2`]: text };
    await using office = await openPublishing({ app: { windows: 3, contents } });
    const desktops = await office.desktop({ max_chars: 300 });
    expect(desktops).toHaveLength(2);
    expect(desktops.join('').length).toBeLessThanOrEqual(300);
    expect(desktops[0]).toBe(`${app}/0\n\nshort`);
    expect(desktops[1]).toMatch(/\n\[\d+ characters missing\]$/);
    expect(await office.desktop()).toHaveLength(3);
    await expect(office.desktop({ max_chars: -1 })).rejects.toMatchObject({ code: 400 });
  });
});
