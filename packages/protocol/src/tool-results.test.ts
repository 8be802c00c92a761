import { expect, test } from 'vitest';
import type { CallToolResult } from './schemas/tools.ts';
import { authHintOf, errorCodeOf, isCancelled, isTimedOut, textOf } from './tool-results.ts';

test('textOf joins the text blocks of a result and leaves out all others', () => {
  const result: CallToolResult = {
    content: [
      { type: 'text', text: 'one' },
      { type: 'image', data: 'AAAA', mimeType: 'image/png' },
      { type: 'text', text: 'two' },
      { type: 'resource', resource: { uri: 'file:///a', text: 'not a text block' } },
    ],
  };
  expect(textOf(result)).toBe('one\ntwo');
  expect(textOf({ content: [] })).toBe('');
});

test('textOf ignores text blocks that break the rules of MCP', () => {
  const broken: unknown = [{ type: 'text' }, { type: 'text', text: 7 }];
  expect(textOf({ content: broken as CallToolResult['content'] })).toBe('');
});

test('markers of the wrong type count as absent', () => {
  const meta = { a2c_cancelled: 'yes', timeout: 1, error_code: '4003', auth_hint: { message: 7 } };
  const result = { content: [], meta, _meta: 'nothing' };
  expect(isCancelled(result)).toBe(false);
  expect(isTimedOut(result)).toBe(false);
  expect(errorCodeOf(result)).toBeUndefined();
  expect(authHintOf(result)).toBeUndefined();
  expect(authHintOf({ content: [], meta: { auth_hint: null } })).toBeUndefined();
});
