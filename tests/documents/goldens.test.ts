import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { root } from '../packages.ts';
import { DocumentsClient, examples } from './client.ts';

let client: DocumentsClient;

beforeAll(async () => {
  client = await DocumentsClient.open([examples, '--authority', 'com.example.docs']);
});
afterAll(async () => {
  await client?.[Symbol.asyncDispose]();
});

/** The path of a golden file. */
const golden = (name: string) => join(root, 'tests/documents/goldens', name);

test('the catalogue equals its golden file', async () => {
  const { content_markdown } = await client.catalog('dpe://com.example.docs?format=markdown');
  await expect(`${content_markdown}\n`).toMatchFileSnapshot(golden('catalogue.md'));
});

describe.each(readdirSync(examples))('%s', name => {
  const uri = `dpe://com.example.docs/${name}`;

  test('the document equals its golden file', async () => {
    const { page_count, title } = await client.document(uri);
    const pages: string[] = [];
    for (let index = 0; index < page_count; index += 1) {
      const page = await client.page(`${uri}/pages/${index}?format=markdown`);
      pages.push(`<!-- page ${index}: ${page.title} -->\n\n${page.content_markdown}`);
    }
    const text = `<!-- ${title} -->\n\n${pages.join('\n\n')}\n`;
    await expect(text).toMatchFileSnapshot(golden(`${name}.md`));
  });

  test('the description and the elements of the first page equal their golden file', async () => {
    const { file_uri, last_modified, ...document } = await client.document(`${uri}?depth=pages`);
    expect(file_uri).toMatch(new RegExp(`^file:///.*/${name}$`));
    expect(Date.parse(last_modified ?? '')).toBeGreaterThan(0);
    const { elements } = await client.page(`${uri}/pages/0`);
    const details: unknown[] = [];
    for (const { element_id } of elements) details.push(await client.element(`${uri}/elements/${element_id}`));
    // Hashes follow from the rest.
    const withoutHash = (key: string, value: unknown) => (key === 'hash' ? undefined : value);
    const text = JSON.stringify({ document, elements: details }, withoutHash, 2);
    await expect(`${text}\n`).toMatchFileSnapshot(golden(`${name}.json`));
  });

  test('every element of a page is at its own address, with the same id each time', async () => {
    const { pages = [] } = await client.document(`${uri}?depth=pages`);
    for (const summary of pages) {
      const { elements, element_count } = await client.page(summary.uri);
      expect(element_count).toBe(summary.element_count);
      expect(new Set(elements.map(({ element_id }) => element_id)).size).toBe(elements.length);
      for (const { element_id, category, content } of elements) {
        const address = `${uri}/elements/${encodeURIComponent(element_id)}`;
        const detail = await client.element(address);
        expect(detail).toMatchObject({ element_id, category, content, page_index: summary.page_index, uri: address });
      }
    }
  });
});
