import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { shipped } from '../installed.ts';
import { packages, root } from '../packages.ts';
import { notRun } from './not-run.ts';
import { outputs } from './outputs.ts';
import { played, stories } from './played.ts';

const read = (path: string) => readFileSync(join(root, path), 'utf8');

test.each(outputs)('$page shows what $command prints', ({ page, command, shows }) => {
  expect(read(page)).toContain(shows);
  expect(played.find(story => story.page === page)?.commands.map(({ text }) => text)).toContain(command);
});

describe('commands that no story runs', () => {
  const all = stories.flatMap(({ commands }) => commands.map(({ text }) => text));

  /** Those that a file is named for. */
  const commandsOf = (file: string) => {
    const named = notRun.filter(({ elsewhere }) => elsewhere === file);
    return [...new Set(all)].filter(text => named.some(({ command }) => command.test(text)));
  };

  test.each(notRun)('are still in the documents: $command', ({ command }) => {
    expect(all.filter(text => command.test(text))).not.toEqual([]);
  });

  test('that .ci/run has are steps of it', () => {
    // A step may run beside others, with its output in a file.
    const script = read('.ci/run').replaceAll('--silent ', '');
    const steps = script.split('\n').map(line => line.replace(/ >.*$/, ''));
    const commands = commandsOf('.ci/run');
    expect(commands.length).toBeGreaterThan(1);
    expect(commands.filter(command => !steps.includes(command))).toEqual([]);
  });

  test('are scripts of a manifest if npm runs them', () => {
    const manifests = [JSON.parse(read('package.json')), ...packages().map(({ manifest }) => manifest)];
    const missing = all.filter(text => {
      const [, script, workspace = 'a2c-smcp-workspace'] = /^npm run (\S+)(?: -w (\S+))?/.exec(text) ?? [];
      return script && !manifests.find(({ name }) => name === workspace)?.scripts?.[script];
    });
    expect(missing).toEqual([]);
  });

  test('that tests/load/documented-scripts.test.ts runs are named there', () => {
    const script = read('tests/load/documented-scripts.test.ts');
    const commands = commandsOf('tests/load/documented-scripts.test.ts');
    expect(commands.filter(text => !script.includes(`'${text.replace('npm install && ', '')}'`))).toEqual([]);
  });

  test('that install a release name packages that are published', () => {
    const words = commandsOf('tests/load/documented-installs.test.ts').flatMap(text => text.split(' ').slice(2));
    const names = new Set(shipped.map(({ manifest }) => manifest.name));
    const known = /^(--global|--save-dev|@modelcontextprotocol\/server)$/;
    expect(words.filter(word => !known.test(word) && !names.has(word))).toEqual([]);
  });

  test('that start containers name files and stages that exist', () => {
    const stages = [...read('deploy/Dockerfile').matchAll(/^FROM .* AS (\S+)$/gm)].map(([, stage]) => stage);
    const commands = commandsOf('tests/load/containers.test.ts');
    const named = (option: string) => commands.flatMap(text => new RegExp(` --${option} (\\S+)`).exec(text)?.[1] ?? []);
    expect(named('file').filter(file => !existsSync(join(root, file)))).toEqual([]);
    expect(named('file')).toHaveLength(commands.length);
    const targets = [...read('deploy/compose.yaml').matchAll(/^ +target: (\S+)$/gm)].map(([, stage = '']) => stage);
    expect([...named('target'), ...targets].filter(stage => !stages.includes(stage))).toEqual([]);
    // Without the variable before it, the command fails at once.
    expect(read('deploy/compose.yaml')).toContain('${A2C_KEY:?');
  });
});
