import type { IncomingMessage } from 'node:http';
import { isIPv4 } from 'node:net';

/** Requests name their path only. */
const BASE = 'http://server';

/** Names by which a machine addresses itself. */
export const loopbackHosts: readonly string[] = ['localhost', '127.0.0.1', '[::1]', '::1'];

/** True if an address, or the name a server binds to, can be reached from this machine only. */
export function isLoopback(address: string): boolean {
  const plain = address.replace(/^::ffff:/i, '');
  return loopbackHosts.includes(plain.toLowerCase()) || (isIPv4(plain) && plain.startsWith('127.'));
}

/** Where a request comes from; behind a trusted proxy, where the proxy says it comes from. */
export function addressOf(request: IncomingMessage, trustProxy: boolean): string {
  const forwarded = trustProxy ? request.headers['x-forwarded-for'] : undefined;
  // The last entry is the proxy's own word; those before it are the client's.
  const last = [forwarded].flat().join(',').split(',').at(-1)?.trim();
  return last || request.socket.remoteAddress || '';
}

/** The query of a request, read as Engine.IO reads it: a fragment or a second `?` must not mean two things. */
export function queryOf({ url = '' }: IncomingMessage): URLSearchParams {
  return URL.canParse(url, BASE) ? new URL(url, BASE).searchParams : new URLSearchParams();
}

/** Counts connections by address. */
export class AddressBook {
  readonly #onChange: ((address: string, change: number) => void) | undefined;
  readonly #counts = new Map<string, number>();
  #total = 0;

  constructor(onChange?: (address: string, change: number) => void) {
    this.#onChange = onChange;
  }

  /** Of all addresses. */
  get total(): number {
    return this.#total;
  }

  count(address: string): number {
    return this.#counts.get(address) ?? 0;
  }

  add(address: string): void {
    this.change(address, 1);
  }

  remove(address: string): void {
    this.change(address, -1);
  }

  change(address: string, change: number): void {
    const count = this.count(address) + change;
    this.#total += change;
    if (count > 0) this.#counts.set(address, count);
    else this.#counts.delete(address);
    this.#onChange?.(address, change);
  }

  entries(): IterableIterator<[address: string, count: number]> {
    return this.#counts.entries();
  }
}
