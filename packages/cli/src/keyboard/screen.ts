import type { ReadStream, WriteStream } from 'node:tty';
import { cut } from '../output/table.ts';
import type { Screen } from '../output/terminal.ts';

const ESC = '\u001b';
/** Another screen without a cursor; the one before comes back with its text. */
const OPEN = `${ESC}[?1049h${ESC}[?25l`;
const CLOSE = `${ESC}[?25h${ESC}[?1049l`;
const HOME = `${ESC}[H`;
const CLEAR_LINE = `${ESC}[K`;
const CLEAR_BELOW = `${ESC}[J`;
const CTRL_C = '\u0003';

export interface ScreenOptions {
  input: ReadStream;
  output: WriteStream;
  onKey: (key: string) => void;
  onInterrupt: () => void;
}

/** Takes the whole terminal until it is disposed. */
export function openScreen({ input, output, onKey, onInterrupt }: ScreenOptions): Screen {
  let isOpen = true;
  const onData = (data: Buffer) => {
    for (const key of String(data)) {
      if (key === CTRL_C) onInterrupt();
      else onKey(key);
    }
  };
  output.write(OPEN);
  input.setRawMode(true);
  input.on('data', onData).resume();
  return {
    get size() {
      // Some terminals report a size of 0.
      return { rows: output.rows || 24, columns: output.columns || 80 };
    },
    draw(lines) {
      if (!isOpen) return;
      const { rows, columns } = this.size;
      const shown = lines.slice(0, rows).map(line => cut(line, columns) + CLEAR_LINE);
      output.write(HOME + shown.join('\r\n') + CLEAR_BELOW);
    },
    [Symbol.dispose]() {
      if (!isOpen) return;
      isOpen = false;
      input.off('data', onData).pause();
      input.setRawMode(false);
      output.write(CLOSE);
    },
  };
}
