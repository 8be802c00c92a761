// A folder of office files, read the way a model does: the catalogue, a document, a page, an element.
import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { DocumentLibrary } from '@a2c-smcp/documents';
import { DPECatalog, DPEDocument, DPEElementDetail, DPEPage } from '@a2c-smcp/protocol';

const folder = fileURLToPath(new URL('../../documents/files', import.meta.url));
await using library = await DocumentLibrary.open({ folders: [folder], host: 'com.example.docs' });

const { content_markdown } = DPECatalog.parse(await library.read('dpe://com.example.docs?format=markdown'));
console.log(content_markdown);

const workbook = 'dpe://com.example.docs/sales.xlsx';
const { title, pages = [] } = DPEDocument.parse(await library.read(`${workbook}?depth=pages`));
console.log(`\n${title} has the sheets ${pages.map(page => page.title).join(', ')}\n`);

const sales = DPEPage.parse(await library.read(`${workbook}/pages/0?format=markdown&categories=table,chart`));
console.log(sales.content_markdown);

const table = sales.elements.find(({ category }) => category === 'table');
const { content, metadata } = DPEElementDetail.parse(await library.read(`${workbook}/elements/${table?.element_id}`));
console.log(`\nThe table is at ${metadata?.range} and has ${content.total_rows} rows`);
assert.deepEqual(content.headers, ['Shop', 'Q1 2026', 'Q2 2026', 'Q3 2026', 'Q4 2026', 'Total']);
