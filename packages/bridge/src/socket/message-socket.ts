import type { Socket } from 'node:net';
import { isObject, type Json, parseJson } from '@a2c-smcp/core';

/** Characters of one message: half of the longest string of V8. */
const MAX_MESSAGE_LENGTH = 256 * 1024 * 1024;
/** Bytes that may wait to be written before another message: some of the longest. */
const MAX_BACKLOG_BYTES = 2 * MAX_MESSAGE_LENGTH;

/** A socket between two processes of one user: one JSON object on each line. */
export class MessageSocket {
  readonly #socket: Socket;
  readonly #parts: string[] = [];
  #length = 0;

  constructor(socket: Socket, onMessage: (message: Json) => void) {
    this.#socket = socket;
    // A 'close' event follows.
    socket.on('error', () => {});
    socket.setEncoding('utf8').on('data', (text: string) => this.#read(text, onMessage));
  }

  onClose(listener: () => void): void {
    this.#socket.once('close', listener);
  }

  /**
   * Sends a message, or returns false if it is too long. A message to a socket that is closing is lost; the 'close' event
   * follows.
   */
  send(message: Json): boolean {
    const socket = this.#socket;
    const text = JSON.stringify(message);
    if (text.length > MAX_MESSAGE_LENGTH) return false;
    // The other process does not read.
    if (socket.writableLength > MAX_BACKLOG_BYTES) socket.destroy();
    if (!socket.destroyed) socket.write(`${text}\n`);
    return true;
  }

  /** Sends what is pending and closes. */
  end(): void {
    this.#socket.end();
  }

  destroy(): void {
    this.#socket.destroy();
  }

  #read(text: string, onMessage: (message: Json) => void): void {
    this.#length += text.length;
    this.#parts.push(text);
    if (!text.includes('\n')) {
      if (this.#length > MAX_MESSAGE_LENGTH) this.destroy();
      return;
    }
    const lines = this.#parts.join('').split('\n');
    const rest = lines.pop() ?? '';
    this.#parts.splice(0, this.#parts.length, rest);
    this.#length = rest.length;
    for (const line of lines) {
      const message = parseLine(line);
      if (message) onMessage(message);
      else this.destroy();
    }
  }
}

function parseLine(line: string): Json | undefined {
  try {
    const message = parseJson(line);
    return isObject(message) ? message : undefined;
  } catch {
    return undefined;
  }
}
