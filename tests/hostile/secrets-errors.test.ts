import { describe, expect, test } from 'vitest';
import { recordingLogger } from '../computer/office.ts';
import { openPublishing, publishing } from '../computer/publishing.ts';

const SECRET = 'sup3r-secret-Value';
const host = 'dpe://com.example.app';

describe('an error that an MCP server answers to the read of a document', () => {
  async function open() {
    const data = { why: SECRET, [SECRET]: 1, doc_ref: `of ${SECRET}`, page_count: [SECRET], page_index: 3 };
    const fail = Object.fromEntries(
      ['own', 'lost', 'lost/pages/2', 'lost/elements/e1', 'odd'].map(path => {
        const code = { own: 4201, odd: -32603 }[path] ?? -32002;
        return [`${host}/${path}`, { code, message: `no ${SECRET}`, data: { ...data, uri: `${host}/${path}` } }];
      }),
    );
    const app = publishing({ resources: [{ uri: `${host}/own`, name: 'own' }], fail });
    const logger = recordingLogger();
    const server_parameters = { ...app.server_parameters, env: { SECRET } };
    const servers = { app: { ...app, server_parameters } as typeof app };
    return { office: await openPublishing({ app: {} }, { servers, logger }), logger };
  }

  test('an error of an MCP server reaches the Agent without secrets in its message and details', async () => {
    const { office, logger } = await open();
    await using _ = office;
    for (const path of ['own', 'lost', 'lost/pages/2', 'lost/elements/e1', 'odd']) {
      for (const event of ['client:get_dpe', 'client:read_resource'] as const) {
        const error = await office.ask(event, { uri: `${host}/${path}` }).catch(thrown => thrown);
        expect(error).toHaveProperty('code');
        expect(`${error.message} ${JSON.stringify(error.details)}`).not.toContain(SECRET);
      }
    }
    expect(logger.text()).not.toContain(SECRET);
  });

  test('an error for a missing document reaches the Agent with the details that the protocol names and no others', async () => {
    const { office } = await open();
    await using _ = office;
    const read = (path: string) => office.ask('client:get_dpe', { uri: `${host}/${path}` }).catch(thrown => thrown);
    expect(await read('own')).toMatchObject({ code: 4201, message: 'no ***', details: { why: '***', '***': 1 } });
    expect((await read('lost/elements/e1')).details).toEqual({
      doc_ref: 'lost',
      element_id: 'e1',
      uri: `${host}/lost/elements/e1`,
    });
  });

  test('an error of an MCP server is cut to a size that fits into a message', async () => {
    const code = 4201;
    const fail = {
      [`${host}/text`]: { code, message: 'x'.repeat(60_000) },
      [`${host}/data`]: { code, message: 'large', data: { why: 'x'.repeat(60_000) } },
    };
    await using office = await openPublishing({ app: { resources: [{ uri: `${host}/text`, name: 'text' }], fail } });
    const read = (path: string) => office.ask('client:get_dpe', { uri: `${host}/${path}` }).catch(thrown => thrown);
    expect((await read('text')).message).toBe('x'.repeat(4096));
    const large = await read('data');
    expect(large).toMatchObject({ code, message: 'large' });
    expect(JSON.stringify(large)).not.toContain('xx');
  });
});
