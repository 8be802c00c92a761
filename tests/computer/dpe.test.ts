import { describe, expect, test } from 'vitest';
import { verifies } from '../conformance/verifies.ts';
import { recordingLogger, textOf } from './office.ts';
import { eras, openPublishing } from './publishing.ts';

const host = 'dpe://com.example.app';
const resources = [{ uri: `${host}/doc`, _meta: { page_count: 1 } }];

describe('reading a document through client:get_dpe', () => {
  verifies('get-dpe.route', async () => {
    const contents = { [`${host}/doc`]: [{ uri: `${host}/doc`, mimeType: 'application/json', text: '{}', own: [1] }] };
    await using office = await openPublishing({
      windows: { windows: 1 },
      files: { resources, contents },
      others: { resources: [{ uri: 'dpe://com.example.others/doc' }] },
    });
    expect((await office.ask('client:get_dpe', { uri: `${host}/doc` })).contents).toEqual(contents[`${host}/doc`]);
    const other = 'dpe://com.example.others';
    expect((await office.ask('client:get_dpe', { uri: other })).contents).toEqual([
      { uri: other, text: `text of ${other}` },
    ]);
    for (const uri of ['dpe://', 'window://com.example.app/0', `${host}/doc/pages/x`, `${host}/doc?format=xml`, '']) {
      await expect(office.ask('client:get_dpe', { uri })).rejects.toMatchObject({ code: 4204, details: { uri } });
    }
  });

  verifies('get-dpe.untouched', async () => {
    await using office = await openPublishing({ app: { resources } });
    const uris = [
      host,
      `${host}/`,
      `${host}/doc?depth=pages&offset=0&limit=5`,
      `${host}/a%2Fb%20c/pages/12?categories=table,chart&format=markdown&unknown=%20x`,
      `${host}/doc/elements/t%2F1#fragment`,
    ];
    for (const uri of uris) await office.ask('client:get_dpe', { uri });
    expect(await office.received('resources/read')).toEqual(uris.map(uri => ['resources/read', uri]));
  });

  verifies('get-dpe.host', async () => {
    const logger = recordingLogger();
    const contents = (name: string) => ({ [`${host}/doc`]: name });
    const first = { resources, contents: contents('first'), body: 'any of the first' };
    const second = { resources, contents: contents('second'), body: 'second’s page' };
    await using office = await openPublishing({ z: first, a: second }, { logger });
    expect((await office.ask('client:get_dpe', { uri: `${host}/doc` })).contents[0]?.text).toBe('first');
    await office.callTool('a__publish', { resources: [...resources, { uri: `${host}/own` }] });
    await office.toldOf('finder', 1);
    const own = await office.ask('client:get_dpe', { uri: `${host}/own/pages/0?format=text` });
    expect(own.contents[0]?.text).toBe('second’s page');
    expect((await office.ask('client:get_dpe', { uri: `${host}/nobody’s` })).contents[0]?.text).toBe(
      'any of the first',
    );
    const unknown = office.ask('client:get_dpe', { uri: 'dpe://com.example.nobody/doc' });
    await expect(unknown).rejects.toMatchObject({ code: 4201, details: { host: 'com.example.nobody' } });
  });

  describe.each(eras)('in the %s era', era => {
    verifies(
      'get-dpe.errors',
      async () => {
        const own = { doc_ref: 'gone', hint: 'moved' };
        const fail = {
          [`${host}/gone`]: { code: 4201, message: 'It was moved', data: own },
          [`${host}/doc/pages/99`]: { code: 4202, data: { page_index: 99, page_count: 12 } },
          [`${host}/doc/elements/bad`]: { code: 4203, data: { element_id: 'bad' } },
          [`${host}/lost`]: { code: -32002, data: { uri: `${host}/lost` } },
          [`${host}/doc/pages/7`]: { code: -32002 },
          [`${host}/doc/elements/none`]: { code: -32002, data: { uri: 'x' } },
          [`${host}/odd`]: { code: -32602, message: 'secret' },
          [`${host}/broken`]: { code: -32603 },
        };
        await using office = await openPublishing({ app: { resources, fail } }, { era });
        const read = (path: string) => office.ask('client:get_dpe', { uri: `${host}/${path}` });
        await expect(read('gone')).rejects.toMatchObject({ code: 4201, message: 'It was moved', details: own });
        await expect(read('doc/pages/99')).rejects.toMatchObject({
          code: 4202,
          details: { page_index: 99, page_count: 12 },
        });
        await expect(read('doc/elements/bad')).rejects.toMatchObject({ code: 4203, details: { element_id: 'bad' } });
        await expect(read('lost')).rejects.toMatchObject({ code: 4201, details: { doc_ref: 'lost' } });
        await expect(read('doc/pages/7')).rejects.toMatchObject({
          code: 4202,
          details: { doc_ref: 'doc', page_index: 7 },
        });
        await expect(read('doc/elements/none')).rejects.toMatchObject({ code: 4203, details: { element_id: 'none' } });
        await expect(read('odd')).rejects.toMatchObject({ code: 500 });
        await expect(read('broken')).rejects.toMatchObject({ code: 500 });
      },
      era,
    );
  });

  test('reading a document ends with 408 when the server does not answer in time', async () => {
    await using office = await openPublishing({ app: { resources, hang: [`${host}/doc`] } });
    const read = office.ask('client:get_dpe', { uri: `${host}/doc`, timeout: 1 });
    await expect(read).rejects.toMatchObject({ code: 408 });
  });

  test('a read that is not answered in time is cancelled at the MCP server', async () => {
    await using office = await openPublishing({ app: { resources, hang: [`${host}/doc`] } });
    const read = office.ask('client:get_dpe', { uri: `${host}/doc`, timeout: 1 });
    await expect(read).rejects.toMatchObject({ code: 408 });
    const { cancelled } = JSON.parse(textOf(await office.callTool('log')));
    expect(cancelled).toHaveLength(1);
  });

  test('a document is found whose server does not announce changes of its list', async () => {
    await using office = await openPublishing({ app: { capability: { subscribe: true } } });
    await office.callTool('publish', { resources });
    expect((await office.ask('client:get_dpe', { uri: `${host}/doc` })).contents).toHaveLength(1);
  });
});
