import { expect, test } from 'vitest';
import { mergeToolMeta, serializeMeta } from './tool-meta.ts';

test('the metadata of the documents’ second scenario is theirs byte for byte', () => {
  const meta = mergeToolMeta(
    { name: 's', default_tool_meta: { tags: ['browser'], auto_apply: true } },
    { name: 'navigate' },
  );
  expect(serializeMeta({ name: 'navigate' }, meta)).toEqual({
    a2c_tool_meta: '{"auto_apply": true, "alias": null, "tags": ["browser"], "ret_object_mapper": null}',
  });
});

test.each([
  ['text', 'text'],
  [1.5, 1.5],
  [null, null],
  [
    ['a', 'b'],
    ['a', 'b'],
  ],
  [['a', 1], '["a", 1]'],
  [{}, '{}'],
  [{ a: [], b: '{\n},\n[' }, '{"a": [], "b": "{\\n},\\n["}'],
  [[{ a: 1 }, [2]], '[{"a": 1}, [2]]'],
])('a value %j of the server’s own is carried as %j', (value, carried) => {
  expect(serializeMeta({ name: 't', _meta: { key: value } }, undefined)).toEqual({ key: carried });
});

test('metadata of a tool overrides the default, and null sets nothing', () => {
  const config = {
    name: 's',
    default_tool_meta: { auto_apply: true, tags: ['a'], team: 'red' },
    tool_meta: { t: { auto_apply: false, tags: null, ret_object_mapper: { a: 1 } } },
  };
  expect(mergeToolMeta(config, { name: 't' })).toEqual({
    auto_apply: false,
    alias: null,
    tags: ['a'],
    ret_object_mapper: { a: 1 },
    team: 'red',
  });
  expect(mergeToolMeta({ name: 's' }, { name: 't' })).toBeUndefined();
  expect(mergeToolMeta({ name: 's', tool_meta: {} }, { name: 'constructor' })).toBeUndefined();
});
