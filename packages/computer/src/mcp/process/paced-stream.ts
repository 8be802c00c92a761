import type { Readable } from 'node:stream';

/** Limits of one stream within a turn of the event loop, so that a flood on it leaves time for everything else. */
const TURN_MS = 5;
const TURN_STEPS = 500;

/**
 * Reads a stream in steps, in order. A chunk whose steps fit into a turn is done within its event. Otherwise the stream
 * is paused and the rest follows in later turns, so that a writer that is too fast has to wait.
 */
export function readPaced(stream: Readable, read: (chunk: Buffer) => Iterator<void>): void {
  /** Chunks that came all the same: Node resumes the streams of a process that has exited. */
  const waiting: Buffer[] = [];
  let work: Iterator<void> | undefined;
  let isTurn = false;
  let turnEnd = 0;
  let steps = 0;

  const endTurn = () => {
    isTurn = false;
    if (work) run();
    if (!work && stream.isPaused()) stream.resume();
  };
  const run = () => {
    if (!isTurn) {
      isTurn = true;
      turnEnd = performance.now() + TURN_MS;
      steps = 0;
      setImmediate(endTurn);
    }
    while (work) {
      if (steps >= TURN_STEPS || performance.now() > turnEnd) {
        stream.pause();
        return;
      }
      steps += 1;
      if (work.next().done) work = nextOf(waiting, read);
    }
  };

  stream.on('data', (chunk: Buffer) => {
    if (work) {
      waiting.push(chunk);
      stream.pause();
      return;
    }
    work = read(chunk);
    run();
  });
}

function nextOf(waiting: Buffer[], read: (chunk: Buffer) => Iterator<void>): Iterator<void> | undefined {
  const chunk = waiting.shift();
  return chunk && read(chunk);
}
