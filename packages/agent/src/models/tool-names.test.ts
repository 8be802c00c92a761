import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ToolNames } from './tool-names.ts';

describe('the names that a model sees', () => {
  test('a tool keeps its own name if providers accept it', () => {
    expect(new ToolNames().nameOf({ computer: 'desk', tool: 'read_file' })).toBe('read_file');
  });

  test('tools of one name on two Computers get different names, which stay', () => {
    const names = new ToolNames();
    expect(names.nameOf({ computer: 'desk', tool: 'echo' })).toBe('echo');
    expect(names.nameOf({ computer: 'my lab', tool: 'echo' })).toBe('my_lab__echo');
    expect(names.nameOf({ computer: 'desk', tool: 'echo' })).toBe('echo');
    expect(names.addressOf('my_lab__echo')).toEqual({ computer: 'my lab', tool: 'echo' });
  });

  test('characters that providers refuse are replaced in a name', () => {
    const names = new ToolNames();
    expect(names.nameOf({ computer: 'desk', tool: 'files.read' })).toBe('files_read');
    expect(names.nameOf({ computer: 'desk', tool: 'files/read' })).toBe('desk__files_read');
    expect(names.nameOf({ computer: 'desk', tool: 'x'.repeat(65) })).toMatch(/^desk__x+_[0-9a-f]{8}$/);
  });

  test('a name that was never given has no tool', () => {
    expect(new ToolNames().addressOf('echo')).toBeUndefined();
  });

  test('every name leads back to its tool', () => {
    const awkward = fc.string({ unit: fc.constantFrom('a', 'b', '_', '.', 'é', ' '), maxLength: 70 });
    fc.assert(
      fc.property(fc.array(fc.record({ computer: awkward, tool: awkward })), addresses => {
        const names = new ToolNames();
        const given = addresses.map(address => names.nameOf(address));
        for (const [index, name] of given.entries()) {
          expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
          expect(names.addressOf(name)).toEqual(addresses[index]);
        }
      }),
    );
  });
});
