import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';

/** `a2c server` on a free port. */
export class ServerProcess implements AsyncDisposable {
  readonly url: string;
  readonly #child: ChildProcess;
  #log = '';

  private constructor(child: ChildProcess, url: string) {
    this.#child = child;
    this.url = url;
    child.stderr?.setEncoding('utf8').on('data', text => {
      this.#log = (this.#log + text).slice(-5000);
    });
  }

  static async start(): Promise<ServerProcess> {
    const command = new URL('../../../packages/cli/bin/a2c.js', import.meta.url).pathname;
    const child = spawn(process.execPath, [command, 'server', '--port', '0', '--logs', 'json'], {
      stdio: ['ignore', 'pipe', 'pipe'],
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

  /** Throws when the process has ended, with the last it said. */
  check(): void {
    const { exitCode, signalCode } = this.#child;
    if (exitCode === null && signalCode === null) return;
    throw new Error(`a2c server ended with ${exitCode ?? signalCode}\n${this.#log}`);
  }

  /** Resident memory in MiB; undefined where the system does not say. */
  get memory(): number | undefined {
    if (process.platform !== 'linux') return undefined;
    const [, kibibytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${this.#child.pid}/status`, 'utf8')) ?? [];
    return Math.round(Number(kibibytes) / 1024);
  }

  async health(): Promise<{ connections: number; members: number; offices: number; inFlight: number }> {
    const response = await fetch(`${this.url}/health`);
    return (await response.json()) as Awaited<ReturnType<ServerProcess['health']>>;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const exited = once(this.#child, 'exit');
    this.#child.kill('SIGTERM');
    await exited;
  }
}
