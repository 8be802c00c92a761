import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../computer/temporary.ts';
import { a2c } from './a2c.ts';

function script(source: string): string {
  const file = join(temporaryFolder(), 'script.vrl');
  writeFileSync(file, source);
  return file;
}

describe('a2c vrl', () => {
  test('a2c vrl shows the changes of a script', async () => {
    const { code, out } = await a2c(['vrl', script('.b = 2\ndel(.c)'), '--input', '{"a": 1, "c": 3}']);
    expect(code).toBe(0);
    expect(out.split('\n')).toEqual(['  {', '    "a": 1,', '-   "c": 3', '+   "b": 2', '  }']);
  });

  test('a2c vrl does not take the order of keys for a change', async () => {
    const { out } = await a2c(['vrl', script('.c = 3'), '--input', '{"b": {"z": 1, "y": 2}, "a": 1}']);
    expect(out.split('\n').filter(line => /^[-+]/.test(line))).toEqual(['-   }', '+   },', '+   "c": 3']);
  });

  test('a2c vrl runs on a sample tool result by default', async () => {
    const ran = await a2c(['vrl', script('.greeting = .content[0].text'), '--json']);
    expect(ran.json()).toMatchObject({ tool_name: 'echo', greeting: 'hi' });
  });

  test('a2c vrl reads the event from a file', async () => {
    const event = join(temporaryFolder(), 'event.json');
    writeFileSync(event, '{"n": 20}');
    const ran = await a2c(['vrl', script('.n = to_int!(.n) + 1'), '--input', `@${event}`, '--json']);
    expect(ran.json()).toEqual({ n: 21 });
  });

  test('a2c vrl shows the place of an error in the script', async () => {
    const { code, err } = await a2c(['vrl', script('.a = upcase(')]);
    expect(code).toBe(1);
    expect(err).toMatch(/error\[E\d+\]/);
    expect(err).toContain('.a = upcase(');
  });

  test.each([
    ['a failing script', () => [script('.n = to_int!("x")')], 1, 'The script failed'],
    ['no script', () => [], 2, 'Name one script'],
    ['a missing file', () => ['nowhere.vrl'], 1, "There is no file 'nowhere.vrl'"],
    ['input that is not JSON', () => [script('.'), '--input', '{'], 2, '--input is not JSON'],
  ])('a2c vrl reports %s in one line', async (_, words, code, message) => {
    const ran = await a2c(['vrl', ...words()]);
    expect(ran.code).toBe(code);
    expect(ran.err.split('\n')).toHaveLength(1);
    expect(ran.err).toContain(message);
  });
});
