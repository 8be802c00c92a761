import { writeSync } from 'node:fs';
import { inspect } from 'node:util';
import { runCli } from './cli.ts';
import { Keyboard } from './keyboard/keyboard.ts';
import { createStyle } from './output/style.ts';
import { Redaction } from './redaction.ts';

const { stdin, stdout, stderr, env } = process;
const isInteractive = stdin.isTTY && stdout.isTTY && !env.CI;
const stop = new AbortController();

/** The first signal asks for an orderly end, the second does not wait for it. */
function interrupt(): void {
  if (stop.signal.aborted) process.exit(130);
  stop.abort();
}
process.on('SIGINT', interrupt);
process.on('SIGTERM', interrupt);
// Whoever reads our output may have seen enough, as `head` does.
stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));

const redaction = new Redaction();
/** Node would print the error as it is, and the line of source that threw it. */
process.on('uncaughtException', error => {
  try {
    writeSync(stderr.fd, `a2c: a bug ended this program\n${redaction.redact(inspect(error))}\n`);
  } finally {
    process.exit(1);
  }
});
// The list of processes shows arguments to all users of a machine; from here on it shows the command alone.
process.title = ['a2c', ...process.argv.slice(2, 3).filter(word => /^[a-z]+$/.test(word))].join(' ');

const keyboard = isInteractive ? new Keyboard({ input: stdin, output: stdout, onInterrupt: interrupt }) : undefined;
const colour = env.NO_COLOR ? false : env.FORCE_COLOR ? env.FORCE_COLOR !== '0' : stdout.isTTY && env.TERM !== 'dumb';

process.exitCode = await runCli(process.argv.slice(2), {
  signal: stop.signal,
  print: line => (keyboard ? keyboard.write(`${line}\n`) : stdout.write(`${line}\n`)),
  note: line => (keyboard && stderr.isTTY ? keyboard.write(`${line}\n`) : stderr.write(`${line}\n`)),
  terminal: keyboard,
  style: createStyle({ colour, width: stdout.columns || Number(env.COLUMNS) || undefined }),
  env,
  redaction,
});
