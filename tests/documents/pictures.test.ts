import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../packages.ts';
import { DocumentsClient, examples } from './client.ts';

const samples = join(root, 'tests/documents/samples');

test.each([
  ['report.docx', examples],
  ['slides.pptx', examples],
  ['slides.ppt', samples],
])('a picture in %s is beside the JSON of its element', async (name, folder) => {
  await using client = await DocumentsClient.open([folder]);
  const uri = `dpe://documents/${name}`;
  const { page_count } = await client.document(uri);
  const pages = await Promise.all(Array.from({ length: page_count }, (_, page) => client.page(`${uri}/pages/${page}`)));
  const picture = pages.flatMap(({ elements }) => elements).findLast(({ category }) => category === 'image');
  const address = `${uri}/elements/${picture?.element_id}`;
  const { contents } = await client.mcp.readResource({ uri: address });
  expect(contents).toMatchObject([
    { mimeType: 'application/json' },
    { uri: address, mimeType: expect.stringMatching(/^image\/(?:png|jpeg)$/) },
  ]);
  const blob = contents[1] !== undefined && 'blob' in contents[1] ? String(contents[1].blob) : '';
  expect(Buffer.from(blob, 'base64').subarray(0, 4).toString('hex')).toMatch(/^(?:89504e47|ffd8ff)/);
});
