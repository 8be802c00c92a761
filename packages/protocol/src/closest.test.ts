import { expect, test } from 'vitest';
import { closest } from './closest.ts';

test.each([
  ['prot', ['port', 'host'], 'port'],
  ['sever', ['server', 'doctor'], 'server'],
  ['xyz', ['server', 'doctor'], undefined],
  ['comand', ['args', 'command', 'commands'], 'command'],
])('closest takes %j among %j for %s', (word, candidates, expected) => {
  expect(closest(word, candidates)).toBe(expected);
});

test('closest skips candidates of another length without comparing them', () => {
  expect(closest('x'.repeat(1_000_000), ['y'.repeat(100_000), 'server'])).toBeUndefined();
});
