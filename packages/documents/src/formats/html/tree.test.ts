import { describe, expect, test } from 'vitest';
import { worked } from '../../../../../tests/worked.ts';
import { type HtmlNode, parseTree } from './tree.ts';

/** The tree as tags with all their ends. */
function shape(page: string): string {
  const write = ({ data, name, children = [] }: HtmlNode): string => {
    const inner = children.map(write).join('');
    return data ?? (name === undefined ? inner : `<${name}>${inner}</${name}>`);
  };
  return write(parseTree(page, 250).root);
}

describe('parsing HTML', () => {
  test.each([
    ['<p>a<p>b<div>c</div>', '<p>a</p><p>b</p><div>c</div>'],
    ['<p><b>a<p>b', '<p><b>a</b></p><p>b</p>'],
    ['<ul><li>a<li>b<ul><li>c</ul><li>d</ul>e', '<ul><li>a</li><li>b<ul><li>c</li></ul></li><li>d</li></ul>e'],
    ['<li><div><p>a<li>b', '<li><div><p>a</p></div></li><li>b</li>'],
    ['<dl><dt>a<dd>b<p>c<dt>d</dl>', '<dl><dt>a</dt><dd>b<p>c</p></dd><dt>d</dt></dl>'],
    [
      '<table><tr><td>a<th>b<tr><td><p>c</table>d',
      '<table><tr><td>a</td><th>b</th></tr><tr><td><p>c</p></td></tr></table>d',
    ],
    [
      '<table><thead><tr><td>a<tbody><tr><td>b</table>',
      '<table><thead><tr><td>a</td></tr></thead><tbody><tr><td>b</td></tr></tbody></table>',
    ],
    [
      '<table><tr><td><table><tr><td>a</table>b<td>c</table>',
      '<table><tr><td><table><tr><td>a</td></tr></table>b</td><td>c</td></tr></table>',
    ],
    ['<h1>a<h2>b</h1>c', '<h1>a</h1><h2>b</h2>c'],
    ['<a href=x>a<a href=y>b</a>', '<a>a</a><a>b</a>'],
    ['<select><option>a<option>b</select>', '<select><option>a</option><option>b</option></select>'],
  ])('%s has the ends that are not written', (page, expected) => {
    expect(shape(page)).toBe(expected);
  });

  test.each([
    ['</p>a</div>b</x>', 'ab'],
    ['<div><b>a</div>b</b>', '<div><b>a</b></div>b'],
    ['<b><div>a</b>b</div>', '<b><div>ab</div></b>'],
    ['<div><table><tr><td>a</div>b</table>c</div>', '<div><table><tr><td>ab</td></tr></table>c</div>'],
    ['a</br>b', 'a<br></br>b'],
    ['1 < 2 <3 a<', '1 < 2 <3 a<'],
  ])('%s keeps its text, and tags that make no sense are left out', (page, expected) => {
    expect(shape(page)).toBe(expected);
  });

  test.each([
    ['<!-- <p>a --><p>b', '<p>b</p>'],
    ['<!--><p>b', '<p>b</p>'],
    ['<!DOCTYPE html><?php echo ?><p>b', '<p>b</p>'],
    ['<script>if (a</b) "<p>"</script>b', '<script></script>b'],
    ['<STYLE>p > a</Style >b', '<style></style>b'],
    ['<textarea><b>&amp;</textarea>c', '<textarea><b>&</textarea>c'],
    ['a<script>b', 'a<script></script>'],
    ['<title>a<p>b', '<title></title>a<p>b</p>'],
    ['<svg><title/><text>a</text></svg>b', '<svg><title></title><text>a</text></svg>b'],
    ['<p a="x>y" b=\'>\' c=d>e<br/>f', '<p>e<br></br>f</p>'],
    ['<p it\'s>a<p class="b', '<p>a</p>'],
  ])('%s has no markup in comments, scripts and attributes', (page, expected) => {
    expect(shape(page)).toBe(expected);
  });

  test('the head ends where the body begins, written or not', () => {
    expect(shape('<html><head><meta name=a><title>T</title></head><body><p>y</body></html>z')).toBe(
      '<head><meta></meta><title>T</title></head><body></body><p>yz</p>',
    );
    expect(shape('<head><title>T</title><p>y')).toBe('<head><title>T</title></head><p>y</p>');
    expect(shape('<head>\n x<p>y')).toBe('<head></head>\n x<p>y</p>');
  });

  test('an element of XHTML may end in its own tag', () => {
    expect(
      shape('<?xml version="1.0"?><html><head><title/><script src="a"/></head><body><a id="b"/>c</body></html>'),
    ).toBe('<head><title></title><script></script></head><body></body><a></a>c');
    expect(shape('<div/>a')).toBe('<div>a</div>');
  });

  test('attributes have their first value with its entities', () => {
    const [node] =
      parseTree('<A HREF="?a=1&amp;b&copy=2" href=x ALT=\'"\' reversed data-x=1 __proto__=2>', 250).root.children ?? [];
    expect(node).toMatchObject({ name: 'a', attribs: { href: '?a=1&b&copy=2', alt: '"', reversed: '' } });
    expect(Object.keys(node?.attribs ?? {})).toEqual(['href', 'alt', 'reversed']);
  });

  test('titles and meta elements are found wherever they stand', () => {
    const { landmarks } = parseTree('<head><meta name=a><title>T</title></head><body><p>y<meta name=b>', 250);
    expect(landmarks.map(({ name }) => name)).toEqual(['meta', 'title', 'meta']);
  });
});

describe('HTML that is nested deeply', () => {
  test('elements as deep as allowed are whole, and deeper ones lose their tags and keep their text', () => {
    const nested = (depth: number) => parseTree(`${'<div>'.repeat(depth)}a${'</div>'.repeat(depth)}<h1>b</h1>`, 250);
    expect(nested(250).isCut).toBe(false);
    expect(nested(251).isCut).toBe(true);
    expect(nested(1000).root.children?.at(-1)).toMatchObject({ name: 'h1', children: [{ data: 'b' }] });
  });

  test('pages without the ends of elements are not deep', () => {
    for (const page of ['<p>a', '<ul><li>a', '<tr><td>a<td>b'].map(tags => tags.repeat(1000))) {
      expect(parseTree(page.replaceAll('<ul>', ''), 250).isCut).toBe(false);
    }
  });

  test.each([
    '<div>',
    '<b><i>',
    '</b>',
    '<a x="',
    '<title>',
    '<!--',
    '<x',
    '<p a=',
    '<table><tr><td>',
    '<?',
    '<svg><![CDATA[',
  ])('%s a hundred thousand times takes linear time', tags => {
    const started = worked();
    parseTree(`<b>${'<i>'.repeat(240)}${tags.repeat(100_000)}`, 250);
    expect(worked() - started).toBeLessThan(4000);
  });
});
