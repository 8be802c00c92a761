import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { getDefaultEnvironment } from '@modelcontextprotocol/client/stdio';

/** A script, and the program that runs it. Scripts are outside `src` and `dist`, so that both find them at the same place. */
interface Launch {
  program: string;
  script: string;
}

const SHELL: Launch = { program: '/bin/sh', script: '../../../guardian/guardian.sh' };
const NODE: Launch = { program: process.execPath, script: '../../../guardian/guardian.js' };

/** A guardian that ends sooner than this could not do its work. */
const MIN_LIFE_MS = 1000;
/** Guardians in a row that end so soon; then there is no further one. */
const MAX_FAILURES = 3;

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
  #failures = 0;

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
    if (this.#failures >= MAX_FAILURES) return;
    // A shell takes 2 MB, Node 43. Windows has no shell, and no process groups to signal.
    const launch = process.platform !== 'win32' && existsSync(SHELL.program) ? SHELL : NODE;
    const script = findScript(launch);
    if (script === undefined) {
      const file = basename(launch.script);
      this.#giveUp(`its file 'guardian/${file}' is missing; leave the package external when you bundle`);
      return;
    }
    const begun = performance.now();
    // Its own session: what ends this process's group (Ctrl-C) must not end the guardian first.
    const guardian = spawn(launch.program, [script], {
      detached: true,
      windowsHide: true,
      stdio: ['pipe', 'ignore', 'ignore'],
      // The executable of an Electron application is the application.
      env: { ...getDefaultEnvironment(), ...(process.versions.electron ? { ELECTRON_RUN_AS_NODE: '1' } : {}) },
    });
    this.#process = guardian;
    guardian.unref();
    if (guardian.stdin && 'unref' in guardian.stdin && typeof guardian.stdin.unref === 'function') {
      guardian.stdin.unref();
    }
    const onLost = () => this.#lost(guardian, launch, performance.now() - begun);
    guardian.stdin?.on('error', onLost);
    guardian.on('error', onLost);
    guardian.on('exit', onLost);
    for (const group of this.#groups) this.#say(`+${group}`);
  }

  #lost(guardian: ChildProcess, { program }: Launch, life: number): void {
    if (this.#process !== guardian) return;
    this.#process = undefined;
    this.#failures = life < MIN_LIFE_MS ? this.#failures + 1 : 0;
    if (this.#failures >= MAX_FAILURES) {
      this.#giveUp(`'${program}' does not run it`);
      return;
    }
    if (this.#groups.size > 0) setImmediate(() => this.#groups.size > 0 && !this.#process && this.#start());
  }

  /** Warns once. Process-wide, like the guardian: it belongs to no Computer that has a logger. */
  #giveUp(reason: string): void {
    this.#failures = MAX_FAILURES;
    const effect = 'MCP servers outlive this process if it is killed';
    process.emitWarning(`${effect}, because the guardian of @a2c-smcp/computer cannot be started: ${reason}`, {
      code: 'A2C_NO_GUARDIAN',
    });
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

/** Undefined in a bundle, which has neither the file nor, as CommonJS, a URL. */
function findScript({ script }: Launch): string | undefined {
  try {
    const path = fileURLToPath(new URL(script, import.meta.url));
    return existsSync(path) ? path : undefined;
  } catch {
    return undefined;
  }
}

/** The guardian of this process. */
export const guardian = new Guardian();
