import { oneLine } from './table.ts';
import type { Terminal } from './terminal.ts';

/** How far a tool call is. */
interface CallProgress {
  progress: number;
  total?: number;
  message?: string;
}

/** A line on the terminal about a call that runs. */
export interface ProgressLine extends Disposable {
  /** Shows what the tool reports. */
  report(progress: CallProgress): void;
}

/**
 * Shows a text, the elapsed seconds and what the tool reports, every second until it is disposed. Without a terminal it
 * is a no-op.
 */
export function showProgress(terminal: Terminal | undefined, text: string): ProgressLine {
  let seconds = 0;
  let state = '';
  const show = () => terminal?.status(`${text} … ${seconds} s${state}`);
  const timer = setInterval(() => {
    seconds += 1;
    show();
  }, 1000);
  return {
    report(progress) {
      state = `  ${callState(progress)}`;
      show();
    },
    [Symbol.dispose]() {
      clearInterval(timer);
      terminal?.status(undefined);
    },
  };
}

const BAR_LENGTH = 24;
const MIB = 1024 * 1024;

/** `50 %  step 2 of 4`, `2`, or `2  step` if the end is not known. */
export function callState({ progress, total, message }: CallProgress): string {
  const isKnown = total !== undefined && total > 0;
  const number = isKnown
    ? `${Math.round(Math.min(1, Math.max(0, progress / total)) * 100)} %`
    : String(round(progress));
  return message === undefined ? number : `${number}  ${oneLine(message)}`;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

/** How much of a number of bytes is done: `██████░░░░░░░░░░░░░░░░░░  25 %  2.5 of 10.0 MiB`. */
export function progressBar(done: number, total: number): string {
  const part = total > 0 ? Math.min(1, done / total) : 1;
  const filled = Math.floor(part * BAR_LENGTH);
  const percent = String(Math.floor(part * 100)).padStart(3);
  const [size, whole] = [done, total].map(bytes => (bytes / MIB).toFixed(1));
  return `${'█'.repeat(filled)}${'░'.repeat(BAR_LENGTH - filled)} ${percent} %  ${size} of ${whole} MiB`;
}
