import { expect, test } from 'vitest';
import { meantFacts, meantText, summarize } from './facts.ts';

test.each([
  ...[
    'PowerPoint Presentation',
    'PowerPoint-Präsentation',
    'Presentation',
    'Presentation1',
    'Slide 1',
    'untitled',
    'none',
  ],
  ...['(anonymous)', '(unspecified)', '1', 'Binder1.pdf', 'Microsoft Word - Q3 final.doc', '<4D6963726F736F6674>', ''],
  ...['Untitled-3', 'Document2', 'Book1', '演示文稿1', 'No Slide Title', '_x000d_', 'Présentation PowerPoint'],
])('the title "%s" is a default of a program', title => {
  expect(meantText(title)).toBeUndefined();
});

test.each(['Annual report 2026', 'Documentation', 'Book of changes', '合同', 'Presentation of results', 'Page layout'])(
  'the title "%s" was meant',
  title => {
    expect(meantText(title)).toBe(title);
  },
);

test('facts lose escapes and defaults, and summaries begin with the size', () => {
  expect(meantFacts({ title: 'A_x000D_\nb', summary: '(unspecified)', keywords: ['x_x000d_', ' '] })).toEqual({
    title: 'A b',
    keywords: ['x'],
  });
  expect(summarize('8 slides', ['One', ' ', 'Two\nwords'])).toBe('8 slides: One; Two words');
  expect(summarize('8 slides', [])).toBe('8 slides');
});
