import { run } from './cli.ts';
import { endCommands } from './targets/command.ts';

const abort = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  // The check that runs ends by its own time limit; a second signal ends everything at once.
  process.on(signal, () => {
    if (abort.signal.aborted) process.exit(1);
    abort.abort();
  });
}
process.on('exit', endCommands);
process.exitCode = await run(process.argv.slice(2), {
  print: text => process.stdout.write(text),
  complain: text => process.stderr.write(text),
  signal: abort.signal,
});
