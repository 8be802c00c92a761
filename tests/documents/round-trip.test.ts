import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Agent } from '@a2c-smcp/agent';
import { Computer } from '@a2c-smcp/computer';
import { DPEDocument, DPEElementDetail, DPEPage } from '@a2c-smcp/protocol';
import { SmcpServer } from '@a2c-smcp/server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { root } from '../packages.ts';
import { type Bundle, bundleDocuments } from './bundle.ts';
import { examples } from './client.ts';

const host = 'com.example.docs';

let bundle: Bundle;
let server: SmcpServer;
let computer: Computer;
let agent: Agent;

beforeAll(async () => {
  bundle = await bundleDocuments();
  server = await SmcpServer.listen({ port: 0 });
  const args = [bundle.main, examples, '--host', host, '--no-index'];
  const documents = { type: 'stdio' as const, server_parameters: { command: process.execPath, args } };
  computer = await Computer.open({ name: 'desk', servers: { documents: { name: 'documents', ...documents } } });
  await computer.join(server.url, { office: 'demo' });
  agent = await Agent.connect(server.url, { name: 'assistant', office: 'demo' });
}, 60_000);
afterAll(async () => {
  await agent?.close();
  await computer?.close();
  await server?.close();
  bundle?.[Symbol.dispose]();
});

async function read(uri: string): Promise<unknown> {
  const [content] = await agent.readResource('desk', uri, { server: 'documents' });
  return JSON.parse(content?.text ?? '');
}

describe('an Agent reads', () => {
  test.each(readdirSync(examples))('%s, page by page and element by element', async name => {
    const uri = `dpe://${host}/${name}`;
    const { page_count, title, pages = [] } = DPEDocument.parse(await read(`${uri}?depth=pages`));
    expect(pages).toHaveLength(page_count);
    const golden = readFileSync(join(root, 'tests/documents/goldens', `${name}.md`), 'utf8');
    expect(golden).toContain(`<!-- ${title} -->`);
    for (const { uri: address, page_index } of pages) {
      const page = DPEPage.parse(await read(`${address}?format=markdown`));
      expect(golden).toContain(`<!-- page ${page_index}: ${page.title} -->\n\n${page.content_markdown}\n`);
      const { element_id, content } = page.elements[0]!;
      const element = DPEElementDetail.parse(await read(`${uri}/elements/${encodeURIComponent(element_id)}`));
      expect(element).toMatchObject({ element_id, content, page_index });
    }
  });

  test('the list of resources with the metadata that the Finder needs', async () => {
    const { resources } = await agent.getResources('desk', { server: 'documents' });
    expect(resources).toHaveLength(11);
    expect(resources.find(({ uri }) => uri.endsWith('sales.xlsx'))).toMatchObject({
      name: 'Coffee sales 2026',
      description: '3 sheets: Sales, Shops, Notes',
      _meta: { page_count: 3, file_type: 'xlsx', keywords: ['sales', 'coffee', '2026'] },
    });
  });
});
