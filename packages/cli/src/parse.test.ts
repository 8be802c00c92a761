import { describe, expect, test } from 'vitest';
import { defineCommand } from './command.ts';
import { parseLine } from './parse.ts';

const command = defineCommand({
  summary: 'A command.',
  args: 'WORD…',
  options: {
    port: { type: 'string', short: 'p', default: '7000', env: 'PORT', summary: '' },
    key: { type: 'string', multiple: true, env: 'KEYS', summary: '' },
    name: { type: 'string', summary: '' },
    quiet: { type: 'boolean', env: 'QUIET', summary: '' },
  },
  run: async () => undefined,
});

describe('parseLine', () => {
  test.each([
    ['their defaults', [], {}, { port: '7000', key: [], name: undefined, quiet: false }],
    [
      'taken from the environment before defaults',
      [],
      { PORT: '1', KEYS: 'a', QUIET: '1' },
      { port: '1', key: ['a'], quiet: true },
    ],
    [
      'taken from the line before the environment',
      ['-p', '2', '--key', 'b', '--key', 'c'],
      { PORT: '1', KEYS: 'a' },
      { port: '2', key: ['b', 'c'] },
    ],
    [
      'their defaults where variables are empty',
      [],
      { PORT: '', KEYS: '', QUIET: '' },
      { port: '7000', key: [], quiet: false },
    ],
    ['false for a variable that is false', [], { QUIET: 'false' }, { quiet: false }],
  ])('options are %s', (_what, words, env, expected) => {
    expect(parseLine(command, words, env).options).toMatchObject(expected);
  });

  test('parseLine keeps positional arguments in order', () => {
    expect(parseLine(command, ['a', '--quiet', 'b', '--', '--c'], {}).args).toEqual(['a', 'b', '--c']);
  });
});
