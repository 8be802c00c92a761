import type { EventEmitter } from 'node:events';

/** Milliseconds without a key after which a person is taken to have seen what is on the screen. */
const QUIET_MS = 500;

/** Resolves when no key was pressed for `QUIET_MS`, or when the signal fires. `input` emits `keypress`. */
export function untilQuiet(input: EventEmitter, signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    let timer: NodeJS.Timeout;
    let check: NodeJS.Immediate | undefined;
    const restart = () => {
      clearTimeout(timer);
      clearImmediate(check);
      timer = setTimeout(() => {
        // After a busy event loop, keys that were pressed in time are read between the timer and this.
        check = setImmediate(end);
      }, QUIET_MS);
    };
    const end = () => {
      clearTimeout(timer);
      clearImmediate(check);
      input.off('keypress', restart);
      signal.removeEventListener('abort', end);
      resolve();
    };
    input.on('keypress', restart);
    signal.addEventListener('abort', end);
    restart();
  });
}
