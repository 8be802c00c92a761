import type { Random } from './random.ts';

const NUMBERS = [
  '0',
  '-0',
  '1',
  '-1',
  '1e999',
  '1e20',
  '0.1',
  '9007199254740993',
  '2147483648',
  '1073741830',
  '1E-400',
];
const TEXTS = [
  '',
  ' ',
  'x',
  '__proto__',
  'constructor',
  'toJSON',
  'a\\u0000b',
  '\\ud800',
  '\\u2028',
  '😀',
  '世界',
  '\\n',
  '"]}',
];
/** `String`, `Number` and templates throw for it. */
const UNPRINTABLE = '{"toString":0}';
const DEEP = [100, 511, 512, 513, 2000, 50_000];
const WIDE = [101, 5000, 150_000, 400_000];
const LONG = [100, 1023, 1025, 5000, 20_000, 300_000];

/** A JSON text of any shape, now and then very deep, very long, without a text of its own, or with keys that objects have already. */
export function randomJson(random: Random, depth = 4): string {
  const kind = random.below(20);
  if (kind === 0) return random.chance(0.9) ? nested(random) : wide(random);
  if (kind === 1) return UNPRINTABLE;
  if (kind < 7 || depth === 0) return randomText(random);
  if (kind < 10) return random.pick(NUMBERS);
  if (kind < 12) return random.pick(['true', 'false', 'null']);
  if (kind < 15) return `[${random.list(4, () => randomJson(random, depth - 1)).join()}]`;
  return randomObject(random, [], depth);
}

/** An object with some of these keys, some of them twice, and others. */
export function randomObject(random: Random, keys: readonly string[], depth = 3): string {
  const names = random.list(8, () => (keys.length > 0 && random.chance(0.8) ? random.pick(keys) : anyKey(random)));
  return `{${names.map(name => `${JSON.stringify(name)}:${randomJson(random, depth - 1)}`).join()}}`;
}

export function randomText(random: Random): string {
  if (random.chance(0.05)) return `"${'x'.repeat(random.pick(LONG))}"`;
  return `"${random.pick(TEXTS).replaceAll('"', '\\"')}"`;
}

/** The text with a few places cut, repeated, swapped or replaced. */
export function mutate(text: string, random: Random): string {
  let mutated = text;
  for (let count = 1 + random.below(3); count > 0; count--) {
    const at = random.below(mutated.length + 1);
    const end = Math.min(mutated.length, at + 1 + random.below(20));
    const [before, part, after] = [mutated.slice(0, at), mutated.slice(at, end), mutated.slice(end)];
    const repeated = part.repeat(1 + random.below(50));
    const odd = String.fromCharCode(random.pick([0, 0x1e, 0x22, 0x2c, 0x5b, 0x5d, 0x7b, 0x7f, 0xd800, 0xfeff]));
    mutated = random.pick([before + after, before + repeated + after, after + part + before, before + odd + after]);
  }
  return mutated;
}

function nested(random: Random): string {
  const levels = random.pick(DEEP);
  return random.chance(0.5)
    ? '['.repeat(levels) + ']'.repeat(levels)
    : `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
}

/** So many values that passing them as arguments overflows the stack. */
function wide(random: Random): string {
  return `[${Array(random.pick(WIDE)).fill('1').join()}]`;
}

function anyKey(random: Random): string {
  return random.pick([
    '__proto__',
    'constructor',
    'hasOwnProperty',
    'length',
    'then',
    'toJSON',
    '',
    'x',
    '_meta',
    'meta',
  ]);
}
