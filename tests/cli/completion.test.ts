import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { eventually } from '../computer/office.ts';
import { temporaryFolder } from '../computer/temporary.ts';
import { root } from '../packages.ts';
import { bundled } from '../programs.ts';
import { a2c } from './a2c.ts';
import { hasPseudoTerminal } from './pseudo-terminal.ts';

const candidates = async (...words: string[]) => {
  const { code, out } = await a2c(['completion', 'words', '--', ...words]);
  expect(code).toBe(0);
  return out.split('\n').map(line => line.split('\t')[0]);
};

describe('candidates', () => {
  test.each([
    [['ser'], ['server']],
    [
      ['agent', 'to'],
      ['tools', 'tool'],
    ],
    [['help', 'agent', 'wat'], ['watch']],
    [['agent', 'call', '--wai'], ['--wait']],
    [['agent', 'call', '--wait', '3', '--wai'], ['']],
    [
      ['agent', 'read', '--format', ''],
      ['markdown', 'text', 'json'],
    ],
    [['agent', 'read', '-f', 'm'], ['markdown']],
    [['agent', 'read', '--format=t'], ['--format=text']],
    [
      ['agent', 'read', '--format', '='],
      ['markdown', 'text', 'json'],
    ],
    [['agent', 'read', '--format', '=', 'j'], ['json']],
    [
      ['completion', ''],
      ['bash', 'zsh', 'fish'],
    ],
    [['server', '--settings', ''], [':files']],
    [['agent', 'put', 'desk', ''], [':files']],
    [['agent', 'call', '--', '--wai'], ['']],
    [['nonsense', 'x'], ['']],
    [['__proto__', 'x'], ['']],
  ])('the candidates after %j are %j', async (words, expected) => {
    expect(await candidates(...words)).toEqual(expected);
  });

  test('every command of --help and every option of it is a candidate', async () => {
    const { out } = await a2c(['--help']);
    const [, list = ''] = out.split('Commands\n');
    const names = [...list.matchAll(/^ {2}(\w+) {2}/gm)].map(([, name = '']) => name);
    expect(names.length).toBeGreaterThan(5);
    expect(await candidates('')).toEqual(names);
    const help = (await a2c(['server', '--help'])).out;
    const options = [...help.matchAll(/^ {2}(?:-\w, | {4})--([\w-]+)/gm)].map(([, name]) => `--${name}`);
    expect(await candidates('server', '--')).toEqual(options);
  });

  test('a2c completion names the shells that it knows', async () => {
    expect((await a2c(['completion'])).err).toContain('Which shell? There are bash, zsh, fish');
    expect((await a2c(['completion', 'tcsh'])).err).toContain("'tcsh' is none of bash, zsh, fish");
  });
});

const has = (shell: string) => spawnSync(shell, ['--version']).status === 0;

/** The environment of a shell in which `a2c` is the command of this checkout. */
function environment(): NodeJS.ProcessEnv {
  const folder = temporaryFolder();
  const command = join(folder, 'a2c');
  writeFileSync(command, `#!/bin/sh\nexec '${process.execPath}' '${bundled('a2c')}' "$@"\n`);
  chmodSync(command, 0o755);
  return { ...process.env, PATH: `${folder}:${process.env.PATH}`, HOME: folder, TERM: 'xterm' };
}

describe('completion in a shell', () => {
  test.runIf(has('bash'))('bash completes subcommands, and values after a space or an equals sign', () => {
    const script = `eval "$(a2c completion bash)"
      complete -p a2c
      COMP_WORDS=(a2c agent to); COMP_CWORD=2; _a2c; echo "\${COMPREPLY[@]}"
      COMP_WORDS=(a2c server --log-level = w); COMP_CWORD=4; _a2c; echo "\${COMPREPLY[@]}"
      COMP_WORDS=(a2c agent read --format ''); COMP_CWORD=4; _a2c; echo "\${COMPREPLY[@]}"`;
    const shown = execFileSync('bash', ['--norc', '-c', script], { env: environment(), encoding: 'utf8' });
    expect(shown.split('\n')).toEqual(['complete -F _a2c a2c', 'tools tool', 'warn', 'markdown text json', '']);
  });

  test.runIf(has('fish'))('fish completes subcommands with their descriptions, values and files', () => {
    const script = `a2c completion fish | source
      complete -C 'a2c agent wat'
      complete -C 'a2c agent read --format '
      complete -C 'a2c server --settings ${join(root, 'packag')}'`;
    const shown = execFileSync('fish', ['--no-config', '-c', script], { env: environment(), encoding: 'utf8' });
    expect(shown).toMatch(/^watch\tShow what comes/);
    expect(shown).toContain('json\nmarkdown\ntext\n');
    expect(shown).toContain(join(root, 'package.json'));
  });

  test.runIf(has('zsh') && hasPseudoTerminal)('zsh completes subcommands and values', async () => {
    const shell = spawn('script', ['-qfec', 'zsh -f -i', '/dev/null'], { env: environment(), cwd: root });
    onTestFinished(() => void shell.kill());
    let shown = '';
    shell.stdout.on('data', text => {
      shown += text;
    });
    const printed = () => stripVTControlCharacters(shown).replace(/(?!\n)\p{Cc}/gu, '');
    const shows = (text: string) => eventually(() => expect(printed()).toContain(text));
    shell.stdin.write('autoload -U compinit; compinit -u; eval "$(a2c completion zsh)"; echo re""ady\n');
    await shows('ready');
    shell.stdin.write('a2c agent wat\t');
    await shows('a2c agent watch');
    shell.stdin.write('\u0015a2c agent read --format ma\t');
    await shows('--format markdown');
  });
});
