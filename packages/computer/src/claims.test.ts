import { expect, test } from 'vitest';
import { passOn } from './claims.ts';

const text = { type: 'text', text: 'x' };

test('a result keeps its unknown fields and loses what only the Computer may say', () => {
  const raw = {
    content: [text, { ...text, _meta: { a2c_blob_handle: 'h', own: 1 } }],
    structuredContent: { a: 1 },
    later: true,
    a2c_claim: 1,
    meta: { misspelled: 1, timeout: true },
    _meta: { own: 2, a2c_tool_meta: {}, error_code: 1 },
  };
  expect(passOn(raw, { auto_apply: true })).toEqual({
    content: [text, { ...text, _meta: { own: 1 } }],
    structuredContent: { a: 1 },
    later: true,
    meta: { misspelled: 1, own: 2, a2c_tool_meta: { auto_apply: true } },
  });
});

test('a result without metadata gets none, and one without content gets an empty list', () => {
  expect(passOn({ isError: false }, undefined)).toEqual({ content: [], isError: false });
});

test("a field called '__proto__' of a result changes no object", () => {
  const result = passOn(JSON.parse('{"content":[],"__proto__":{"isError":true}}'), undefined);
  expect(result.isError).toBeUndefined();
  expect(Object.keys(result)).toEqual(['content']);
});

test('an answer that is no tool result is a failed result', () => {
  expect(passOn({ content: 'x' }, undefined)).toMatchObject({ isError: true, meta: { error_code: 4003 } });
});
