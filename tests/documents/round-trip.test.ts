import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Agent } from '@a2c-smcp/agent';
import { Computer } from '@a2c-smcp/computer';
import type { DPEDocumentSummary } from '@a2c-smcp/protocol';
import { SmcpServer } from '@a2c-smcp/server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { root } from '../packages.ts';
import { documentsCommand, examples, temporaryFolder } from './client.ts';

const host = 'com.example.docs';
const folder = temporaryFolder({ from: examples });

let server: SmcpServer;
let computer: Computer;
let agent: Agent;

beforeAll(async () => {
  server = await SmcpServer.listen({ port: 0 });
  const args = [documentsCommand, folder.path, '--authority', host, '--watch', '--no-index'];
  const documents = { type: 'stdio' as const, server_parameters: { command: process.execPath, args } };
  computer = await Computer.open({ name: 'desk', servers: { documents: { name: 'documents', ...documents } } });
  await computer.join(server.url, { office: 'demo' });
  agent = await Agent.connect(server.url, { name: 'assistant', office: 'demo' });
}, 60_000);
afterAll(async () => {
  await agent?.close();
  await computer?.close();
  await server?.close();
  folder[Symbol.dispose]();
});

describe('an Agent', () => {
  test('an Agent finds every example in the Finder, and some by a word', async () => {
    // Page counts follow the first list.
    await eventually(async () => {
      const counted = (await agent.getFinder('desk')).documents.filter(({ page_count }) => page_count > 0);
      expect(counted).toHaveLength(11);
    });
    const { documents, totalCount } = await agent.getFinder('desk');
    expect(documents).toHaveLength(totalCount);
    expect(documents.find(({ doc_ref }) => doc_ref === 'sales.xlsx')).toMatchObject({
      server: 'documents',
      title: 'Coffee sales 2026',
      page_count: 3,
      summary: '3 sheets: Sales, Shops, Notes',
    });
    const { documents: invoices } = await agent.getFinder('desk', { keywords: ['invoice'] });
    expect(invoices.map(({ doc_ref }) => doc_ref)).toEqual(['invoice.pdf']);
  });

  test.each(readdirSync(examples))('an Agent reads %s page by page and element by element', async name => {
    const uri = `dpe://${host}/${name}`;
    const golden = readFileSync(join(root, 'tests/documents/goldens', `${name}.md`), 'utf8');
    const { page_count, title } = await agent.readDocument('desk', uri);
    expect(golden).toContain(`<!-- ${title} -->`);
    const { pages = [] } = await agent.readPages('desk', uri);
    expect(pages).toHaveLength(page_count);
    for (const { page_index } of pages) {
      const page = await agent.readPage('desk', uri, page_index, { format: 'markdown' });
      expect(golden).toContain(`<!-- page ${page_index}: ${page.title} -->\n\n${page.content_markdown}\n`);
      const { element_id, content } = page.elements[0]!;
      expect(await agent.readElement('desk', uri, element_id)).toMatchObject({ element_id, content, page_index });
    }
  });

  test('an Agent gets the codes of the Finder for missing documents, pages and elements', async () => {
    const uri = `dpe://${host}/sales.xlsx`;
    await expect(agent.readDocument('desk', `dpe://${host}/none`)).rejects.toMatchObject({
      code: 4201,
      details: { doc_ref: 'none' },
    });
    await expect(agent.readPage('desk', uri, 3)).rejects.toMatchObject({ code: 4202, details: { page_count: 3 } });
    await expect(agent.readElement('desk', uri, 'none')).rejects.toMatchObject({
      code: 4203,
      details: { element_id: 'none' },
    });
  });

  test('an Agent is notified of documents that are added, changed and removed', async () => {
    let notified: DPEDocumentSummary[] = [];
    agent.on('finder', ({ documents }) => {
      notified = documents;
    });
    const path = join(folder.path, 'new.md');
    const titleOf = (documents: readonly DPEDocumentSummary[]) =>
      documents.find(({ doc_ref }) => doc_ref === 'new.md')?.title;
    const expectTitle = async (title: string | undefined) => {
      await eventually(() => {
        expect(notified).not.toEqual([]);
        expect(titleOf(notified)).toBe(title);
      });
      expect(titleOf((await agent.getFinder('desk')).documents)).toBe(title);
    };
    writeFileSync(path, '# A new document\n');
    await expectTitle('A new document');
    writeFileSync(path, '# A changed document\n');
    await expectTitle('A changed document');
    rmSync(path);
    await expectTitle(undefined);
    expect(notified).toHaveLength(11);
  });
});
