import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readMarkdown } from '@a2c-smcp/documents';
import { expect, test } from 'vitest';
import { temporaryFolder } from './client.ts';

async function readAs(name: string, text: string): Promise<string> {
  using folder = temporaryFolder();
  const path = join(folder.path, name);
  writeFileSync(path, text);
  return await readMarkdown(path);
}

test('readMarkdown gives a page with its notation', async () => {
  const page = '<h1>Lease</h1><p>Three years.</p><table><tr><th>Year</th></tr><tr><td>2026</td></tr></table>';
  expect(await readAs('lease.html', page)).toBe('# Lease\n\nThree years.\n\n| Year |\n| --- |\n| 2026 |');
});

test('readMarkdown gives all rows of a long table under one row of names', async () => {
  const rows = Array.from({ length: 1000 }, (_, index) => `${index},name-${index}`);
  const markdown = await readAs('long.csv', ['number,name', ...rows].join('\n'));
  const lines = markdown.split('\n');
  expect(lines.filter(line => line.includes('| number |'))).toHaveLength(1);
  expect(lines).toHaveLength(1002);
  expect(lines.at(-1)).toBe('| 999 | name-999 |');
});

test('readMarkdown cuts neither a long cell nor a wide row', async () => {
  const cell = Array.from({ length: 900 }, (_, index) => `word${index}`).join(' ');
  const rows = Array.from({ length: 20 }, () => Array.from({ length: 12 }, () => cell).join(','));
  const names = Array.from({ length: 12 }, (_, index) => `n${index}`).join(',');
  const markdown = await readAs('wide.csv', [names, ...rows].join('\n'));
  expect(markdown.match(/word899/g)).toHaveLength(20 * 12);
});

test('readMarkdown rejects a file that it cannot read, with the reason', async () => {
  await expect(readAs('lease.docx', 'no archive')).rejects.toThrow('The file is damaged');
  await expect(readAs('lease.xyz', 'text')).rejects.toThrow("Files of type 'xyz' are not supported");
});

test('readMarkdown gives the pages of a damaged PDF that can be read, and names the others', async () => {
  const parts = [
    '%PDF-1.4',
    '1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj',
    '2 0 obj <</Type/Pages/Kids[3 0 R 4 0 R 9 0 R]/Count 3>> endobj',
    '3 0 obj <</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 5 0 R/Resources 4 0 R>> endobj',
    '4 0 obj <</Font<</F0<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>> endobj',
    '5 0 obj <</Length 45>> stream\nBT /F0 36 Tf 50 700 Td (Lease of a shop) Tj ET\nendstream endobj',
  ];
  const offsets = parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('\n').length + 1);
  const entries = offsets.map(offset => `${String(offset).padStart(10, '0')} 00000 n `);
  const body = `${parts.join('\n')}\n`;
  const table = ['xref', '0 6', '0000000000 65535 f ', ...entries, 'trailer <</Root 1 0 R/Size 6>>'];
  const markdown = await readAs('lease.pdf', `${body}${table.join('\n')}\nstartxref\n${body.length}\n%%EOF`);
  expect(markdown).toMatch(/^Lease of a shop\n/);
  expect(markdown).toMatch(/\[annotation: Page 3 cannot be read\. /);
});
