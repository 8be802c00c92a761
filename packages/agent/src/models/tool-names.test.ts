import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ToolNames } from './tool-names.ts';

const at = (computer: string, tool = 'echo') => ({ computer, tool });

describe('the names that a model sees', () => {
  test('a tool keeps its own name if providers accept it', () => {
    expect(new ToolNames().assign([at('desk', 'read_file')])).toEqual(['read_file']);
  });

  test('all tools of one name get their Computers’ names, whatever their order', () => {
    expect(new ToolNames().assign([at('prod'), at('my lab')])).toEqual(['prod__echo', 'my_lab__echo']);
    expect(new ToolNames().assign([at('my lab'), at('prod')])).toEqual(['my_lab__echo', 'prod__echo']);
  });

  test('a name stays with its machine when others come and go', () => {
    const names = new ToolNames();
    expect(names.assign([at('prod')])).toEqual(['echo']);
    expect(names.assign([at('prod'), at('test')])).toEqual(['prod__echo', 'test__echo']);
    expect(names.assign([at('test')])).toEqual(['test__echo']);
    expect(names.addressOf('echo')).toEqual(at('prod'));
    expect(names.addressOf('test__echo')).toEqual(at('test'));
  });

  test('every name has its Computer’s if it should, and reserved names are left out', () => {
    expect(new ToolNames({ alwaysPrefixed: true }).assign([at('desk')])).toEqual(['desk__echo']);
    expect(new ToolNames({ reserved: ['echo'] }).assign([at('desk')])).toEqual(['desk__echo']);
  });

  test('characters that providers refuse are replaced in a name', () => {
    const names = new ToolNames();
    expect(names.assign([at('desk', 'files.read')])).toEqual(['files_read']);
    const both = new ToolNames().assign([at('desk', 'files.read'), at('desk', 'files/read')]);
    expect(both).toEqual([expect.stringMatching(/^desk__files_read_[0-9a-f]{8}$/), expect.stringMatching(/^desk__/)]);
    expect(names.assign([at('desk', 'x'.repeat(65))])[0]).toMatch(/^desk__x+_[0-9a-f]{8}$/);
  });

  test('a name that was never given has no tool', () => {
    expect(new ToolNames().addressOf('echo')).toBeUndefined();
  });

  const awkward = fc.string({ unit: fc.constantFrom('a', 'b', '_', '.', 'é', ' '), maxLength: 70 });
  const offers = fc.uniqueArray(fc.record({ computer: awkward, tool: awkward }), {
    selector: ({ computer, tool }) => JSON.stringify([computer, tool]),
  });

  test('every name leads back to its tool, in later offers too', () => {
    fc.assert(
      fc.property(fc.array(offers, { maxLength: 4 }), rounds => {
        const names = new ToolNames();
        const given = new Map<string, object>();
        for (const offered of rounds) {
          for (const [index, name] of names.assign(offered).entries()) {
            expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
            expect(offered[index]).toEqual(given.get(name) ?? offered[index]);
            given.set(name, offered[index] ?? {});
            expect(names.addressOf(name)).toEqual(offered[index]);
          }
        }
      }),
    );
  });

  test('names depend on the set that is offered and not on its order', () => {
    fc.assert(
      fc.property(offers, offered => {
        const inOrder = new ToolNames().assign(offered);
        expect(new ToolNames().assign(offered.toReversed()).toReversed()).toEqual(inOrder);
      }),
    );
  });
});
