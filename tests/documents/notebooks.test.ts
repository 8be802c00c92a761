import { expect, test } from 'vitest';
import { readBytes } from './reading.ts';

test('a notebook of the third format has headings, text, code and output of its worksheets', async () => {
  const cells = [
    { cell_type: 'heading', level: 2, source: ['Cups per day'] },
    { cell_type: 'markdown', source: ['Counted in *May*.\n', 'Twice.'] },
    {
      cell_type: 'code',
      language: 'python',
      input: ['cups = 3\n', 'cups'],
      outputs: [{ output_type: 'pyout', text: ['3'] }],
    },
  ];
  const { markdown } = await readBytes('old.ipynb', JSON.stringify({ nbformat: 3, worksheets: [{ cells }] }));
  expect(markdown).toBe(
    '## Cups per day\n\nCounted in *May*.\nTwice.\n\n```python\ncups = 3\ncups\n```\n\n```\n3\n```',
  );
});

test('lines of a notebook of the second format do not run together', async () => {
  const cells = [{ cell_type: 'code', input: ['a = 1', 'b = 2'], outputs: [] }];
  const { markdown } = await readBytes('older.ipynb', JSON.stringify({ nbformat: 2, worksheets: [{ cells }] }));
  expect(markdown).toContain('a = 1\nb = 2');
});

test('a long output of a notebook is shown on as many pages as it needs', async () => {
  const text = Array.from({ length: 4000 }, (_, line) => `line ${line}`).join('\n');
  const cells = [{ cell_type: 'code', source: 'run()', outputs: [{ output_type: 'stream', text }] }];
  const { markdown, pages } = await readBytes('log.ipynb', JSON.stringify({ nbformat: 4, cells }));
  expect(markdown).toContain('line 3999');
  for (const { content_markdown = '' } of pages) expect(content_markdown.length).toBeLessThanOrEqual(20_000);
});
