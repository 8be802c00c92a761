import { isAscii } from 'node:buffer';
import type { Readable, Writable } from 'node:stream';
import { onAny, parseJson, settle } from '@a2c-smcp/core';
import { SmcpError } from '@a2c-smcp/protocol';
import { type JSONRPCMessage, parseJSONRPCMessage } from '@modelcontextprotocol/client';
import { safeEnvironment } from '../process/environment.ts';
import { type Exit, ProcessGroup, type ProcessGroupParameters } from '../process/process-group.ts';
import {
  hasTooManyValues,
  LongMessage,
  MAX_MESSAGE_LENGTH,
  MAX_VALUES,
  MessageRefused,
  POOL_EXHAUSTED,
  TOO_MANY_VALUES,
  withoutDepth,
  withoutValues,
} from './message-bounds.ts';
import { asSent, markAsProcess } from './sdk.ts';
import { STRAY_FLOOD, StrayLines } from './stray-lines.ts';
import type { DirectTransport, McpTransport } from './transport.ts';

/** Bytes that are invalid in the encoding fail, are dropped, or become U+FFFD. */
type EncodingErrorHandler = 'strict' | 'ignore' | 'replace';

export interface StdioTransportOptions extends ProcessGroupParameters {
  encoding: string;
  encodingErrors: EncodingErrorHandler;
  /** Gets what the process writes to its standard error, in pieces of any size. */
  onStderr: (text: string) => void;
}

/** Answers that a process may leave unread: each is kept in memory until it is read. */
const MAX_UNREAD_MESSAGES = 20_000;
const MAX_UNREAD_BYTES = 256 * 1024 * 1024;
const NOT_READING = 'It does not read its input';

/** Bytes of standard error that are handled in one step. */
const STDERR_STEP_BYTES = 8 * 1024;

/** A process that does not answer a probe is one of 2025, and the wait is lost. */
const PROBE_TIMEOUT_MS = 10_000;

/**
 * MCP over the standard streams of a process group. The SDK's own transport ends only the process it spawned, reads
 * UTF-8 only and refuses messages above 10 MB.
 */
