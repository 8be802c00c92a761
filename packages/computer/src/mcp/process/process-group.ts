import { type ChildProcessWithoutNullStreams, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { within } from '@a2c-smcp/core';
import spawn from 'cross-spawn';
import { isGroupAlive, signalGroup } from './group-signal.ts';
import { guardian } from './guardian.ts';

export interface ProcessGroupParameters {
  command: string;
  args: readonly string[];
  /** The whole environment; nothing is inherited beside it. */
  env: Record<string, string>;
  cwd?: string;
}

/** How a process ended. */
export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** How long a process may take to end before the next, harsher request. */
const GRACE_MS = 2000;

/** How long output that is already written may take to arrive. */
const DRAIN_TIMEOUT_MS = 500;

/**
 * A spawned process and everything it starts in turn. Wrappers such as `npx` do not pass signals on, so all signals
 * go to the whole group. Ends with this process, whatever ends that.
 */
export class ProcessGroup {
  readonly pid: number;
  readonly child: ChildProcessWithoutNullStreams;
  /** Settles when the spawned process, not yet its descendants, has ended. */
  readonly exited: Promise<Exit>;
  /** Settles after `exited`, when what the process wrote last has been read. */
  readonly drained: Promise<void>;
  #stopping: Promise<void> | undefined;

  private constructor(child: ChildProcessWithoutNullStreams, pid: number) {
    this.child = child;
    this.pid = pid;
    this.exited = new Promise(resolve => child.once('exit', (code, signal) => resolve({ code, signal })));
    const closed = new Promise<void>(resolve => child.once('close', () => resolve()));
    // Descendants may hold the pipes open, so their end is not awaited for long.
    this.drained = this.exited.then(() => within(closed, { timeout: DRAIN_TIMEOUT_MS }).catch(() => {}));
    guardian.entrust(pid);
    // The exit says the same, and an error event without a listener would end this process.
    child.on('error', () => {});
    // A wrapper that dies leaves its children behind: an exit of the first process ends the group.
    void this.exited.then(() => this.stop());
  }

  static async spawn({ command, args, env, cwd }: ProcessGroupParameters): Promise<ProcessGroup> {
    const child = spawn(command, args, {
      env,
      cwd,
      detached: process.platform !== 'win32',
      windowsHide: true,
      stdio: ['pipe', 'pipe', 'pipe'],
    }) as ChildProcessWithoutNullStreams;
    const { pid } = child;
    if (pid === undefined) {
      const [error] = await once(child, 'error');
      throw spawnError(error, { command, cwd });
    }
    return new ProcessGroup(child, pid);
  }

  /** Ends the group: end of input first, then SIGTERM, then SIGKILL. Resolves when nothing of it is left. */
  stop(): Promise<void> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  async #stop(): Promise<void> {
    const { stdin, stdout, stderr } = this.child;
    stdin.end();
    await within(this.exited, { timeout: GRACE_MS }).catch(() => {});
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      if (!this.#isAlive()) break;
      this.#signal(signal);
      await this.#gone();
    }
    guardian.release(this.pid);
    await this.drained;
    for (const stream of [stdin, stdout, stderr]) stream.destroy();
  }

  /** Polls, because nothing reports the end of processes that are not our children. */
  async #gone(): Promise<void> {
    const end = Date.now() + GRACE_MS;
    while (Date.now() < end && this.#isAlive()) await delay(20);
  }

  #isAlive(): boolean {
    if (process.platform !== 'win32') return isGroupAlive(this.pid);
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  /** Windows knows neither groups nor SIGTERM: the tree is ended by force. */
  #signal(signal: NodeJS.Signals): void {
    if (process.platform !== 'win32') signalGroup(this.pid, signal);
    else spawnSync('taskkill', ['/pid', String(this.pid), '/t', '/f'], { windowsHide: true });
  }
}

/** Node reports a missing folder as a missing command. */
function spawnError(
  error: NodeJS.ErrnoException,
  { command, cwd }: { command: string; cwd?: string | undefined },
): Error {
  if (error.code !== 'ENOENT') return error;
  const folder = cwd === undefined ? '' : `, or no folder '${cwd}'`;
  return new Error(`No command '${command}' was found${folder}: check 'command' and PATH`, { cause: error });
}
