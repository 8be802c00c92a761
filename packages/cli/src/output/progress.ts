import type { Terminal } from './terminal.ts';

/** Shows the elapsed seconds on the terminal every second until it is disposed. Without a terminal it is a no-op. */
export function showProgress(terminal: Terminal | undefined, line: (seconds: number) => string): Disposable {
  let seconds = 0;
  const timer = setInterval(() => {
    seconds += 1;
    terminal?.status(line(seconds));
  }, 1000);
  return {
    [Symbol.dispose]() {
      clearInterval(timer);
      terminal?.status(undefined);
    },
  };
}
