import type { Readable, Writable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { onAny, settle } from '@a2c-smcp/core';
import {
  type JSONRPCMessage,
  parseJSONRPCMessage,
  STDIO_DEFAULT_MAX_BUFFER_SIZE,
  type Transport,
} from '@modelcontextprotocol/server';

/**
 * MCP over a pair of streams. The SDK's own transport checks each message against a schema before anything else gets it,
 * which takes a tenth of what the bridge does for a tool call.
 */
export class StreamTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #input: Readable;
  readonly #output: Writable;
  readonly #decoder = new StringDecoder('utf8');
  #take: (message: unknown) => boolean = () => false;
  /** The beginning of a line whose end has not come yet. */
  #rest = '';
  /** Pending while the client does not read what was written. */
  #draining: Promise<void> | undefined;
  #isClosed = false;

  constructor(input: Readable, output: Writable) {
    this.#input = input;
    this.#output = output;
  }

  /** Shows every message to `take` before it is checked, and drops those for which it returns true. */
  intercept(take: (message: unknown) => boolean): void {
    this.#take = take;
  }

  async start(): Promise<void> {
    const input = this.#input;
    input.on('data', this.#receive);
    input.on('error', this.#report);
    input.on('end', this.#end);
    input.on('close', this.#end);
    // Stays when the transport is closed: a write may fail later.
    this.#output.on('error', this.#fail);
    if (input.readableEnded || input.destroyed) setImmediate(this.#end);
  }

  /** Resolves when the client can be sent more. */
  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#isClosed) throw new Error('The client has disconnected');
    if (!this.#output.write(`${JSON.stringify(message)}\n`)) this.#draining ??= this.#drained();
    await this.#draining;
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#rest = '';
    const input = this.#input;
    input.off('data', this.#receive);
    input.off('error', this.#report);
    input.off('end', this.#end);
    input.off('close', this.#end);
    if (input.listenerCount('data') === 0) input.pause();
    this.onclose?.();
  }

  readonly #receive = (chunk: Buffer | string): void => {
    const text = typeof chunk === 'string' ? chunk : this.#decoder.write(chunk);
    let start = 0;
    for (let end = text.indexOf('\n'); end !== -1 && !this.#isClosed; end = text.indexOf('\n', start)) {
      const line = this.#rest + text.slice(start, end);
      this.#rest = '';
      start = end + 1;
      this.#deliver(line);
    }
    if (this.#isClosed) return;
    this.#rest += text.slice(start);
    if (this.#rest.length > STDIO_DEFAULT_MAX_BUFFER_SIZE) this.#fail(new Error('The client sent too long a message'));
  };

  /** A line that is not JSON is ignored: it may be output of something else. */
  #deliver(line: string): void {
    let message: unknown;
    try {
      // How deep it may be nested is for the Agent to decide, which answers the client.
      message = JSON.parse(line);
    } catch {
      return;
    }
    try {
      if (!this.#take(message)) this.onmessage?.(parseJSONRPCMessage(message));
    } catch (error) {
      this.#report(error as Error);
    }
  }

  async #drained(): Promise<void> {
    await settle<void>(resolve => onAny(this.#output, ['drain', 'close', 'error'], resolve));
    this.#draining = undefined;
  }

  readonly #report = (error: Error): void => this.onerror?.(error);

  readonly #end = (): void => void this.close();

  readonly #fail = (error: Error): void => {
    if (this.#isClosed) return;
    this.#report(error);
    this.#end();
  };
}
