import { Vrl, VrlCompileError, VrlRuntimeError } from '@a2c-smcp/vrl';
import { describe, expect, test } from 'vitest';

describe('running a program', () => {
  test('a run returns the changed event and the value of the last expression', async () => {
    using program = await Vrl.compile('.total = to_int!(.a) + to_int!(.b)\n"done"');
    expect(program.run({ a: 1, b: 2 })).toEqual({ event: { a: 1, b: 2, total: 3 }, output: 'done' });
  });

  test('a run does not modify the given event', async () => {
    using program = await Vrl.compile('.list[0] = "changed"');
    const event = { list: ['first'] };
    program.run(event);
    expect(event).toEqual({ list: ['first'] });
  });

  test('runs of a program share no state', async () => {
    using program = await Vrl.compile('n = to_int(.n) ?? 0\nn = n + 1\n.n = n');
    expect(program.run({ n: 1 }).event).toEqual({ n: 2 });
    expect(program.run({}).event).toEqual({ n: 1 });
  });

  test('programs do not share their state', async () => {
    const programs = await Promise.all([1, 2, 3].map(n => Vrl.compile(`.n = ${n}`)));
    programs[1]?.dispose();
    expect(programs[0]?.run({}).output).toBe(1);
    expect(programs[2]?.run({}).output).toBe(3);
  });

  test('a blank source changes nothing', async () => {
    for (const source of ['', '  \n\t']) {
      using program = await Vrl.compile(source);
      expect(program.run({ a: 1 }).event).toEqual({ a: 1 });
    }
  });

  test('a program can read the clock and random numbers', async () => {
    using program = await Vrl.compile('[now(), uuid_v4(), random_int(0, 10), uuid_v7()]');
    const [now, uuid, chance] = program.run({}).output as [Date, string, number];
    expect(Math.abs(now.getTime() - Date.now())).toBeLessThan(5000);
    expect(uuid).toMatch(/^[0-9a-f-]{36}$/);
    expect(chance).toBeLessThan(10);
  });

  test('a disposed program refuses to run', async () => {
    const program = await Vrl.compile('.');
    program.dispose();
    program.dispose();
    expect(() => program.run({})).toThrow(new TypeError('The program was disposed'));
  });
});

describe('values', () => {
  test('integers beyond 2^53 are bigints', async () => {
    using program = await Vrl.compile('.next = to_int!(.n) + 1');
    expect(program.run({ n: 9007199254740993n }).event).toEqual({ n: 9007199254740993n, next: 9007199254740994n });
    expect(program.run({ n: -9223372036854775808n }).output).toBe(-9223372036854775807n);
    expect(program.run({ n: 41 }).output).toBe(42);
  });

  test('a bigint of more than 64 bits is refused', async () => {
    using program = await Vrl.compile('.');
    expect(() => program.run({ n: 2n ** 63n })).toThrow(new RangeError('9223372036854775808 does not fit in 64 bits'));
  });

  test('dates are timestamps', async () => {
    using program = await Vrl.compile(
      '.is = is_timestamp(.at)\n.next = from_unix_timestamp!(to_unix_timestamp!(.at) + 1)',
    );
    const event = program.run({ at: new Date('2024-02-29T12:00:00.250Z') }).event;
    expect(event).toEqual({
      at: new Date('2024-02-29T12:00:00.250Z'),
      is: true,
      next: new Date('2024-02-29T12:00:01Z'),
    });
  });

  test('strings that begin like a tag stay strings', async () => {
    using program = await Vrl.compile('.copy = .text');
    for (const text of ['\0i5', '\0', '\0\0t1', '2024-01-01T00:00:00Z', '\ud83d\ude00', 'a\0b']) {
      expect(program.run({ text }).event).toEqual({ text, copy: text });
    }
  });

  test('a lone surrogate is replaced, a pair and an escaped backslash stay', async () => {
    using program = await Vrl.compile('.');
    expect(program.run({ text: 'cut \ud83d' }).event).toEqual({ text: 'cut \ufffd' });
    expect(program.runJson(String.raw`["\ud83d\ude00","\\ud83d","\uDE00"]`).event).toBe(
      String.raw`["😀","\\ud83d","�"]`,
    );
  });

  test('runJson keeps floats without a fraction and nanoseconds', async () => {
    using program = await Vrl.compile(".t = t'2021-02-11T21:00:00.123456789Z'");
    expect(program.runJson('{"f":2.0,"n":9223372036854775807}').event).toBe(
      '{"f":2.0,"n":9223372036854775807,"t":"2021-02-11T21:00:00.123456789Z"}',
    );
  });

  test('an event that is not JSON is refused', async () => {
    using program = await Vrl.compile('.');
    expect(() => program.run(undefined)).toThrow(new TypeError('An event cannot be undefined'));
    expect(() => program.runJson('{')).toThrow(TypeError);
    expect(program.run({ gone: undefined, list: [undefined, Number.NaN] }).event).toEqual({ list: [null, null] });
  });
});

