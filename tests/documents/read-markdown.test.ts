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

test('readMarkdown rejects a file that it cannot read, with the reason', async () => {
  await expect(readAs('lease.docx', 'no archive')).rejects.toThrow('The file is damaged');
  await expect(readAs('lease.xyz', 'text')).rejects.toThrow("Files of type 'xyz' are not supported");
});
