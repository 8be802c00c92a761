import type { Socket } from 'node:net';
import { isObject, type Json, parseJson } from '@a2c-smcp/core';

/** Characters of one message, and bytes that may wait to be written. */
const MAX_MESSAGE_LENGTH = 64 * 1024 * 1024;

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

  /** A message to a socket that is closing is lost; the 'close' event follows. */
  send(message: Json): void {
    if (this.#socket.destroyed) return;
    this.#socket.write(`${JSON.stringify(message)}\n`);
    // The other process does not read.
    if (this.#socket.writableLength > MAX_MESSAGE_LENGTH) this.#socket.destroy();
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
    if (this.#length > MAX_MESSAGE_LENGTH) {
      this.destroy();
      return;
    }
    this.#parts.push(text);
    if (!text.includes('\n')) return;
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
