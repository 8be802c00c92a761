import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { root } from '../packages.ts';
import { notRun } from './not-run.ts';
import { outputs } from './outputs.ts';
import { played, stories } from './played.ts';

test.each(outputs)('$page shows what $command prints', ({ page, command, shows }) => {
  expect(readFileSync(join(root, page), 'utf8')).toContain(shows);
  expect(played.find(story => story.page === page)?.commands.map(({ text }) => text)).toContain(command);
});

describe('commands that no story runs', () => {
  const all = stories.flatMap(({ commands }) => commands.map(({ text }) => text));

  test.each(notRun)('are still in the documents: $command', ({ command }) => {
    expect(all.filter(text => command.test(text))).not.toEqual([]);
  });

  test('are tried by what their entry names', () => {
    expect(notRun.filter(({ elsewhere }) => elsewhere && !existsSync(join(root, elsewhere)))).toEqual([]);
  });

  test('that .ci/run has are steps of it', () => {
    // A step may run beside others, with its output in a file.
    const script = readFileSync(join(root, '.ci/run'), 'utf8').replaceAll('--silent ', '');
    const steps = script.split('\n').map(line => line.replace(/ >.*$/, ''));
    const named = notRun.filter(({ elsewhere }) => elsewhere === '.ci/run');
    const commands = [...new Set(all)].filter(text => named.some(({ command }) => command.test(text)));
    expect(commands.length).toBeGreaterThan(1);
    expect(commands.filter(command => !steps.includes(command))).toEqual([]);
  });
});
