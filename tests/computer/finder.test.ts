import { describe, expect, test } from 'vitest';
import { verifies } from '../conformance/verifies.ts';
import { recordingLogger } from './office.ts';
import { eras, openPublishing, publishing, warnings } from './publishing.ts';

const app = 'dpe://com.example.app';

/** A resource that says enough to need no read. */
const described = (path: string, meta: object = {}) => ({
  uri: `${app}/${path}`,
  name: `Title of ${path}`,
  _meta: { page_count: 2, ...meta },
});
/** The Level 1 body of a document that says nothing in its resource. */
const body = (path: string, facts: object) => ({ [`${app}/${path}`]: JSON.stringify(facts) });

describe('the documents of MCP servers', () => {
  test.each(eras)('reach the Agent from a server of the %s era', async era => {
    const contents = { ...body('0', { title: 'Zero', page_count: 7 }), ...body('1', { title: 'One', page_count: 1 }) };
    await using office = await openPublishing({ app: { documents: 2, contents } }, { era });
    expect(office.computer.status()).toMatchObject([{ state: 'ready', era }]);
    const page = await office.ask('client:get_finder');
    expect(page).toMatchObject({ documents: [{ title: 'Zero' }, { title: 'One' }], total_count: 2 });
    const { documents, totalCount } = await office.computer.finder({ keywords: ['zero'], limit: 1 });
    expect(documents).toEqual(page.documents?.slice(0, 1));
    expect(totalCount).toBe(1);
  });

  test('documents are filtered and paged as the Agent asks', async () => {
    const resources = ['a', 'b', 'c', 'd'].map((path, index) =>
      described(path, { file_type: index < 3 ? 'pdf' : 'doc' }),
    );
    await using office = await openPublishing({ app: { resources } });
    const find = async (query: object) => {
      const { documents = [], total_count } = await office.ask('client:get_finder', query);
      return [documents.map(({ doc_ref }) => doc_ref).join(''), total_count];
    };
    expect(await find({})).toEqual(['abcd', 4]);
    expect(await find({ file_type: 'pdf', offset: 1, limit: 1 })).toEqual(['b', 3]);
    expect(await find({ keywords: ['OF C', 'of d'] })).toEqual(['cd', 2]);
    expect(await find({ offset: 9 })).toEqual(['', 4]);
  });

  verifies('finder.page.limits', async () => {
    const resources = Array.from({ length: 120 }, (_, index) => described(String(index)));
    await using office = await openPublishing({ app: { resources } });
    const count = async (limit: number) => (await office.ask('client:get_finder', { limit })).documents?.length;
    expect(await count(0)).toBe(0);
    expect(await count(1000)).toBe(100);
    await expect(office.ask('client:get_finder', { limit: -1 })).rejects.toMatchObject({ code: 400 });
    await expect(office.ask('client:get_finder', { offset: -1 })).rejects.toMatchObject({ code: 400 });
    await expect(office.computer.finder({ offset: -1 })).rejects.toMatchObject({ code: 400 });
  });

  verifies('finder.gate', async () => {
    const resources = [described('a'), described('b'), described('c')];
    const servers = {
      silent: publishing({ resources, capability: { listChanged: true } }, { name: 'silent' }),
      paged: publishing({ resources, pageSize: 1 }, { name: 'paged' }),
    };
    await using office = await openPublishing({}, { servers });
    const { documents = [] } = await office.ask('client:get_finder');
    expect(documents.map(({ server, doc_ref }) => `${server}/${doc_ref}`)).toEqual(['paged/a', 'paged/b', 'paged/c']);
  });

  verifies('finder.shadowed', async () => {
    const logger = recordingLogger();
    const servers = { z: { resources: [described('a')] }, a: { resources: [described('a'), described('b')] } };
    await using office = await openPublishing(servers, { logger });
    const found = async () =>
      (await office.ask('client:get_finder')).documents?.map(({ server, uri }) => [server, uri]);
    for (let pull = 0; pull < 3; pull++) {
      expect(await found()).toEqual([
        ['a', `${app}/b`],
        ['z', `${app}/a`],
      ]);
    }
    expect(warnings(logger)).toEqual([[expect.stringContaining('another MCP server'), `${app}/a`]]);
    await office.computer.removeServer('z');
    expect(await found()).toHaveLength(2);
  });

  verifies('finder.level-one', async () => {
    const uris = [app, `${app}/doc`, `${app}/doc/pages/0`, `${app}/doc/elements/t1`];
    const resources = uris.map(uri => ({ uri, _meta: { page_count: 1 } }));
    await using office = await openPublishing({ app: { resources } });
    expect(await office.ask('client:get_finder')).toMatchObject({ documents: [{ uri: `${app}/doc` }], total_count: 1 });
    await office.callTool('publish', { resources: resources.slice(0, 3) });
    await office.toldOf('finder', 1);
  });

  verifies('finder.summary.resource', async () => {
    const resource = {
      uri: `${app}/q1%2Freport`,
      name: 'Report',
      description: 'The first quarter',
      annotations: { lastModified: '2026-01-15T08:30:00Z' },
      _meta: { page_count: 3, file_type: 'xlsx', file_uri: 'file:///q1.xlsx', keywords: ['sales'] },
    };
    await using office = await openPublishing({ app: { resources: [resource] } });
    expect((await office.ask('client:get_finder')).documents).toEqual([
      {
        doc_ref: 'q1/report',
        uri: resource.uri,
        file_uri: 'file:///q1.xlsx',
        file_type: 'xlsx',
        title: 'Report',
        page_count: 3,
        keywords: ['sales'],
        summary: 'The first quarter',
        server: 'app',
        last_modified: '2026-01-15T08:30:00Z',
      },
    ]);
    const uncounted = { ...resource, _meta: { page_count: 0 } };
    await office.callTool('publish', { resources: [uncounted] });
    await office.toldOf('finder', 1);
    expect(await office.ask('client:get_finder')).toMatchObject({ documents: [{ title: 'Report', page_count: 0 }] });
    await office.callTool('publish', { resources: [resource] });
    await office.toldOf('finder', 2);
    expect(await office.ask('client:get_finder')).toMatchObject({ documents: [{ title: 'Report', page_count: 3 }] });
    expect(await office.received('resources/read')).toEqual([]);
  });

  verifies('finder.summary.read', async () => {
    const contents = body('0', { doc_ref: '0', title: 'Zero', page_count: 7, file_type: 'pdf', summary: 'S' });
    await using office = await openPublishing({ app: { documents: 1, contents } });
    const titles = async () => (await office.ask('client:get_finder')).documents?.map(({ title }) => title);
    for (let pull = 0; pull < 3; pull++) expect(await titles()).toEqual(['Zero']);
    expect(await office.received('resources/read')).toHaveLength(1);
    await office.callTool('write', { uri: `${app}/0`, text: '{"title":"Null"}' });
    await office.toldOf('finder', 1);
    for (let pull = 0; pull < 3; pull++) expect(await titles()).toEqual(['Null']);
    expect(await office.received('resources/read')).toHaveLength(2);
  });

  verifies('finder.summary.failure', async () => {
    const logger = recordingLogger();
    const script = {
      documents: 5,
      contents: { ...body('0', { title: 'Zero', page_count: 1 }), [`${app}/1`]: 'no JSON', [`${app}/2`]: [] },
      fail: { [`${app}/3`]: { code: -32603, message: 'disk full' } },
      hang: [`${app}/4`],
    };
    await using office = await openPublishing({ app: script }, { logger });
    expect(await office.ask('client:get_finder')).toMatchObject({ documents: [{ title: 'Zero' }], total_count: 1 });
    expect(await office.ask('client:get_finder')).toMatchObject({ total_count: 1 });
    const left = warnings(logger).filter(([message]) => message === 'A document is left out: it could not be read');
    expect(left.map(([, uri]) => uri).toSorted()).toEqual([1, 2, 3, 4].map(path => `${app}/${path}`));
  });

  verifies('finder.summary.fields', async () => {
    const logger = recordingLogger();
    const contents = body('0', { pages: [] });
    await using office = await openPublishing({ app: { documents: 1, contents } }, { logger });
    for (let pull = 0; pull < 3; pull++) {
      expect((await office.ask('client:get_finder')).documents).toEqual([
        { doc_ref: '0', uri: `${app}/0`, file_uri: '', file_type: '', title: 'dpe 0', page_count: 0, server: 'app' },
      ]);
    }
    expect(warnings(logger)).toEqual([['A document has no page count; it counts as 0', `${app}/0`]]);
  });

  test('documents with invalid URIs are left out, and logged once', async () => {
    const logger = recordingLogger();
    const resources = [{ uri: 'dpe://' }, { uri: `${app}/x/chapters/1` }, described('good')];
    await using office = await openPublishing({ app: { resources } }, { logger });
    for (let pull = 0; pull < 3; pull++)
      expect(await office.ask('client:get_finder')).toMatchObject({ total_count: 1 });
    expect(warnings(logger).map(([, uri]) => uri)).toEqual(['dpe://', `${app}/x/chapters/1`]);
  });

  test('documents come first when a tool of their server was used last', async () => {
    await using office = await openPublishing({
      a: { resources: [described('x')] },
      b: { resources: [described('y')] },
    });
    const servers = async () => (await office.ask('client:get_finder')).documents?.map(({ server }) => server);
    expect(await servers()).toEqual(['a', 'b']);
    await office.callTool('b__log');
    expect(await servers()).toEqual(['b', 'a']);
  });
});