describe('the timezone', () => {
  const source = '.t = parse_timestamp!(.m, format: "%F %T")';
  const event = { m: '2024-05-01 08:00:00' };

  test('times without a zone are read as UTC by default', async () => {
    using program = await Vrl.compile(source);
    expect(program.run(event).output).toEqual(new Date('2024-05-01T08:00:00Z'));
    expect(program.run(event, { timezone: 'Asia/Shanghai' }).output).toEqual(new Date('2024-05-01T00:00:00Z'));
    expect(program.run(event, { timezone: 'local' }).output).toEqual(new Date(2024, 4, 1, 8));
  });

  test('an unknown timezone is refused, and the program can run again', async () => {
    using program = await Vrl.compile(source);
    expect(() => program.run(event, { timezone: 'Mars/Olympus' })).toThrow(new TypeError("No timezone 'Mars/Olympus'"));
    expect(program.run(event).output).toEqual(new Date('2024-05-01T08:00:00Z'));
  });

  test('a program can use the local timezone', async () => {
    using program = await Vrl.compile('parse_timestamp!(.m, format: "%F %T", timezone: "local")');
    expect(program.run(event).output).toEqual(new Date(2024, 4, 1, 8));
  });
});

describe('compile errors', () => {
  test('a compile error has the place, the message and the hint of the compiler', async () => {
    const error = await Vrl.compile('.a = 1\n  .b = parse_json(.c)').catch(thrown => thrown);
    expect(error).toBeInstanceOf(VrlCompileError);
    expect(error).toMatchObject({ line: 2, column: 8 });
    expect(error.message).toBe('unhandled fallible assignment (line 2, column 8)');
    expect(error.hint).toContain('parse_json!');
    expect(error.text).toContain('error[E103]');
    expect(error.diagnostics[0]).toMatchObject({ code: 103, message: 'unhandled fallible assignment' });
  });

  test('columns of a compile error are counted in characters', async () => {
    await expect(Vrl.compile('"größe😀" = = 1')).rejects.toMatchObject({ line: 1, column: 10 });
  });

  test.each([
    'dns_lookup("example.org")',
    'encode_proto({}, "a.desc", "b")',
    'get_env_var("HOME")',
    'get_hostname()',
    'http_request("http://example.org")',
    'log("hello")',
    'parse_grok("a", "%{WORD:w}")',
    'parse_groks("a", ["%{WORD:w}"])',
    'parse_proto("a", "a.desc", "b")',
    'reverse_dns("127.0.0.1")',
    'validate_json_schema("{}", "a.json", false)',
  ])('a program that calls %s does not compile, and the hint says what the sandbox lacks', async call => {
    const name = call.slice(0, call.indexOf('('));
    await expect(Vrl.compile(`.a, .err = ${call}`)).rejects.toMatchObject({
      name: 'VrlCompileError',
      message: expect.stringContaining(`function '${name}' is not available in WebAssembly`),
      hint: expect.stringMatching(/^the sandbox /),
    });
  });
});

describe('runtime errors', () => {
  test('a runtime error names the reason and the place', async () => {
    using program = await Vrl.compile('.n = to_int!(.n)');
    const error = attempt(() => program.run({ n: 'x' }));
    expect(error).toBeInstanceOf(VrlRuntimeError);
    expect(error).toMatchObject({
      reason: 'error',
      message: expect.stringContaining('function call error for "to_int"'),
    });
  });

  test('a runtime error distinguishes an abort from an error', async () => {
    using program = await Vrl.compile('abort "enough"');
    expect(attempt(() => program.run({}))).toMatchObject({ reason: 'abort', message: 'enough (line 1, column 1)' });
  });
});

function attempt(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}
