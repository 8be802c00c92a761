import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BridgeToolNames, MAX_TOOL_NAME_LENGTH, type ToolAddress } from './tool-names.ts';

const reserved = ['office', 'desktop'];
const create = (prefix: 'auto' | 'always' | 'never' = 'auto', expectsSeveral = false) =>
  new BridgeToolNames({ prefix, reserved, expectsSeveral });
const of = (computer: string, ...tools: string[]) => tools.map(tool => ({ computer, tool }));
const named = (names: BridgeToolNames, tools: readonly ToolAddress[]) => [
  ...names.assign(tools, [...new Set(tools.map(({ computer }) => computer))]).keys(),
];

const address = fc.record({
  computer: fc.oneof(fc.constantFrom('desk', 'laptop', 'Desk', 'büro'), fc.string({ unit: 'binary', minLength: 1 })),
  tool: fc.oneof(fc.constantFrom('echo', 'a.b', 'a-b', 'a_b', 'office'), fc.string({ unit: 'binary', maxLength: 120 })),
});
const addresses = fc.uniqueArray(address, { selector: ({ computer, tool }) => JSON.stringify([computer, tool]) });
const prefixes = fc.constantFrom('auto' as const, 'always' as const, 'never' as const);

describe('BridgeToolNames', () => {
  test('one Computer has plain names', () => {
    expect(named(create(), of('desk', 'echo', 'read_file'))).toEqual(['echo', 'read_file']);
  });

  test('several Computers have prefixes', () => {
    expect(named(create(), [...of('desk', 'echo'), ...of('laptop', 'echo')])).toEqual(['desk__echo', 'laptop__echo']);
  });

  test('a Computer that enters later is prefixed, and the names of the first stay', () => {
    const names = create();
    named(names, of('desk', 'echo'));
    expect(named(names, [...of('desk', 'echo', 'new'), ...of('laptop', 'echo')])).toEqual([
      'echo',
      'new',
      'laptop__echo',
    ]);
  });

  test('a Computer that is expected to get company is prefixed at once', () => {
    expect(named(create('auto', true), of('desk', 'echo'))).toEqual(['desk__echo']);
  });

  test('characters that clients refuse are replaced, and an exact name has precedence', () => {
    expect(named(create(), of('desk', 'files.read', 'files_read'))).toEqual(['desk__files_read', 'files_read']);
  });

  test('names that differ only in ways that clients ignore are told apart', () => {
    const [first = '', second = ''] = named(create(), of('desk', 'a-b', 'a_b'));
    expect(first).toBe('a-b');
    expect(second).toBe('desk__a_b');
  });

  test('a long name keeps the beginning of the tool and gets a hash', () => {
    const [name = ''] = named(create('always'), of('a-computer-with-a-long-name', 'read_the_whole_file_and_tell_me'));
    expect(name).toMatch(/^a-computer-wit__read_the_whole_file_a_[0-9a-f]{8}$/);
    expect(name).toHaveLength(MAX_TOOL_NAME_LENGTH);
  });

  test('every name is accepted by clients, unique and not reserved', () => {
    fc.assert(
      fc.property(addresses, prefixes, (tools, prefix) => {
        const names = named(create(prefix), tools);
        expect(new Set(names.map(name => name.toLowerCase().replaceAll('-', '_'))).size).toBe(tools.length);
        for (const name of names) {
          expect(name).toMatch(/^[A-Za-z0-9_-]{1,46}$/);
          expect(reserved).not.toContain(name);
        }
      }),
    );
  });

  test('names do not depend on the order of the tools, and stay when others come and go', () => {
    fc.assert(
      fc.property(addresses, addresses, prefixes, (tools, others, prefix) => {
        const names = create(prefix);
        const first = names.assign(tools, ['x']);
        const again = create(prefix).assign(tools.toReversed(), ['x']);
        expect(again).toEqual(first);
        names.assign(others, ['x']);
        expect(names.assign(tools, ['x'])).toEqual(first);
      }),
    );
  });

  test('a Computer cannot fill the memory with new names', () => {
    const names = create();
    for (let round = 0; round < 60; round++) {
      named(names, of('desk', ...Array.from({ length: 1000 }, (_, index) => `tool-${round}-${index}`)));
    }
    expect(names.size).toBeLessThanOrEqual(20_000);
    expect(named(names, of('desk', 'tool-59-999'))).toEqual(['tool-59-999']);
  });
});
