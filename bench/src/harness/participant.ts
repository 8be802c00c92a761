import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** The usage of a process so far: microseconds of CPU, bytes of memory. */
export interface Usage {
  cpu: number;
  rss: number;
  heapUsed: number;
}

export interface ParticipantOptions {
  env?: Record<string, string>;
  /** Options of Node. */
  execArgv?: string[];
}

/** One of the processes of a benchmark. It is told what to do by messages, answers each, and ends with us. */
export class Participant implements AsyncDisposable {
  readonly process: ChildProcess;
  /** The message that it sent when it was ready. */
  readonly greeting: unknown;

  private constructor(process: ChildProcess, greeting: unknown) {
    this.process = process;
    this.greeting = greeting;
  }

  /** Starts `processes/<name>.js` with settings that it reads as JSON. */
  static async start(name: string, settings: object, options: ParticipantOptions = {}): Promise<Participant> {
    const script = fileURLToPath(new URL(`../processes/${name}.js`, import.meta.url));
    const env = { ...process.env, ...options.env };
    const child = fork(script, [JSON.stringify(settings)], { env, execArgv: options.execArgv ?? [] });
    return new Participant(child, await nextMessage(child));
  }

  /** Starts a command that is no program of ours: it greets with the line that is its address, and answers nothing. */
  static async startServerCommand(command: string, args: string[], env: Record<string, string>): Promise<Participant> {
    const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'], env: { ...process.env, ...env } });
    for await (const line of createInterface({ input: child.stdout })) {
      if (!line.startsWith('http:')) continue;
      child.stdout.resume();
      return new Participant(child, line);
    }
    throw new Error(`${command} ended before it listened`);
  }

  async ask<T>(request: unknown): Promise<T> {
    this.process.send(request as object);
    return (await nextMessage(this.process)) as T;
  }

  async end(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    if (this.process.exitCode !== null || this.process.signalCode !== null) return;
    const exited = once(this.process, 'exit');
    this.process.kill(signal);
    await exited;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.end();
  }
}

async function nextMessage(child: ChildProcess): Promise<unknown> {
  const answered = new AbortController();
  const { signal } = answered;
  const ended = once(child, 'exit', { signal }).then(([code]) => {
    throw new Error(`A process of the benchmark ended with ${code}`);
  });
  try {
    const [message] = (await Promise.race([once(child, 'message', { signal }), ended])) as [unknown];
    if (typeof message === 'object' && message !== null && 'error' in message) throw new Error(String(message.error));
    return message;
  } finally {
    answered.abort();
    ended.catch(() => {});
  }
}
