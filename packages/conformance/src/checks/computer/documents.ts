import { type Checks, expect } from '../../check.ts';
import { type ComputerStage, expectCode } from '../../stages/computer-stage.ts';
import { DOCUMENT, WINDOWS } from '../../stages/fixture.ts';

/** Resources, and the documents among them. */
export const documents: Checks<ComputerStage> = {
  'event.client.get-resources': {
    since: '0.2',
    run: async stage => {
      const { resources } = await stage.ask('client:get_resources', { mcp_server: 'fixture' });
      const uris = Array.isArray(resources) ? resources.map(resource => (resource as { uri?: unknown }).uri) : [];
      expect(uris.includes(WINDOWS.low), `the resource ${WINDOWS.low}`, resources);
    },
  },
  'get-resources.errors': {
    since: '0.2',
    run: async stage => {
      expectCode(await stage.ask('client:get_resources', { mcp_server: 'nobody' }), 4014);
      expectCode(await stage.ask('client:get_resources', { mcp_server: 'paged' }), 4015);
    },
  },
  'event.client.get-finder': async stage => {
    const { documents, total_count } = await stage.askIfKnown('client:get_finder');
    expect(Array.isArray(documents) && total_count === 1, 'a list of one document', { documents, total_count });
  },
  'finder.summary.resource': async stage => {
    const { documents } = (await stage.askIfKnown('client:get_finder')) as { documents?: Record<string, unknown>[] };
    const wanted = { uri: DOCUMENT, title: 'The report', page_count: 3, file_type: 'md', server: 'fixture' };
    const [shown] = documents ?? [];
    const isIt = Object.entries(wanted).every(([key, value]) => shown?.[key] === value);
    expect(isIt, `a document with ${JSON.stringify(wanted)}`, shown);
  },
  'finder.keywords': async stage => {
    const found = await stage.askIfKnown('client:get_finder', { keywords: ['KIT', 'nothing'] });
    expect(found.total_count === 1, 'the document with one of the keywords', found);
    const none = await stage.askIfKnown('client:get_finder', { keywords: ['nothing'] });
    expect(none.total_count === 0, 'no document without one', none);
  },
  'finder.page.limits': async stage => {
    const none = await stage.askIfKnown('client:get_finder', { limit: 0 });
    expect(Array.isArray(none.documents) && none.documents.length === 0, 'no document for a limit of 0', none);
    expectCode(await stage.askIfKnown('client:get_finder', { offset: -1 }), 400);
  },
  'get-dpe.route': async stage => {
    const { contents } = (await stage.askIfKnown('client:get_dpe', { uri: DOCUMENT })) as { contents?: object[] };
    const [item] = (contents ?? []) as { text?: unknown; custom?: unknown }[];
    expect(item?.text === `text of ${DOCUMENT}` && item.custom === true, 'the contents verbatim', contents);
    expectCode(await stage.askIfKnown('client:get_dpe', { uri: 'dpe://' }), 4204);
  },
  'get-dpe.host': async stage => {
    expectCode(await stage.askIfKnown('client:get_dpe', { uri: 'dpe://com.example.nowhere/x' }), 4201);
  },
  'get-dpe.untouched': async stage => {
    const uri = `${DOCUMENT}?depth=pages&offset=0&limit=2`;
    await stage.askIfKnown('client:get_dpe', { uri });
    const read = await stage.fixture.received(
      ({ method, params }) => method === 'resources/read' && params?.uri === uri,
    );
    expect(read !== undefined, `the MCP server to be asked for ${uri}`, 'nothing');
  },
  'read-resource.errors': async stage => {
    expectCode(await stage.askIfKnown('client:read_resource', { uri: 'file:///x', mcp_server: 'nobody' }), 4014);
    expectCode(await stage.askIfKnown('client:read_resource', { uri: 'file:///nowhere' }), 404);
  },
};
