import { PassThrough } from 'node:stream';
import { runCli } from '../../packages/cli/src/cli.ts';
import type { World } from '../../packages/cli/src/command.ts';
import { createStyle } from '../../packages/cli/src/output/style.ts';
import { Redaction } from '../../packages/cli/src/redaction.ts';
import { eventually } from '../computer/office.ts';

export interface Ran {
  code: number;
  /** Standard output. */
  out: string;
  /** Standard error. */
  err: string;
  /** The output as JSON. */
  json<T>(): T;
}

export interface Running {
  readonly out: string;
  readonly err: string;
  /** Waits until the output has this text. */
  shows(text: string): Promise<void>;
  /** Stops the command as Ctrl-C does. Resolves when it has ended. */
  stop(): Promise<Ran>;
}

/** Starts the command line in this process, without a terminal. */
export function startA2c(words: readonly string[], given: Partial<World> = {}): Running & { ended: Promise<Ran> } {
  const stop = new AbortController();
  const out: string[] = [];
  const err: string[] = [];
  const ended = runCli(words, {
    signal: stop.signal,
    print: line => out.push(line),
    note: line => err.push(line),
    streams: { input: new PassThrough(), output: new PassThrough() },
    terminal: undefined,
    style: createStyle({ colour: false, width: 160 }),
    env: {},
    program: ['/usr/bin/node', '/usr/bin/a2c'],
    redaction: new Redaction(),
    runAsService() {},
    ...given,
  }).then(code => ({ code, out: out.join('\n'), err: err.join('\n'), json: () => JSON.parse(out.join('\n')) }));
  return {
    ended,
    get out() {
      return out.join('\n');
    },
    get err() {
      return err.join('\n');
    },
    shows: text =>
      eventually(() => {
        const all = [...out, ...err].join('\n');
        if (!all.includes(text)) throw new Error(`'${text}' is not in:\n${all}`);
      }),
    stop() {
      stop.abort();
      return ended;
    },
  };
}

/** Runs a command line to its end. */
export function a2c(words: readonly string[], given: Partial<World> = {}): Promise<Ran> {
  return startA2c(words, given).ended;
}
