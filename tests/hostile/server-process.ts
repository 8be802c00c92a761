import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { type Service, startService } from '../cli/service.ts';

/** A real `a2c server` on a free port, which can die of an attack. */
export class ServerProcess implements AsyncDisposable {
  readonly url: string;
  readonly #service: Service;

  private constructor(service: Service, url: string) {
    this.#service = service;
    this.url = url;
  }

  static async start(words: readonly string[] = []): Promise<ServerProcess> {
    const service = startService(['server', '--port', '0', ...words]);
    const [, url = ''] = await service.line(/Server on (\S+)/);
    return new ServerProcess(service, url);
  }

  /** Its log so far. */
  get log(): string {
    return this.#service.err;
  }

  /** Resident memory in MiB. */
  get memory(): number {
    const status = readFileSync(`/proc/${this.#service.child.pid}/status`, 'utf8');
    const [, kibibytes] = /VmRSS:\s+(\d+)/.exec(status) ?? [];
    return Number(kibibytes) / 1024;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { exitCode, signalCode } = this.#service.child;
    expect(exitCode ?? signalCode, `the Server has ended:\n${this.log.slice(-2000)}`).toBe(null);
    await this.#service[Symbol.asyncDispose]();
  }
}
