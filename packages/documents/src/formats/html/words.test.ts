import { describe, expect, test } from 'vitest';
import { worked } from '../../../../../tests/worked.ts';
import { parseHtml } from './read.ts';
import { parseTree } from './tree.ts';
import { textOf } from './words.ts';

const textIn = (html: string) => textOf(parseTree(html, 250).root);

describe('the text of an HTML element', () => {
  test.each([
    ['a<div>b</div>c', 'a\nb\nc'],
    ['<div>a</div><div>b</div>', 'a\nb\n'],
    ['<div><div>a</div></div>b', 'a\n\nb'],
    ['a<span><div>b</div></span>', 'ab\n'],
    ['a<span></span><div>b</div>', 'a\nb\n'],
    ['<div>a</div><span></span><div>b</div>', 'a\nb\n'],
    ['a<script>x</script><div></div><div>b</div>', 'a\n\nb\n'],
    ['a<img alt="b"><p>c', 'a b \nc\n'],
    ['a<br>b\n<p>c', 'a\u2028b\nc\n'],
  ])('blocks of %j are on lines of their own', (html, text) => {
    expect(textIn(html)).toBe(text);
  });

  test.each([
    ['a<ol><li>b<li><p>c</p><ul><li>d</ul></ol>', 'a\n1. b\n2. c\nd\n\n\n\n'],
    ['<div><ol type=a start=3><li>b</li> <li value=7>c</li></ol></div>', 'c. b\n \ng. c\n\n\n'],
  ])('the items of an ordered list in %j have their numbers', (html, text) => {
    expect(textIn(html)).toBe(text);
  });

  test.each([
    ['2<sup>n − 1</sup>', '2^(n − 1)'],
    ['Ada<sup>a,b</sup>', 'Ada^a,b'],
    ['known<sup>1, 2</sup>', 'known^(1, 2)'],
    ['known<sup>3–5</sup>', 'known^3–5'],
    ['known<sup>a long note</sup>', 'knowna long note'],
    ['x<sub>i</sub> or t<sub>max</sub>', 'x_i or t_max'],
    ['a word<sub>1</sub>', 'a word_1'],
    ['H<sub>2</sub>O, NO<sub>x</sub>, Fe<sub>2</sub>(SO<sub>4</sub>)<sub>3</sub>', 'H2O, NOx, Fe2(SO4)3'],
  ])('the raised or lowered text of %j stays apart from the word before it', (html, text) => {
    expect(textIn(html)).toBe(text);
  });

  test('three hundred thousand blocks inside of one another and in a row take linear time', () => {
    const started = worked();
    const text = textIn(`${'<div>'.repeat(200)}${'<p>'.repeat(300_000)}`);
    expect(text).toMatch(/^\n{300200}$/);
    expect(worked() - started).toBeLessThan(3000);
  });

  test('ordered lists inside of one another and in a row take linear time', () => {
    const started = worked();
    const text = textIn(`${'<ol><li>'.repeat(100)}${'<ol><li></ol>'.repeat(100_000)}${'<li>'.repeat(200_000)}`);
    expect(text.match(/1\. /g)?.length).toBeGreaterThan(100_000);
    expect(worked() - started).toBeLessThan(3000);
  });

  test('raised text inside of raised text takes linear time', () => {
    const started = worked();
    const { elements } = parseHtml('<sup>a<sub>b'.repeat(100_000));
    expect(elements).not.toEqual([]);
    expect(worked() - started).toBeLessThan(3000);
  });
});
