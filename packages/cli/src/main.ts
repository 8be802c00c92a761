import { setFlagsFromString } from 'node:v8';
import type { Logger } from '@a2c-smcp/core';
import { runCli } from './cli.ts';
import { exitAfterCrash } from './crash.ts';
import { Exit } from './failure.ts';
import { Keyboard } from './keyboard/keyboard.ts';
import { LineWriter } from './output/line-writer.ts';
import { createStyle } from './output/style.ts';
import { Redaction } from './redaction.ts';

/** Milliseconds in which standard error must take the pending lines. */
const FLUSH_TIMEOUT_MS = 1000;

// The garbage of the start would double the heap for good: 104 MB resident instead of 77 with ten MCP servers. `a2c computer`
// lets it grow with the first call.
if (process.argv[2] === 'computer') setFlagsFromString('--optimize-for-size');

const { stdin, stdout, stderr, env } = process;
const isInteractive = stdin.isTTY && stdout.isTTY && !env.CI;
const stop = new AbortController();
let service: Logger | undefined;

/** The first signal ends the command in order, the second ends the process at once. */
function interrupt(): void {
  if (stop.signal.aborted) process.exit(Exit.interrupted);
  stop.abort();
}
process.on('SIGINT', interrupt);
process.on('SIGTERM', interrupt);

/** True if the terminal was closed. */
let isHungUp = false;
process.on('SIGHUP', () => {
  isHungUp ||= stdin.isTTY;
  interrupt();
});
// Resetting the mode of a closed terminal fails. The end of input ends the command.
stdin.on('error', () => {
  isHungUp ||= stdin.isTTY;
});

/** The exit code after standard output failed. A closed pipe is not an error: `head` closes it early. */
let outputFailure: number | undefined;
stdout.on('error', (error: NodeJS.ErrnoException) => {
  // A service continues without a reader.
  if (service) return;
  outputFailure ??= error.code === 'EPIPE' ? Exit.ok : Exit.failed;
  process.exitCode = outputFailure;
  stop.abort();
});

const redaction = new Redaction();
// All users of a machine can list the arguments of processes. The title replaces them by the name of the command.
process.title = ['a2c', ...process.argv.slice(2, 3).filter(word => /^[a-z]+$/.test(word))].join(' ');

const keyboard = isInteractive ? new Keyboard({ input: stdin, output: stdout, onInterrupt: interrupt }) : undefined;
const errors = new LineWriter(stderr, count => service?.warn('Log lines were dropped', { count }));
const note = (line: string) => (keyboard && stderr.isTTY ? keyboard.write(`${line}\n`) : errors.write(line));
const colour = env.NO_COLOR ? false : env.FORCE_COLOR ? env.FORCE_COLOR !== '0' : stdout.isTTY && env.TERM !== 'dumb';

process.on('exit', () => keyboard?.flush());
exitAfterCrash({ logger: () => service, note, stop: () => stop.abort(), redact: text => redaction.redact(text) });
const code = await runCli(process.argv.slice(2), {
  signal: stop.signal,
  print: line => (keyboard ? keyboard.write(`${line}\n`) : stdout.write(`${line}\n`)),
  note,
  streams: { input: stdin, output: stdout },
  terminal: keyboard,
  style: createStyle({ colour, width: stdout.columns || Number(env.COLUMNS) || undefined }),
  env,
  // Set by the launcher of the single file.
  program: env.A2C_EXECUTABLE ? [env.A2C_EXECUTABLE] : process.argv.slice(0, 2),
  redaction,
  runAsService: logger => {
    service = logger;
    errors.bound();
  },
});
process.exitCode = outputFailure ?? code;
// Lines that are still pending would keep the process alive.
const isFlushed = await errors.flush(FLUSH_TIMEOUT_MS);
if (isHungUp) {
  // Node would abort when it exits by itself, because it cannot reset the terminal.
  process.removeAllListeners('SIGHUP');
  process.kill(process.pid, 'SIGHUP');
}
if (!isFlushed) process.exit();
