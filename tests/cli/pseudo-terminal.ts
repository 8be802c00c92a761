import { spawn, spawnSync } from 'node:child_process';
import { stripVTControlCharacters } from 'node:util';
import { eventually } from '../computer/office.ts';
import { bundled } from '../programs.ts';

const binary = bundled('a2c');

/** The `script` of util-linux gives a command a terminal; those of other systems take other options. */
export const hasPseudoTerminal = spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout?.includes(
  'util-linux',
);

export const Key = { enter: '\r', tab: '\t', ctrlC: '\u0003', ctrlD: '\u0004', up: '\u001b[A' } as const;

export interface TerminalOptions {
  rows?: number;
  columns?: number;
  /** Gets the exit code of the command, also when the terminal is closed before it ends. */
  exitCodeFile?: string;
  env?: Record<string, string>;
}

export interface PseudoTerminal extends AsyncDisposable {
  /** The whole output, without marks and cursor movements. */
  readonly screen: string;
  type(text: string): void;
  /** Waits until the output contains the text, from the position `from`. */
  shows(text: string | RegExp, from?: number): Promise<void>;
  /** Closes the terminal, as closing its window does. */
  hangUp(): void;
  /** Calls the listener once, as soon as the output contains the text. */
  onceShown(text: string, listener: () => void): void;
  /** The length of the output so far, for `shows`. */
  readonly length: number;
  /** The exit code, once the command has ended. */
  readonly ended: Promise<number | null>;
}

/** Runs the real `a2c` in a terminal of its own. */
export function openTerminal(
  words: readonly string[],
  { rows = 40, columns = 120, exitCodeFile, env }: TerminalOptions = {},
): PseudoTerminal {
  const quoted = [process.execPath, binary, ...words].map(word => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');
  // A shell that outlives the terminal writes the exit code.
  const command = exitCodeFile === undefined ? `exec ${quoted}` : `trap '' HUP; ${quoted}; echo $? > '${exitCodeFile}'`;
  const { CI: _ci, ...inherited } = process.env;
  const child = spawn('script', ['-qfec', `stty cols ${columns} rows ${rows}; ${command}`, '/dev/null'], {
    env: { ...inherited, TERM: 'xterm', NO_COLOR: '1', A2C_PINS: 'off', A2C_AUDIT: 'off', A2C_HISTORY: 'off', ...env },
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
    hangUp: () => void child.kill('SIGKILL'),
    onceShown(text, listener) {
      const look = () => {
        if (!screen().includes(text)) return;
        child.stdout.off('data', look);
        listener();
      };
      child.stdout.on('data', look);
    },
    async [Symbol.asyncDispose]() {
      child.kill();
      await ended;
    },
  };
}
