import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/** Lines of its output that are shown when a command ends unexpectedly. */
const SHOWN_LINES = 20;
/** Milliseconds for the command to end by itself. */
const END_MS = 5000;
const isGroup = process.platform !== 'win32';
const running = new Set<ChildProcess>();

/** Ends the commands that still run, for a process that ends itself. */
export function endCommands(): void {
  for (const child of running) signal(child, 'SIGKILL');
}

/** A command that the user gave, with everything that it starts. */
export class Command implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #log: string[] = [];
  /** Resolves when it has ended, with what a user must know. */
  readonly ended: Promise<Error>;

  /**
   * @param words the command and its arguments; `{name}` in an argument is replaced by the value of that name
   * @param values also environment variables: `url` is `A2C_URL`
   */
  constructor(
    [command = '', ...args]: readonly string[],
    values: Record<string, string>,
    onLine?: (line: string) => void,
  ) {
    const fill = (word: string) => word.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
    const env = Object.entries(values).map(([name, value]) => [`A2C_${name.toUpperCase()}`, value]);
    this.#child = spawn(command, args.map(fill), {
      env: { ...process.env, ...Object.fromEntries(env) },
      stdio: [onLine ? 'pipe' : 'ignore', 'pipe', 'pipe'],
      // A group of its own, so that what `npx` and the like start ends too.
      detached: isGroup,
    });
    running.add(this.#child);
    this.ended = new Promise(resolve => {
      this.#child.once('error', error => resolve(new Error(`'${command}' cannot be started: ${error.message}`)));
      this.#child.once('close', code => {
        running.delete(this.#child);
        resolve(new Error([`'${command}' ended with ${code ?? 'a signal'}`, ...this.#log].join('\n')));
      });
    });
    const { stdout, stderr } = this.#child;
    const record = (line: string) => this.#log.splice(0, this.#log.push(line) - SHOWN_LINES);
    if (stdout) createInterface({ input: stdout }).on('line', onLine ?? record);
    if (stderr) createInterface({ input: stderr }).on('line', record);
    // It may end before it has read everything.
    this.#child.stdin?.on('error', () => {});
  }

  write(line: string): void {
    this.#child.stdin?.write(`${line}\n`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    signal(this.#child, 'SIGTERM');
    const timer = setTimeout(() => signal(this.#child, 'SIGKILL'), END_MS);
    await this.ended;
    clearTimeout(timer);
    // The command has ended, and what it started may have not.
    signal(this.#child, 'SIGKILL');
  }
}

function signal(child: ChildProcess, name: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    process.kill(isGroup ? -child.pid : child.pid, name);
  } catch {
    // It has ended.
  }
}
