import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { getDefaultEnvironment } from '@modelcontextprotocol/client/stdio';

/** Plain JavaScript outside `src` and `dist`, so that both find it at the same place. */
const SCRIPT = fileURLToPath(new URL('../../../guardian/guardian.js', import.meta.url));

/** How long the guardian outlives the last group: the next one often comes soon. */
const LINGER_MS = 10_000;

/**
 * A process that ends our process groups when this process dies without doing so, even by SIGKILL. One serves all
 * Computers of this process. It does not keep the event loop alive, and is started with the first group.
 */
class Guardian {
  #process: ChildProcess | undefined;
  readonly #groups = new Set<number>();
  #leaving: NodeJS.Timeout | undefined;

  /** Must be called right after spawning: until then the group would outlive a killed Computer. */
  entrust(group: number): void {
    this.#groups.add(group);
    clearTimeout(this.#leaving);
    if (this.#process) this.#say(`+${group}`);
    else this.#start();
  }

  release(group: number): void {
    if (this.#groups.delete(group)) this.#say(`-${group}`);
    if (this.#groups.size > 0) return;
    clearTimeout(this.#leaving);
    this.#leaving = setTimeout(() => this.#dismiss(), LINGER_MS).unref();
  }

  #start(): void {
    // Its own session: what ends this process's group (Ctrl-C) must not end the guardian first.
    const guardian = spawn(process.execPath, [SCRIPT], {
      detached: true,
      windowsHide: true,
      stdio: ['pipe', 'ignore', 'ignore'],
      env: getDefaultEnvironment(),
    });
    this.#process = guardian;
    guardian.unref();
    if (guardian.stdin && 'unref' in guardian.stdin && typeof guardian.stdin.unref === 'function') {
      guardian.stdin.unref();
    }
    guardian.stdin?.on('error', () => this.#lost(guardian));
    guardian.on('error', () => this.#lost(guardian));
    guardian.on('exit', () => this.#lost(guardian));
    for (const group of this.#groups) this.#say(`+${group}`);
  }

  #lost(guardian: ChildProcess): void {
    if (this.#process !== guardian) return;
    this.#process = undefined;
    if (this.#groups.size > 0) setImmediate(() => this.#groups.size > 0 && !this.#process && this.#start());
  }

  #dismiss(): void {
    const guardian = this.#process;
    this.#process = undefined;
    guardian?.stdin?.end();
  }

  #say(line: string): void {
    this.#process?.stdin?.write(`${line}\n`);
  }
}

/** The guardian of this process. */
export const guardian = new Guardian();
