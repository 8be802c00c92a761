import pptxgen from 'pptxgenjs';
import { describe, expect, test } from 'vitest';
import { readBytes } from './reading.ts';

async function deckTitled(title: string): Promise<Buffer> {
  const deck = new (pptxgen as unknown as typeof pptxgen.default)();
  deck.title = title;
  deck.subject = '';
  for (const text of ['Coffee in the north', 'Prices', 'Suppliers']) {
    deck.addSlide().addText(text, { x: 1, y: 1, w: 8, h: 1, fontSize: 40 });
  }
  return (await deck.write({ outputType: 'nodebuffer' })) as Buffer;
}

describe('titles', () => {
  test('a presentation with the title of its program is called like its first slide', async () => {
    const { document } = await readBytes('2026-07 north.pptx', await deckTitled('PowerPoint Presentation'));
    expect(document.title).toBe('Coffee in the north');
    expect(document.summary).toContain('3 slides: Prices; Suppliers');
  });

  test('a title that was meant stays', async () => {
    const { document } = await readBytes('a.pptx', await deckTitled('Plan of 2026'));
    expect(document.title).toBe('Plan of 2026');
  });

  test('the path of a file is a keyword', async () => {
    const { document } = await readBytes('2026-07 north.md', '# Another title\n');
    expect(document.keywords).toEqual(['2026-07 north.md']);
  });

  test('comments are no part of titles of Markdown', async () => {
    const { document, pages } = await readBytes(
      'a.md',
      '# Guide <!-- toc -->\n\nWords\n\n# Second <!-- x -->\n\nWords\n',
    );
    expect(document.title).toBe('Guide');
    expect(pages.map(({ title }) => title)).toEqual(['Guide', 'Second']);
  });
});