export class StdioTransport implements McpTransport, DirectTransport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly probeTimeout = PROBE_TIMEOUT_MS;
  readonly direct = this;

  #take: (message: unknown) => boolean = () => false;
  readonly #options: StdioTransportOptions;
  readonly #codec: TextCodec;
  #group: ProcessGroup | undefined;
  /** The beginning of a line whose end has not come yet. */
  #rest = '';
  readonly #long = new LongMessage();
  readonly #stray = new StrayLines();
  #closed = false;
  /** Pending while the process does not read what was written. */
  #draining: Promise<void> | undefined;
  /** Messages since the process last took all that was written. */
  #unread = 0;
  #failure: string | undefined;

  constructor(options: StdioTransportOptions) {
    this.#options = options;
    this.#codec = createTextCodec(options.encoding, options.encodingErrors);
    markAsProcess(this);
  }

  get pid(): number | undefined {
    return this.#group?.pid;
  }

  /** Why the connection ended, when it was not closed from here. */
  get failure(): string | undefined {
    return this.#failure;
  }

  intercept(take: (message: unknown) => boolean): void {
    this.#take = take;
  }

  async start(): Promise<void> {
    const { env, onStderr, ...parameters } = this.#options;
    const group = await ProcessGroup.spawn({ ...parameters, env: { ...safeEnvironment(), ...env } });
    this.#group = group;
    const { stdin, stdout, stderr } = group.child;
    for (const stream of [stdin, stdout, stderr]) stream.on('error', error => this.onerror?.(error));
    const errors = createTextCodec(this.#options.encoding, 'replace');
    readPaced(stderr, function* (chunk) {
      for (let at = 0; at < chunk.length; at += STDERR_STEP_BYTES) {
        onStderr(errors.decode(chunk.subarray(at, at + STDERR_STEP_BYTES)));
        yield;
      }
    });
    readPaced(stdout, chunk => this.#receive(chunk));
    void group.exited.then(async exit => {
      if (!this.#closed) this.#failure ??= describeExit(exit);
      await group.drained;
      await this.close();
    });
  }

  async send(message: JSONRPCMessage): Promise<void> {
    this.write(asSent(message));
    await this.#draining;
  }

  write(message: JSONRPCMessage): void {
    const stdin = this.#group?.child.stdin;
    if (!stdin || this.#closed) throw new Error('The process has ended');
    const flushed = stdin.write(this.#codec.encode(`${JSON.stringify(message)}\n`));
    if (flushed) return;
    this.#unread += 1;
    if (this.#unread > MAX_UNREAD_MESSAGES || stdin.writableLength > MAX_UNREAD_BYTES) this.#fail(NOT_READING);
    this.#draining ??= this.#drained(stdin);
  }

  async close(): Promise<void> {
    const first = !this.#closed;
    this.#closed = true;
    this.#rest = '';
    this.#long.release();
    if (first) this.onclose?.();
    await this.#group?.stop();
  }

  /** Resolves when the process reads again or has ended. */
  async #drained(stdin: Writable): Promise<void> {
    await settle<void>(resolve => onAny(stdin, ['drain', 'close', 'error'], resolve));
    this.#draining = undefined;
    this.#unread = 0;
  }

  *#receive(chunk: Buffer): Generator<void, void> {
    if (this.#closed) return;
    let text: string;
    try {
      text = this.#codec.decode(chunk);
    } catch {
      this.#fail(`It sent bytes that are no ${this.#options.encoding}`);
      return;
    }
    let start = 0;
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
      if (start > 0) yield;
      if (this.#closed) return;
      const line = this.#rest + text.slice(start, end);
      this.#rest = '';
      start = end + 1;
      this.#deliver(line);
      if (line.length > MAX_MESSAGE_LENGTH) this.#long.release();
    }
    if (this.#closed) return;
    this.#rest += text.slice(start);
    const { length } = this.#rest;
    if (length > MAX_MESSAGE_LENGTH && !this.#long.reach(length)) this.#fail(POOL_EXHAUSTED);
  }

  #deliver(line: string): void {
    // A line that is not an object is recognised without the cost of an exception.
    if (!/^\s*\{/.test(line)) {
      this.#skip(line);
      return;
    }
    if (line.length > MAX_VALUES && hasTooManyValues(line)) {
      this.#refuse(line);
      return;
    }
    try {
      const message = readMessage(line);
      if (message === undefined) this.onerror?.(new MessageRefused());
      else if (!this.#take(message)) this.onmessage?.(parseJSONRPCMessage(message));
    } catch {
      this.#skip(line);
    }
  }

  /** Ends the request that the message answers, without parsing it, or else the connection. */
  #refuse(line: string): void {
    const refusal = withoutValues(line);
    if (!refusal) this.#fail(TOO_MANY_VALUES);
    else if (!this.#take(refusal)) this.onmessage?.(refusal);
  }

  /** Ignores a line that is not a message, unless there are too many. */
  #skip(line: string): void {
    const report = this.#stray.add(line);
    if (report !== undefined) this.onerror?.(new Error(report));
    if (this.#stray.isFlood) this.#fail(STRAY_FLOOD);
  }

  #fail(reason: string): void {
    this.#failure = reason;
    this.onerror?.(new Error(reason));
    void this.close();
  }
}

/** Undefined when the message is to be dropped. */
function readMessage(line: string): unknown {
  try {
    return parseJson(line);
  } catch (error) {
    if (error instanceof SmcpError) return withoutDepth(JSON.parse(line));
    throw error;
  }
}

function describeExit({ code, signal }: Exit): string {
  return signal === null ? `The process exited with code ${code}` : `The process was ended by ${signal}`;
}

/** Turns JSON into bytes and bytes into text, in the encoding that an MCP server's configuration names. */
interface TextCodec {
  encode(json: string): Buffer;
  /** Text of the bytes so far that form whole characters. Throws on a wrong one when errors are strict. */
  decode(bytes: Buffer): string;
}

/** A codec with its own decoding state, for one stream. Throws a `RangeError` for an unknown encoding. */
export function createTextCodec(encoding: string, errors: EncodingErrorHandler): TextCodec {
  const decoder = new TextDecoder(encoding, { fatal: errors === 'strict' });
  /** True if the next byte starts a character that is not a byte order mark. */
  let isBetweenCharacters = false;
  return {
    encode: encoderFor(decoder.encoding),
    decode(bytes) {
      // Most messages are ASCII, which is read much faster.
      if (isBetweenCharacters && isAscii(bytes)) return bytes.toString('latin1');
      isBetweenCharacters = decoder.encoding === 'utf-8' && (bytes.at(-1) ?? 0x80) < 0x80;
      const text = decoder.decode(bytes, { stream: true });
      return errors === 'ignore' ? text.replaceAll('\uFFFD', '') : text;
    },
  };
}

function encoderFor(encoding: string): TextCodec['encode'] {
  if (encoding === 'utf-8') return json => Buffer.from(json, 'utf8');
  if (encoding === 'utf-16le') return json => Buffer.from(json, 'utf16le');
  // JSON in ASCII is the same bytes in every other encoding, and its escapes cover all characters.
  return json => Buffer.from(json.replace(/[\u0080-\uffff]/g, escapeUnit), 'latin1');
}

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** Limits of one stream within a turn of the event loop, so that a flood on it leaves time for everything else. */
const TURN_MS = 5;
const TURN_STEPS = 500;

/**
 * Reads a stream in steps, in order. A chunk whose steps fit into a turn is done within its event. Otherwise the stream
 * is paused and the rest follows in later turns, so that a writer that is too fast has to wait.
 */
function readPaced(stream: Readable, read: (chunk: Buffer) => Iterator<void>): void {
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
      if (steps > 0 && (steps >= TURN_STEPS || performance.now() > turnEnd)) {
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
