import { ProtocolError, SdkError, SdkErrorCode } from '@modelcontextprotocol/client';
import type { Interruption } from '../interruption.ts';
import type { RawResult } from './mcp-schemas.ts';
import type { StdioTransport } from './stdio-transport.ts';

interface Waiting {
  resolve: (result: RawResult) => void;
  reject: (error: unknown) => void;
}

interface Answer {
  id: number;
  result?: unknown;
  error?: unknown;
}

/** The SDK counts its requests from 0, so that the answers to both are told apart. */
const FIRST_ID = 2 ** 30;

/**
 * Tool calls to a process past the SDK's client, which checks each answer against several schemas and so costs more than
 * all the rest of a call. Only for the protocol of 2025: what a later one puts around a call, the SDK knows.
 *
 * Results and errors are what the SDK's client would give for them, and results are as the server sent them.
 */
export class DirectCalls {
  readonly #transport: StdioTransport;
  readonly #waiting = new Map<number, Waiting>();
  #nextId = FIRST_ID;

  constructor(transport: StdioTransport) {
    this.#transport = transport;
    transport.tap = message => this.#take(message);
  }

  /** Runs a tool until it answers or is interrupted; the server is told of the latter. */
  call(name: string, params: Record<string, unknown>, interruption: Interruption): Promise<RawResult> {
    return new Promise((resolve, reject) => {
      interruption.throwIfInterrupted();
      const id = this.#nextId++;
      const settle = () => {
        this.#waiting.delete(id);
        interruption.listen();
      };
      const fail = (error: unknown) => {
        settle();
        reject(error);
      };
      const succeed = (result: RawResult) => {
        settle();
        resolve(result);
      };
      this.#waiting.set(id, { resolve: succeed, reject: fail });
      interruption.listen(() => {
        fail(interruption.reason);
        this.#cancel(id);
      });
      const request = { name, arguments: params };
      this.#transport.send({ jsonrpc: '2.0', id, method: 'tools/call', params: request }).catch(fail);
    });
  }

  /** Fails what waits: the process is gone. */
  close(): void {
    const closed = new SdkError(SdkErrorCode.ConnectionClosed, 'Connection closed');
    for (const { reject } of [...this.#waiting.values()]) reject(closed);
  }

  #cancel(requestId: number): void {
    const params = { requestId, reason: 'The result is not wanted any more' };
    // A process that has ended needs no cancelling.
    this.#transport.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params }).catch(() => {});
  }

  /** Deals with a message if it answers one of our calls; answers that come too late are nobody's. */
  #take(message: unknown): boolean {
    if (!isAnswer(message)) return false;
    const { id, result, error } = message;
    const waiting = this.#waiting.get(id);
    if (isObject(result)) {
      waiting?.resolve(result);
    } else {
      const {
        code,
        message: text,
        data,
      } = isObject(error) ? error : { code: -32603, message: 'Neither result nor error' };
      waiting?.reject(ProtocolError.fromError(Number(code), String(text), data));
    }
    return true;
  }
}

function isAnswer(message: unknown): message is Answer {
  return isObject(message) && typeof message.id === 'number' && message.id >= FIRST_ID && message.method === undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
