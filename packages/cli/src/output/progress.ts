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

const BAR_LENGTH = 24;
const MIB = 1024 * 1024;

/** How much of a number of bytes is done: `██████░░░░░░░░░░░░░░░░░░  25 %  2.5 of 10.0 MiB`. */
export function progressBar(done: number, total: number): string {
  const part = total > 0 ? Math.min(1, done / total) : 1;
  const filled = Math.floor(part * BAR_LENGTH);
  const percent = String(Math.floor(part * 100)).padStart(3);
  const [size, whole] = [done, total].map(bytes => (bytes / MIB).toFixed(1));
  return `${'█'.repeat(filled)}${'░'.repeat(BAR_LENGTH - filled)} ${percent} %  ${size} of ${whole} MiB`;
}
