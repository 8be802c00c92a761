import { describe, expect, test } from 'vitest';
import { excessOf } from './limits.ts';
import { LinkTargets } from './read.ts';

describe('limits of the Markdown parser', () => {
  test.each([
    ['a long table', '| a | b |\n'.repeat(10_000)],
    ['a long list', '- some words\n'.repeat(10_000)],
    ['a long listing', `\`\`\`\n${'> > code\n'.repeat(10_000)}\`\`\`\n`],
    ['many paragraphs', 'some words\n\n'.repeat(10_000)],
    ['a quote in a list in a quote', '> - > - > words\n'.repeat(100)],
  ])('%s is within the limits of the Markdown parser', (_, text) => {
    expect(excessOf(text)).toBeUndefined();
  });

  test.each([
    ['a long paragraph', 'some words\n'.repeat(5000), /paragraph/],
    ['deep quotes', '>'.repeat(200), /levels/],
    ['deep lists', `${'  '.repeat(150)}- a`, /levels/],
    ['a long text', 'a\n\n'.repeat(100_000), /longer than/],
  ])('%s exceeds the limits of the Markdown parser', (_, text, why) => {
    expect(excessOf(text)).toMatch(why);
  });
});

test('a page gets the targets of the links it names, and of several definitions the first', () => {
  const targets = new LinkTargets('[a  b]: /1\n[A B]: /2\n[c]: /3\n[^d]: note\n');
  expect(targets.of('See [the words][a b].')).toBe('\n\n[a  b]: /1');
  expect(targets.of('See [C] and [^d].')).toBe('\n\n[c]: /3');
  expect(targets.of('Nothing.')).toBe('');
});
