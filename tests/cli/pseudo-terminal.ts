import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { eventually } from '../computer/office.ts';
import { root } from '../packages.ts';

const binary = join(root, 'packages/cli/bin/a2c.js');

/** The `script` of util-linux gives a command a terminal; those of other systems take other options. */
export const hasPseudoTerminal = spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout?.includes(
  'util-linux',
);

export const Key = { enter: '\r', tab: '\t', ctrlC: '\u0003', ctrlD: '\u0004', up: '\u001b[A' } as const;

export interface PseudoTerminal extends AsyncDisposable {
  /** Everything that was shown, without marks and cursor movements. */
  readonly screen: string;
  type(text: string): void;
  /** Waits until the text is shown after what was shown when `from` was taken. */
  shows(text: string | RegExp, from?: number): Promise<void>;
  /** How much was shown up to now, for `shows`. */
  readonly length: number;
  /** The exit code, once the command has ended. */
  readonly ended: Promise<number | null>;
}

/** Runs the real `a2c` in a terminal of its own. */
export function openTerminal(words: readonly string[], env: Record<string, string> = {}): PseudoTerminal {
  const quoted = [process.execPath, binary, ...words].map(word => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');
  const { CI: _ci, ...inherited } = process.env;
  const child = spawn('script', ['-qfec', `stty cols 120 rows 40; exec ${quoted}`, '/dev/null'], {
    env: { ...inherited, TERM: 'xterm', NO_COLOR: '1', ...env },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  let shown = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    shown += text;
  });
  const ended = new Promise<number | null>(resolve => child.on('exit', resolve));
  const screen = () => stripVTControlCharacters(shown).replaceAll('\r', '');
  return {
    get screen() {
      return screen();
    },
    get length() {
      return screen().length;
    },
    ended,
    type: text => void child.stdin.write(text),
    shows: (text, from = 0) =>
      eventually(() => {
        const seen = screen().slice(from);
        const isThere = typeof text === 'string' ? seen.includes(text) : text.test(seen);
        if (!isThere) throw new Error(`${text} is not in:\n${seen}`);
      }),
    async [Symbol.asyncDispose]() {
      child.kill();
      await ended;
    },
  };
}
