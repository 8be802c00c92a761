import { describe, expect, test } from 'vitest';
import { layOut } from './blocks.ts';
import { joinPieces, type Piece } from './lines.ts';

/** Text at a place; letters are half as wide as high. */
function piece(text: string, x: number, y: number, size = 10): Piece {
  return { text, x, y, width: text.length * size * 0.5, size };
}

function elements(pieces: Piece[]) {
  return layOut(joinPieces(pieces), { height: 800, bodySize: 10 }).map(({ element }) => element);
}

describe('the layout of a page', () => {
  test('lines of a PDF paragraph are joined, and hyphenated words made whole', () => {
    const [first, ...rest] = elements([
      piece('A line that goes on and is di-', 50, 100),
      piece('vided at the end.', 50, 112),
    ]);
    expect(first?.content).toEqual({ text: 'A line that goes on and is divided at the end.' });
    expect(rest).toEqual([]);
  });

  test('a word that is divided in a heading of a PDF page is made whole', () => {
    const [first] = elements([piece('Disposal of sub-', 50, 100, 14), piece('stances', 50, 116, 14)]);
    expect(first?.content).toMatchObject({ level: 2, text: 'Disposal of substances' });
  });

  test('larger letters on a PDF page are headings', () => {
    const found = elements([piece('Title', 50, 100, 20), piece('Section', 50, 140, 14), piece('Words.', 50, 170)]);
    expect(found.map(({ category, content }) => [category, content.level])).toEqual([
      ['heading', 1],
      ['heading', 2],
      ['text', undefined],
    ]);
  });

  test('aligned columns on a PDF page are a table, also when their cells are written one after the other', () => {
    const row = (y: number, a: string, b: string) => [piece(a, 50, y), piece(b, 200, y)];
    const [table] = elements([...row(100, 'Name', 'Cups'), ...row(115, 'Harbour', '12'), ...row(130, 'Station', '7')]);
    expect(table).toMatchObject({
      category: 'table',
      content: {
        headers: ['Name', 'Cups'],
        rows: [
          ['Harbour', 12],
          ['Station', 7],
        ],
      },
    });
  });

  test('marked lines of a PDF page are a list, numbered lines a numbered one', () => {
    const [bullets, numbers] = elements([
      piece('• one', 50, 100),
      piece('• two', 50, 112),
      piece('1.', 50, 150),
      piece('first', 70, 150),
      piece('2.', 50, 162),
      piece('second', 70, 162),
    ]);
    expect(bullets?.content).toEqual({ ordered: false, items: ['one', 'two'] });
    expect(numbers?.content).toEqual({ ordered: true, items: ['first', 'second'] });
  });

  test('equally wide letters on a PDF page are code with its indentation', () => {
    const mono = (text: string, x: number, y: number) => ({ ...piece(text, x, y), isMonospaced: true });
    const [code] = elements([mono('if (a) {', 50, 100), mono('b();', 62, 112), mono('}', 50, 124)]);
    expect(code).toMatchObject({ category: 'code', content: { text: 'if (a) {\n  b();\n}' } });
  });

  test('a number at the end of a PDF page is its footer', () => {
    const found = elements([piece('Words.', 50, 400), piece('12', 290, 700)]);
    expect(found.map(({ category }) => category)).toEqual(['text', 'footer']);
  });

  test('small letters at the edges of a PDF page are header and footer', () => {
    const found = elements([piece('Report', 50, 20), piece('Words.', 50, 400), piece('Page 3', 50, 790)]);
    expect(found.map(({ category }) => category)).toEqual(['header', 'text', 'footer']);
  });

  test('two columns of running text on a PDF page stay apart', () => {
    const column = (x: number) =>
      Array.from({ length: 6 }, (_, line) => piece(`column ${x} line ${line} of text`, x, 100 + line * 12));
    const found = elements([...column(50), ...column(320)]);
    expect(found.map(({ content }) => String(content.text).slice(0, 10))).toEqual(['column 50 ', 'column 320']);
  });

  test('lines of Chinese on a PDF page are joined without a space', () => {
    const [first] = elements([piece('本合同自双方签字之日起生效付款', 50, 100), piece('期限为三十天', 50, 112)]);
    expect(first?.content.text).toBe('本合同自双方签字之日起生效付款期限为三十天');
  });

  test('equally wide ideographs on a PDF page are no listing', () => {
    const found = elements(
      ['本合同自双方', '签字之日起'].map((text, row) => ({ ...piece(text, 50, 100 + 12 * row), isMonospaced: true })),
    );
    expect(found.map(({ category }) => category)).not.toContain('code');
  });

  test('pieces of a line from right to left are joined in their order, whichever is written first', () => {
    const words = [
      { ...piece('العقد', 200, 100), isRtl: true },
      { ...piece('يسري', 172, 100), isRtl: true },
    ];
    for (const order of [words, words.toReversed()]) {
      expect(elements(order).map(({ content }) => content.text)).toEqual(['العقد يسري']);
    }
  });
});
