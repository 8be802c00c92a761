import { Vrl, VrlCompileError, VrlRuntimeError } from '@a2c-smcp/vrl';
import fc from 'fast-check';
import { expect, test } from 'vitest';

/** Programs that are mostly valid, built from the language's own parts. */
const { expression } = fc.letrec<{ expression: string }>(tie => {
  const inner = tie('expression');
  return {
    expression: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom(
        '.',
        '.a',
        '.b[0]',
        '.a.b',
        '."c d"',
        '.list[-1]',
        '%m',
        'null',
        'true',
        '1',
        '-7',
        '2.5',
        '[]',
        '{}',
      ),
      fc.constantFrom('"text"', "s'raw'", "r'\\d+'", "t'2024-01-01T00:00:00Z'", '9223372036854775807', 'now()', 'v'),
      fc
        .tuple(fc.constantFrom('.a', '.b[2]', '.', 'v', '%m', '.x.y'), inner)
        .map(([to, value]) => `(${to} = ${value})`),
      fc
        .tuple(inner, fc.constantFrom('+', '-', '*', '/', '??', '||', '&&', '==', '<', '|'), inner)
        .map(parts => `(${parts.join(' ')})`),
      fc.tuple(inner, inner, inner).map(([a, b, c]) => `if ${a} == null { ${b} } else { ${c} }`),
      fc.array(inner, { maxLength: 3 }).map(items => `[${items.join(', ')}]`),
      inner.map(value => `{"k": ${value}}`),
      fc.tuple(functions(), inner).map(([name, value]) => `${name}(${value})`),
      fc.tuple(functions(), inner, inner).map(([name, a, b]) => `${name}!(${a}, ${b})`),
      fc.tuple(inner, inner).map(([list, body]) => `for_each(array(${list}) ?? []) -> |_i, v| { ${body} }`),
      fc.tuple(inner, inner).map(([object, body]) => `map_values(object(${object}) ?? {}) -> |v| { ${body} }`),
    ),
  };
});

function functions(): fc.Arbitrary<string> {
  return fc.constantFrom(
    ...['parse_json', 'encode_json', 'to_int', 'to_string', 'string', 'array', 'object', 'upcase', 'split', 'replace'],
    ...['parse_regex', 'slice', 'push', 'merge', 'get', 'parse_timestamp', 'format_timestamp', 'decode_base64', 'sha2'],
    ...['flatten', 'unflatten', 'parse_url', 'parse_key_value', 'truncate', 'round', 'mod', 'length', 'del', 'exists'],
    ...[
      'chunks',
      'parse_xml',
      'parse_csv',
      'decode_gzip',
      'decode_zstd',
      'join',
      'is_null',
      'compact',
      'assert',
      'log',
    ],
  );
}

const statements = fc.array(expression, { minLength: 1, maxLength: 4 }).map(list => `v = 1\n${list.join('\n')}`);
const tokens = fc
  .array(
    fc.constantFrom(
      '.',
      'a',
      '=',
      '(',
      ')',
      '{',
      '}',
      '[',
      ']',
      '"',
      '!',
      '??',
      '->',
      '|',
      'if',
      'abort',
      '1',
      '\n',
      '#',
    ),
    {
      maxLength: 20,
    },
  )
  .map(list => list.join(' '));
const anyText = fc.string({ unit: fc.nat(0xffff).map(code => String.fromCharCode(code)), maxLength: 40 });
const script = fc.oneof(
  { arbitrary: statements, weight: 6 },
  { arbitrary: tokens, weight: 2 },
  { arbitrary: anyText, weight: 1 },
);

test('random scripts and events harm neither the process nor other programs', { timeout: 60_000 }, async () => {
  using control = await Vrl.compile('.sum = to_int!(.n) + 1\n.text = upcase(string!(.text))');
  let ran = 0;
  await fc.assert(
    fc.asyncProperty(script, fc.jsonValue({ maxDepth: 3 }), fc.nat(), async (source, event, n) => {
      try {
        using program = await Vrl.compile(source);
        program.run(event);
        ran++;
      } catch (error) {
        if (!(error instanceof VrlCompileError || error instanceof VrlRuntimeError)) throw error;
      }
      expect(control.run({ n, text: 'ok' }).event).toEqual({ n, text: 'OK', sum: n + 1 });
    }),
    { numRuns: 2500 },
  );
  expect(ran).toBeGreaterThan(250);
});
