import iconv from 'iconv-lite';
import { describe, expect, test } from 'vitest';
import { readBytes } from './reading.ts';

describe('files that are not UTF-8', () => {
  test('a csv as Excel writes it in China has its names and cities', async () => {
    const { markdown, document } = await readBytes(
      '客户.csv',
      iconv.encode('姓名,城市\n王芳,北京\n李雷,上海\n', 'gbk'),
    );
    expect(markdown).toContain('| 姓名 | 城市 |');
    expect(markdown).toContain('| 李雷 | 上海 |');
    expect(document.summary).toBe('A table: 姓名, 城市');
  });

  test('a page in Shift JIS that says so is Japanese', async () => {
    const page = '<html><head><meta charset="Shift_JIS"><title>見積書</title></head><body><p>東京都</p></body></html>';
    const { document, markdown } = await readBytes('a.html', iconv.encode(page, 'shift_jis'));
    expect(document.title).toBe('見積書');
    expect(markdown).toBe('東京都');
  });

  test('Markdown in Big5 is Chinese', async () => {
    const { markdown } = await readBytes('a.md', iconv.encode('# 合約\n\n本合約自雙方簽字之日起生效。\n', 'big5'));
    expect(markdown).toBe('# 合約\n\n本合約自雙方簽字之日起生效。');
  });
});

test('JSON with comments is shown as it is written', async () => {
  const text = '{\n  // Where the sources are\n  "include": ["src"],\n}';
  const { document, markdown } = await readBytes('tsconfig.json', text);
  expect(document.page_count).toBe(1);
  expect(markdown).toBe(`\`\`\`json\n${text}\n\`\`\``);
});
