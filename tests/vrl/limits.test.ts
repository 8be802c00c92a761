import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Vrl, VrlCompileError, VrlEngine } from '@a2c-smcp/vrl';
import { describe, expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { worked } from '../worked.ts';

/** Ten elements, and a loop over them in a loop over them, and so on: 10 to the power of `depth` turns. */
function nestedLoops(depth: number): string {
  const open = Array.from({ length: depth }, (_, level) => `for_each(l) -> |_i${level}, _v${level}| {`);
  return `l = array!(.list)\nn = 0\n${open.join(' ')} n = n + 1 ${'}'.repeat(depth)}\n.n = n`;
}

/** For tests of other limits: on a busy machine the default timeout of one second may be too short. */
const patient = { timeout: 30_000 };

const ten = { list: Array.from({ length: 10 }, (_, index) => index) };

/** Programs that would take minutes or years. */
const endless: [name: string, source: string, event: unknown][] = [
  ['loops in loops', nestedLoops(12), ten],
  [
    'a regular expression that looks at the whole rest of a text for each of its letters',
    ".n = length(parse_regex_all!(.text, r'(?P<x>a[a-y]*z|a)'))",
    { text: 'a'.repeat(300_000) },
  ],
  [
    'copies of long strings',
    't = string!(.text)\nfor_each(array!(.list)) -> |_i, _v| { c = t + "x"\nd = c + "y" }',
    { text: 'x'.repeat(4_000_000), list: Array(100_000).fill(0) },
  ],
];

describe('the timeout of a program', () => {
  test.each(endless)('an endless program stops at its deadline: %s', async (_name, source, event) => {
    using program = await Vrl.compile(source);
    const before = worked();
    expect(() => program.run(event, { timeout: 200 })).toThrow(
      expect.objectContaining({ name: 'VrlRuntimeError', reason: 'timeout', message: 'It took longer than 200 ms' }),
    );
    expect(worked() - before).toBeLessThan(2000);
  });

  test('a program stops after one second by default', async () => {
    using program = await Vrl.compile(nestedLoops(12), patient);
    const started = performance.now();
    const before = worked();
    expect(() => program.run(ten)).toThrow(expect.objectContaining({ reason: 'timeout' }));
    expect(performance.now() - started).toBeGreaterThan(990);
    expect(worked() - before).toBeLessThan(4000);
  });

  test('a program that timed out can run again, and other programs are not affected', async () => {
    using victim = await Vrl.compile('.n = to_int!(.n) + 1');
    using program = await Vrl.compile(
      'l = array!(.list)\nfor_each(l) -> |_i, _v| { for_each(l) -> |_j, _w| { for_each(l) -> |_k, _x| { 1 } } }',
    );
    expect(() => program.run({ list: Array(5000).fill(0) }, { timeout: 50 })).toThrow();
    expect(victim.run({ n: 1 }).event).toEqual({ n: 2 });
    expect(program.run({ list: [1] }).event).toEqual({ list: [1] });
  });

  test('compiling a program has a timeout', async () => {
    const engine = await VrlEngine.load();
    const source = String.raw`match("a", r'(\p{L}{0,40}){0,40}')`;
    expect(() => engine.compile(source, { timeout: 10 })).toThrow(
      expect.objectContaining({ name: 'VrlCompileError', message: 'It took longer than 10 ms' }),
    );
    expect(engine.compile('.a = 1').run({}).event).toEqual({ a: 1 });
  });
});

describe('the memory limit of a program', () => {
  test('a program that needs more than 64 MiB of memory fails', async () => {
    using program = await Vrl.compile('t = "x"\nfor_each(array!(.list)) -> |_i, _v| { t = t + t }\n.t = t');
    const event = { list: Array(40).fill(0) };
    expect(() => program.run(event, patient)).toThrow(
      expect.objectContaining({ reason: 'memory', message: 'The program needs more memory than 64 MiB' }),
    );
    expect(program.run({ list: [0, 0] }).event).toMatchObject({ t: 'xxxx' });
  });

  test('an event larger than the memory is refused', async () => {
    using program = await Vrl.compile('.');
    expect(() => program.run({ text: 'x'.repeat(70_000_000) }, patient)).toThrow(
      expect.objectContaining({ reason: 'memory' }),
    );
    expect(program.run({ a: 1 }).event).toEqual({ a: 1 });
  });

  test('a source that is nested too deeply is refused', async () => {
    using program = await Vrl.compile('.a = 1');
    await expect(Vrl.compile(`${'('.repeat(50_000)}1${')'.repeat(50_000)}`)).rejects.toThrow(VrlCompileError);
    expect(program.run({}).event).toEqual({ a: 1 });
  });

  test('an event that is nested too deeply is refused', async () => {
    using program = await Vrl.compile('.');
    expect(() => program.runJson('['.repeat(200) + ']'.repeat(200))).toThrow(/recursion limit/);
  });
});

test('a program that was not disposed is garbage collected with its memory', async () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage: () => void = runInNewContext('gc');
  const engine = await VrlEngine.load();
  const forgotten = new WeakRef(engine.compile('.a = 1'));
  await eventually(() => {
    collectGarbage();
    expect(forgotten.deref() === undefined).toBe(true); // an assertion about the object itself would keep it
  });
  expect(engine.compile('.a = 2').run({}).output).toBe(2);
});
