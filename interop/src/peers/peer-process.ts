import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { within } from '../eventually.ts';
import { Hearing } from '../hearing.ts';

type Answer = { id: number; value?: unknown; error?: { type: string; message: string } };
type Event = { peer: string; event: string; payload: unknown };
type Pending = { resolve: (value: unknown) => void; reject: (error: Error) => void };

/** The names that the story has for what the SDK is told. */
const heardAs: Record<string, string> = {
  'notify:enter_office': 'enter',
  'notify:leave_office': 'leave',
  'notify:update_tool_list': 'changed-tools',
  'notify:update_config': 'changed-config',
  'notify:update_desktop': 'changed-desktop',
  'notify:update_skills': 'changed-skills',
};
/** Milliseconds a command may take unless it is told otherwise, and the process may take to end by itself. */
const PATIENCE = { command: 45_000, end: 5000 };
/** Lines of its log that are shown when it ends unexpectedly. */
const TAIL = 20;

/** How to start a process. */
export interface Program {
  command: string;
  args: string[];
  /** Where it runs; also its home folder, since official releases keep files there. */
  home: string;
  env?: Record<string, string>;
}

/** An error that the official package raised. */
export class PeerError extends Error {
  constructor({ type, message }: { type: string; message: string }) {
    super(message === '' ? type : `${type}: ${message}`);
    this.name = 'PeerError';
  }
}

/** A process that runs peers of one role with the official package, one command per line. */
export class PeerProcess implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #pending = new Map<number, Pending>();
  readonly #hearings = new Map<string, Hearing>();
  readonly #log: string[] = [];
  #count = 0;
  #ended: Error | undefined;

  constructor({ command, args, home, env }: Program) {
    this.#child = spawn(command, args, { env: { ...process.env, HOME: home, ...env }, cwd: home, stdio: 'pipe' });
    const { stdout, stderr } = this.#child;
    if (stdout) createInterface({ input: stdout }).on('line', line => this.#read(line));
    if (stderr) createInterface({ input: stderr }).on('line', line => this.#log.splice(0, this.#log.push(line) - TAIL));
    this.#child.once('exit', code =>
      this.#fail(new Error(`${[command, ...args].join(' ')} ended with ${code}:\n${this.#log.join('\n')}`)),
    );
    this.#child.once('error', error => this.#fail(error));
  }

  /** A name for one more peer of this process. */
  name(): string {
    this.#count += 1;
    return `peer-${this.#count}`;
  }

  /** Carries out a command; `peer` says for which of its peers. */
  async ask(command: string, peer: string, args: object = {}, limit = PATIENCE.command): Promise<unknown> {
    if (this.#ended) throw this.#ended;
    this.#count += 1;
    const id = this.#count;
    const answered = new Promise<unknown>((resolve, reject) => this.#pending.set(id, { resolve, reject }));
    this.#child.stdin?.write(`${JSON.stringify({ id, command, args: { peer, ...args } })}\n`);
    return within(limit, command, answered);
  }

  hearing(peer: string): Hearing {
    const hearing = this.#hearings.get(peer) ?? new Hearing();
    this.#hearings.set(peer, hearing);
    return hearing;
  }

  async close(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = once(this.#child, 'exit');
    this.#child.stdin?.end();
    await within(PATIENCE.end, 'ending', ended).catch(() => this.#child.kill('SIGKILL'));
    await ended;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #read(line: string): void {
    const message = JSON.parse(line) as Answer | Event;
    if ('event' in message) this.hearing(message.peer).add(heardAs[message.event] ?? message.event, message.payload);
    else this.#settle(message);
  }

  #settle({ id, value, error }: Answer): void {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    if (error) pending?.reject(new PeerError(error));
    else pending?.resolve(value);
  }

  #fail(error: Error): void {
    this.#ended = error;
    for (const { reject } of this.#pending.values()) reject(error);
    this.#pending.clear();
  }
}
