import type { Terminal } from '../keyboard/terminal.ts';

/** Shows how many seconds have passed, from the first full one until it is disposed of. Without a terminal, nothing. */
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
