import type { ContentBlock } from '@a2c-smcp/protocol';
import { describe, expect, test } from 'vitest';
import { resultLines } from './result.ts';
import { sizeText } from './size.ts';

describe('result lines', () => {
  test('resultLines shows structured content without control characters and bidi marks', () => {
    const lines = resultLines({ content: [], structuredContent: { a: '\u009b2J\u202e' } });
    expect(lines.join('\n')).toBe('{\n  "a": "\\u009b2J\\u202e"\n}');
  });

  test.each([
    [{ uri: 'file:///a', name: 'a', mimeType: 'text/plain' }, '[link a, text/plain: file:///a]'],
    [{ uri: 'file:///a' }, '[link file:///a]'],
    [{ uri: 'file:///a\u001b', name: 'x\ny' }, '[link x y: file:///a]'],
  ])('resultLines shows the link %j as %s', (fields, line) => {
    const content = [{ type: 'resource_link', ...fields } as ContentBlock];
    expect(resultLines({ content })).toEqual([line]);
  });

  test('resultLines shows bytes as kind and size, with the hint of the command or the path of the file', () => {
    const block = { type: 'image', mimeType: 'image/png', data: Buffer.alloc(70).toString('base64') } as ContentBlock;
    const content = [block];
    expect(resultLines({ content })).toEqual(['[image image/png, 70 bytes]']);
    expect(resultLines({ content }, { hint: 'do' })).toEqual(['[image image/png, 70 bytes: do]']);
    const saved = new Map([[block, '/tmp/image-1.png']]);
    expect(resultLines({ content }, { hint: 'do', saved })).toEqual([
      '[image image/png, 70 bytes: saved as /tmp/image-1.png]',
    ]);
  });

  test('resultLines explains the error code of a result', () => {
    const lines = resultLines({ content: [], isError: true, meta: { error_code: 4005 } });
    expect(lines.join()).toMatch(/^error 4005: The Computer's owner declined/);
  });
});

test.each([
  [0, '0 bytes'],
  [1, '1 byte'],
  [70, '70 bytes'],
  [4000, '4 KiB'],
  [2.5 * 1024 * 1024, '2.5 MiB'],
])('sizeText writes %i as %s', (bytes, text) => {
  expect(sizeText(bytes)).toBe(text);
});
