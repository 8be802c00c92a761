import { describe, expect, test } from 'vitest';
import { limitDepth } from './depth.ts';

describe('limiting the depth of HTML', () => {
  test('HTML that is not deep is unchanged, however many end tags are missing', () => {
    const pages = ['<p>a'.repeat(1000), `<ul>${'<li>a'.repeat(1000)}`, `<table>${'<tr><td>a<td>b'.repeat(1000)}`];
    for (const page of pages) expect(limitDepth(page)).toEqual({ text: page, isCut: false });
    for (const [begin, end] of [
      ['<script>', '</script>'],
      ['<!--', '-->'],
      ['<style>', '</style>'],
    ]) {
      const page = `${begin}${'<div>'.repeat(1000)}${end}<h1>a</h1>`;
      expect(limitDepth(page)).toEqual({ text: page, isCut: false });
    }
    const closed = '<div><b>a</b></div>'.repeat(1000);
    expect(limitDepth(closed).isCut).toBe(false);
  });

  test.each(['<div>', '<b><i>', '<ul><li>', '<p><li>', '<x-y>'])(
    'deeply nested %s loses tags and keeps text and offsets',
    tags => {
      const page = `${tags.repeat(1000)}words`;
      const { text, isCut } = limitDepth(page);
      expect(isCut).toBe(true);
      expect(text).toHaveLength(page.length);
      expect(text.endsWith('words')).toBe(true);
      expect(limitDepth(text).isCut, 'once is enough').toBe(false);
    },
  );

  test('removed tags lose their end tags too, so that later elements stay at their level', () => {
    const { text } = limitDepth(`${'<div>'.repeat(1000)}a${'</div>'.repeat(1000)}<h1>b</h1>`);
    expect(text.endsWith('</div><h1>b</h1>')).toBe(true);
    expect(text.match(/<div>/g)).toHaveLength(text.match(/<\/div>/g)?.length ?? 0);
  });
});
