import { randomUUID } from 'node:crypto';
import type { Role } from '@a2c-smcp/protocol';
import { type RawOptions, RawPeer } from '@a2c-smcp/testing';
import { expect } from '../check.ts';
import { type Line, versionOf } from '../line.ts';
import { codeOf, isYes } from './answers.ts';
import { ANSWER_MS } from './wait.ts';

export interface ServerTarget {
  url: string;
  key?: string | undefined;
  /** The beginning of the names of all offices. */
  office: string;
  line: Line;
}

/** A Server under test, for one check: the peers that it opens end with it. */
export class ServerStage {
  readonly target: ServerTarget;
  readonly #id = randomUUID().slice(0, 8);
  readonly #peers: RawPeer[] = [];

  constructor(target: ServerTarget) {
    this.target = target;
  }

  get line(): Line {
    return this.target.line;
  }

  /** The name of an office, or a `req_id`, that nothing else has. */
  unique(): string {
    return `${this.target.office}-${randomUUID().slice(0, 8)}`;
  }

  /** The name of a member on the wire: some Servers want names that are unique among all offices. */
  name(short: string): string {
    return `${short}-${this.#id}`;
  }

  /** A connection that has joined nothing. */
  async connect(different: RawOptions = {}): Promise<RawPeer> {
    const version = versionOf(this.line);
    const peer = await RawPeer.connect(this.target.url, {
      ...credentials(this.target.key),
      query: version === undefined ? {} : { a2c_version: version },
      ackTimeout: ANSWER_MS,
      timeout: ANSWER_MS,
      ...different,
    });
    this.#peers.push(peer);
    return peer;
  }

  /** A member of an office. */
  async join(role: Role, name: string, office: string, different?: RawOptions): Promise<RawPeer> {
    const peer = await this.connect(different);
    const answer = await this.enter(peer, role, name, office);
    expect(isYes(answer), `${role} '${this.name(name)}' to be let into an office`, answer);
    return peer;
  }

  /** Asks to join, once more where the first request was lost: some Servers listen a moment after they admit a peer. */
  async enter(peer: RawPeer, role: Role, name: string, office: string): Promise<unknown[]> {
    const ask = () => peer.enter(role, this.name(name), office);
    return ask().catch(ask);
  }

  /** An office of its own with an Agent `a` and a Computer `c`. */
  async openOffice(): Promise<{ office: string; agent: RawPeer; computer: RawPeer }> {
    const office = this.unique();
    const computer = await this.join('computer', 'c', office);
    const agent = await this.join('agent', 'a', office);
    return { office, agent, computer };
  }

  /** The fields of every request of the Agent `a` to the Computer `c`. */
  request(fields: object = {}): Record<string, unknown> {
    return { agent: this.name('a'), computer: this.name('c'), req_id: this.unique(), ...fields };
  }

  async close(): Promise<void> {
    for (const peer of this.#peers) peer.close();
  }
}

/** Official Servers look for the key in different places. */
export function credentials(key: string | undefined): RawOptions {
  return key === undefined ? {} : { auth: { token: key }, extraHeaders: { 'x-api-key': key } };
}

/** Fails the check unless the answer is an error payload with one of these codes. */
export function expectError([payload]: readonly unknown[], ...codes: number[]): void {
  const code = codeOf(payload);
  expect(code !== undefined && codes.includes(code), `an error payload with code ${codes.join(' or ')}`, payload);
}
