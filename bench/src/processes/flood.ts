import type { Socket } from 'node:net';
import type { WebSocket } from 'ws';
import type { BurstRequest, Load, PeerSettings } from './agent.ts';
import type { LoadResult } from './closed-loop.ts';
import { obey, settings } from './obey.ts';
import { joinThin, resultOf } from './thin-peer.ts';

/** Ids of calls have as many digits each, so that calls differ in these bytes alone. */
const ID_DIGITS = 8;
/** Where the id of a message begins, behind `42/smcp,` or `43/smcp,`. */
const ID_START = 8;
const BRACKET = '['.charCodeAt(0);
/** Where `[{"content` differs from `[{"code` and `[{"message`, and what it has there. */
const RESULT_AT = ID_START + ID_DIGITS + '[{"co'.length;
const RESULT = 'n'.charCodeAt(0);
const ZERO = '0'.charCodeAt(0);
const NINE = '9'.charCodeAt(0);
/** Two bytes, a length of two more, and a mask of zeros, which changes nothing. */
const HEAD_BYTES = 8;
/** More than a chunk of calls or answers is answered with. */
const OUTPUT_BYTES = 4 * 1024 * 1024;

const output = Buffer.alloc(OUTPUT_BYTES);

/**
 * The Agent and the Computer of an office, for a fraction of the CPU that their server takes: frames are copied from
 * templates, and all that answer one chunk are written at once.
 */
class Flood {
  readonly #agent: Socket;
  #call: Buffer = Buffer.alloc(0);
  #answer: Buffer = Buffer.alloc(0);
  #open = 0;
  #calls = 0;
  #deadline = 0;
  #isOver = false;
  #done: () => void = () => {};

  private constructor(agent: WebSocket, computer: WebSocket) {
    this.#agent = takeOver(agent, (end, chunk, start) => this.#next(end, chunk, start));
    takeOver(computer, (end, chunk, start) => this.#reply(end, chunk, start));
  }

  static async open(url: string, office: string): Promise<Flood> {
    const computer = await joinThin(url, { role: 'computer', name: 'c', office });
    return new Flood(await joinThin(url, { role: 'agent', name: 'a', office }), computer);
  }

  /** Resolves to the number of calls. */
  async burst({ size, inFlight, milliseconds }: Load): Promise<number> {
    this.#call = frameOf(callOf(size));
    this.#answer = Buffer.from(JSON.stringify([resultOf(size)]));
    this.#calls = 0;
    this.#open = inFlight;
    this.#deadline = performance.now() + milliseconds;
    const done = new Promise<void>(resolve => {
      this.#done = resolve;
    });
    let end = 0;
    for (let n = 0; n < inFlight; n++) end = this.#begin(end);
    this.#agent.write(Buffer.from(output.subarray(0, end)));
    await done;
    return this.#calls;
  }

  /** Writes a call to the output, and returns where that ends. */
  #begin(end: number): number {
    countUp(this.#call);
    output.set(this.#call, end);
    return end + this.#call.length;
  }

  /** Begins the call that follows an answer. */
  #next(end: number, chunk: Buffer, start: number): number {
    if (chunk[start + 1] !== '3'.charCodeAt(0)) return end;
    if (chunk[start + RESULT_AT] !== RESULT) throw new Error(`The call was not answered: ${textAt(chunk, start)}`);
    this.#calls += 1;
    // The clock costs more than the rest, and all answers of a chunk arrive together.
    if (end === 0) this.#isOver = performance.now() > this.#deadline;
    if (!this.#isOver) return this.#begin(end);
    this.#open -= 1;
    if (this.#open === 0) this.#done();
    return end;
  }

  /** Answers a call with the id that it has here. Notifications have none. */
  #reply(end: number, chunk: Buffer, start: number): number {
    if (chunk[start + 1] !== '2'.charCodeAt(0) || chunk[start + ID_START] === BRACKET) return end;
    output.set(ANSWER_HEAD, end);
    let at = end + ANSWER_HEAD.length;
    for (let from = start + ID_START; chunk[from] !== BRACKET; from++, at++) output[at] = chunk[from] ?? 0;
    output.set(this.#answer, at);
    at += this.#answer.length;
    const length = at - end - HEAD_BYTES;
    output[end + 2] = length >> 8;
    output[end + 3] = length & 255;
    return at;
  }
}

const FIRST_ID = '1'.padEnd(ID_DIGITS, '0');
const CALL_START = `42/smcp,${FIRST_ID}["client:tool_call",{"agent":"a","computer":"c","req_id":"`;
const REQ_ID_START = CALL_START.length;
const ANSWER_HEAD = frameOf('43/smcp,', 0);

/** A call as thin clients send it. */
function callOf(size: number): string {
  return `${CALL_START}${FIRST_ID}","tool_name":"echo-${size}","timeout":60,"params":{"text":"${'x'.repeat(100)}"}}]`;
}

/** The start of a message, for an error. */
function textAt(chunk: Buffer, start: number): string {
  return chunk.toString('utf8', start, start + 300);
}

/** Gives a call the next id, in both places. */
function countUp(call: Buffer): void {
  const first = HEAD_BYTES + ID_START;
  const second = HEAD_BYTES + REQ_ID_START;
  for (let digit = ID_DIGITS - 1; digit >= 0; digit--) {
    const last = call[first + digit] ?? ZERO;
    call[first + digit] = call[second + digit] = last === NINE ? ZERO : last + 1;
    if (last !== NINE) return;
  }
}

/** The frame of a client. */
function frameOf(text: string, length = text.length): Buffer {
  return Buffer.concat([Buffer.of(0x81, 0x80 | 126, length >> 8, length & 255, 0, 0, 0, 0), Buffer.from(text)]);
}

/**
 * Reads the frames of a connection in place of `ws`, and writes what `handle` has made of a chunk.
 *
 * @param handle gets where the output ends and where a message starts, and returns where the output ends now
 */
function takeOver(from: WebSocket, handle: (end: number, chunk: Buffer, start: number) => number): Socket {
  const { _socket: socket } = from as unknown as { _socket: Socket };
  socket.removeAllListeners('data');
  let pending: Buffer = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    const bytes = pending.length > 0 ? Buffer.concat([pending, chunk]) : chunk;
    let start = 0;
    let end = 0;
    while (start + 4 <= bytes.length) {
      const isShort = (bytes[start + 1] ?? 0) < 126;
      const text = start + (isShort ? 2 : 4);
      const next = text + (isShort ? (bytes[start + 1] ?? 0) : bytes.readUInt16BE(start + 2));
      if (next > bytes.length) break;
      end = handle(end, bytes, text);
      start = next;
    }
    pending = bytes.subarray(start);
    if (end > 0) socket.write(Buffer.from(output.subarray(0, end)));
  });
  return socket;
}

const floods: Flood[][] = [];
for (const { url, offices } of settings<PeerSettings>().connections) {
  floods.push(await Promise.all(offices.map(office => Flood.open(url, office))));
}

obey('ready', async ({ connection, ...load }: BurstRequest): Promise<LoadResult> => {
  const started = performance.now();
  const calls = await Promise.all((floods[connection] ?? []).map(flood => flood.burst(load)));
  const milliseconds = performance.now() - started;
  return { calls: calls.reduce((sum, count) => sum + count, 0), milliseconds, latencies: [] };
});
