import { expect, test } from 'vitest';
import { parseTree } from './tree.ts';

test('a tree as deep as allowed is whole, and a deeper one is none', () => {
  const nested = (depth: number) => `${'<div>'.repeat(depth)}a${'</div>'.repeat(depth)}`;
  expect(parseTree(nested(250), 250)).toBeDefined();
  expect(parseTree(nested(251), 250)).toBeUndefined();
  expect(parseTree('<p>a'.repeat(1000), 250)?.root.children).toHaveLength(1000);
});

test('parsing ends at the first element that is too deep', () => {
  const started = performance.now();
  expect(parseTree(`${'<div>'.repeat(251)}${'<b><i>'.repeat(1_000_000)}`, 250)).toBeUndefined();
  expect(performance.now() - started).toBeLessThan(1000);
});

test('landmarks of a page are found wherever they stand', () => {
  const page = '<html><head>x<meta name=a><title>T</title></head><body><p>y<meta name=b></body></html>';
  const { landmarks = [] } = parseTree(page, 250) ?? {};
  expect(landmarks.map(({ name }) => name)).toEqual(['head', 'meta', 'title', 'body', 'meta']);
});
