// An Agent finds a workbook on a Computer and reads it the way a model does: a little at a time.
import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { Agent } from '@a2c-smcp/agent';
import { nodeServer, openDemoOffice } from '../office.ts';

const server = fileURLToPath(new URL('../bin/a2c-documents.js', import.meta.resolve('@a2c-smcp/documents')));
const folder = fileURLToPath(new URL('../../documents/files', import.meta.url));
await using office = await openDemoOffice({ documents: nodeServer(server, folder, '--authority', 'com.example.docs') });
await using agent = await Agent.connect(office.url, { name: 'assistant', office: 'demo' });

const { documents } = await agent.getFinder('desk', { keywords: ['coffee sales'] });
const [workbook] = documents;
assert.ok(workbook);
console.log(`${workbook.title} has ${workbook.page_count} pages`);

const { elements, content_markdown } = await agent.readPage('desk', workbook.uri, 0, {
  format: 'markdown',
  categories: ['table'],
});
console.log(content_markdown);

const [table] = elements;
assert.ok(table);
const { content } = await agent.readElement('desk', workbook.uri, table.element_id);
assert.equal(content.total_rows, 4);
