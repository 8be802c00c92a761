import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { buildPackages } from '../build.ts';
import { root } from '../packages.ts';

/** A real `a2c server` on a free port, which can die of an attack. */
export class ServerProcess implements AsyncDisposable {
  readonly url: string;
  readonly #child: ChildProcess;
  #log = '';

  private constructor(child: ChildProcess, url: string) {
    this.#child = child;
    this.url = url;
    child.stderr?.setEncoding('utf8').on('data', text => {
      this.#log += text;
    });
  }

  static async start(words: readonly string[] = []): Promise<ServerProcess> {
    await buildPackages();
    const file = join(root, 'packages/cli/bin/a2c.js');
    const child = spawn(process.execPath, [file, 'server', '--port', '0', ...words], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, A2C_KEYS: '' },
    });
    let out = '';
    const url = await new Promise<string>((resolve, reject) => {
      child.stdout?.setEncoding('utf8').on('data', text => {
        out += text;
        const [, found] = /Server on (\S+)/.exec(out) ?? [];
        if (found !== undefined) resolve(found);
      });
      child.once('exit', code => reject(new Error(`a2c server ended with ${code}: ${out}`)));
    });
    return new ServerProcess(child, url);
  }

  /** What it has logged so far. */
  get log(): string {
    return this.#log;
  }

  get isAlive(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Resident memory in MiB. */
  get memory(): number {
    const [, kibibytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${this.#child.pid}/status`, 'utf8')) ?? [];
    return Number(kibibytes) / 1024;
  }

  async health(): Promise<Record<string, unknown>> {
    const response = await fetch(`${this.url}/health`);
    return (await response.json()) as Record<string, unknown>;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    expect(this.isAlive, `the Server has ended:\n${this.#log.slice(-2000)}`).toBe(true);
    const exited = once(this.#child, 'exit');
    this.#child.kill('SIGTERM');
    await exited;
  }
}
