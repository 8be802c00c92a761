import type { Writable } from 'node:stream';
import { parseJson } from '@a2c-smcp/core';
import { SmcpError } from '@a2c-smcp/protocol';
import { type JSONRPCMessage, parseJSONRPCMessage, type Transport } from '@modelcontextprotocol/client';
import { getDefaultEnvironment } from '@modelcontextprotocol/client/stdio';
import {
  hasTooManyValues,
  MAX_MESSAGE_LENGTH,
  MessageRefused,
  TOO_LONG,
  TOO_MANY_VALUES,
  withoutDepth,
  withoutValues,
} from './message-bounds.ts';
import { readPaced } from './paced-stream.ts';
import { type Exit, ProcessGroup, type ProcessGroupParameters } from './process-group.ts';
import { asSent } from './raw-method.ts';
import { STRAY_FLOOD, StrayLines } from './stray-lines.ts';
import { createTextCodec, type EncodingErrorHandler, type TextCodec } from './text-codec.ts';

export interface StdioTransportOptions extends ProcessGroupParameters {
  encoding: string;
  encodingErrors: EncodingErrorHandler;
  /** Hears what the process writes to its standard error, in pieces of any size. */
  onStderr: (text: string) => void;
}

/** What a process may leave unread: it can ask for any number of answers, each of which is kept until it is read. */
const MAX_UNREAD_MESSAGES = 20_000;
const MAX_UNREAD_BYTES = 256 * 1024 * 1024;
const NOT_READING = 'It does not read its input';

/** Bytes of standard error that are handled in one step. */
const STDERR_STEP = 8 * 1024;

/**
 * MCP over the standard streams of a process group. The SDK's own transport ends only the process it spawned, reads
 * UTF-8 only and refuses messages above 10 MB.
 */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /** Sees every message before anybody else. Returns whether it has dealt with it. */
  tap?: (message: unknown) => boolean;
  /** Beside `pid`, by its presence alone, what makes the SDK treat this as a local process when it probes. */
  readonly stderr = null;

  readonly #options: StdioTransportOptions;
  readonly #codec: TextCodec;
  #group: ProcessGroup | undefined;
  /** The beginning of a line whose end has not come yet. */
  #rest = '';
  readonly #stray = new StrayLines();
  #closed = false;
  #draining: Promise<void> | undefined;
  /** Messages since the process last took all that was written. */
  #unread = 0;
  #failure: string | undefined;

  constructor(options: StdioTransportOptions) {
    this.#options = options;
    this.#codec = createTextCodec(options.encoding, options.encodingErrors);
  }

  get pid(): number | undefined {
    return this.#group?.pid;
  }

  /** Why the connection ended, when it was not closed from here. */
  get failure(): string | undefined {
    return this.#failure;
  }

  async start(): Promise<void> {
    const { env, onStderr, ...parameters } = this.#options;
    const group = await ProcessGroup.spawn({ ...parameters, env: { ...getDefaultEnvironment(), ...env } });
    this.#group = group;
    const { stdin, stdout, stderr } = group.child;
    for (const stream of [stdin, stdout, stderr]) stream.on('error', error => this.onerror?.(error));
    const errors = createTextCodec(this.#options.encoding, 'replace');
    readPaced(stderr, function* (chunk) {
      for (let at = 0; at < chunk.length; at += STDERR_STEP) {
        onStderr(errors.decode(chunk.subarray(at, at + STDERR_STEP)));
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
    const stdin = this.#group?.child.stdin;
    if (!stdin || this.#closed) throw new Error('The process has ended');
    this.#cork(stdin);
    const flushed = stdin.write(this.#codec.encode(`${JSON.stringify(asSent(message))}\n`));
    if (flushed) return;
    this.#unread += 1;
    if (this.#unread > MAX_UNREAD_MESSAGES || stdin.writableLength > MAX_UNREAD_BYTES) this.#fail(NOT_READING);
    await this.#drained(stdin);
  }

  async close(): Promise<void> {
    const first = !this.#closed;
    this.#closed = true;
    if (first) this.onclose?.();
    await this.#group?.stop();
  }

  /** What is sent in one turn of the event loop is written at once: under load that saves most of the system calls. */
  #cork(stdin: Writable): void {
    if (stdin.writableCorked > 0) return;
    stdin.cork();
    setImmediate(() => stdin.uncork());
  }

  /** Resolves when the process takes more, or nothing any more. All who wait share one wait. */
  #drained(stdin: Writable): Promise<void> {
    this.#draining ??= new Promise<void>(resolve => onceAny(stdin, ['drain', 'close', 'error'], resolve)).then(() => {
      this.#draining = undefined;
      this.#unread = 0;
    });
    return this.#draining;
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
      const line = this.#rest + text.slice(start, end);
      this.#rest = '';
      start = end + 1;
      this.#deliver(line);
      yield;
      if (this.#closed) return;
    }
    this.#rest += text.slice(start);
    if (this.#rest.length > MAX_MESSAGE_LENGTH) this.#fail(TOO_LONG);
  }

  #deliver(line: string): void {
    // What is no object is no message, and is found out without the cost of an exception.
    if (!/^\s*\{/.test(line)) {
      this.#skip(line);
      return;
    }
    if (hasTooManyValues(line)) {
      this.#refuse(line);
      return;
    }
    try {
      const message = readMessage(line);
      if (message === undefined) this.onerror?.(new MessageRefused());
      else if (!this.tap?.(message)) this.onmessage?.(parseJSONRPCMessage(message));
    } catch {
      this.#skip(line);
    }
  }

  /** Ends the request that the message answers, without parsing it, or else the connection. */
  #refuse(line: string): void {
    const refusal = withoutValues(line);
    if (!refusal) this.#fail(TOO_MANY_VALUES);
    else if (!this.tap?.(refusal)) this.onmessage?.(refusal);
  }

  /** Lines that are no messages are somebody's stray output, unless they are too many. */
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

function onceAny(emitter: NodeJS.EventEmitter, events: readonly string[], listener: () => void): void {
  const settle = () => {
    for (const event of events) emitter.off(event, settle);
    listener();
  };
  for (const event of events) emitter.on(event, settle);
}
