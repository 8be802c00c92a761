import {
  describeProblem,
  ErrorCode,
  OfficeAck,
  type RequestEventName,
  type RequestOf,
  type ResponseOf,
  readAs,
  readError,
  requestEvents,
  SmcpError,
  toErrorPayload,
  unwrapOk,
} from '@a2c-smcp/protocol';
import { type Logger, silentLogger } from './logger.ts';

/**
 * The part of a Socket.IO socket, client or server side, that requests need. Its arguments are `any` because this
 * file is where unchecked data becomes typed data.
 */
export interface RpcSocket {
  // biome-ignore lint/suspicious/noExplicitAny: the wire boundary
  on(event: any, listener: (...args: any[]) => void): unknown;
  // biome-ignore lint/suspicious/noExplicitAny: the wire boundary
  timeout(milliseconds: number): { emit(event: any, ...args: any[]): unknown };
}

export interface CallOptions {
  /** How long to wait for the answer, in milliseconds. */
  timeout: number;
  /** Ends the wait at once with the signal's reason. The other side is not told. */
  signal?: AbortSignal;
}

export interface ServeOptions {
  /** Hears of errors that the caller learns nothing about. @default silent */
  logger?: Logger;
  /** Hears of the errors that the caller is told. */
  onRefused?: (event: RequestEventName, request: unknown, error: SmcpError) => void;
}

/** Sends a request and returns its validated answer, or throws the `SmcpError` that was answered instead. */
export async function call<E extends RequestEventName>(
  socket: RpcSocket,
  event: E,
  request: RequestOf<E>,
  { timeout, signal }: CallOptions,
): Promise<ResponseOf<E>> {
  const answer = await send(socket, event, request, { timeout, signal });
  const value = answersWithPair(event) ? asPair(answer) : readAnswer(event, answer);
  const answered = readAs(requestEvents[event].response, value);
  if (!answered.success) {
    throw new SmcpError(ErrorCode.Internal, `Malformed answer to ${event}: ${describeProblem(answered.error)}`);
  }
  checkEcho(event, request, value);
  return answered.data as ResponseOf<E>;
}

/** Takes a request and returns its answer, or throws: `SmcpError`s reach the caller, strangers stay at home. */
export type Handler<E extends RequestEventName> = (request: RequestOf<E>) => ResponseOf<E> | Promise<ResponseOf<E>>;

/** Answers every request of one kind on a socket, as `answer` does. */
export function serve<E extends RequestEventName>(
  socket: RpcSocket,
  event: E,
  handler: Handler<E>,
  options?: ServeOptions,
): void {
  socket.on(event, (...args: unknown[]) => answer(event, args, handler, options));
}

/**
 * Answers one request from the arguments it arrived with. Payloads become types and thrown errors become payloads
 * here and nowhere else. Never rejects.
 */
export async function answer<E extends RequestEventName>(
  event: E,
  args: readonly unknown[],
  handler: Handler<E>,
  { logger = silentLogger, onRefused }: ServeOptions = {},
): Promise<void> {
  const ack = findAck(args);
  try {
    const request = readAs(requestEvents[event].request, args[0]);
    if (!request.success) throw new SmcpError(ErrorCode.BadRequest, `${event}: ${describeProblem(request.error)}`);
    const reply = await handler(request.data as RequestOf<E>);
    ack(...(Array.isArray(reply) ? reply : [reply]));
  } catch (error) {
    if (error instanceof SmcpError) onRefused?.(event, args[0], error);
    else logger.error('A request failed unexpectedly', { event, error });
    const payload = toErrorPayload(error);
    ack(...(answersWithPair(event) ? [false, payload.message] : [payload]));
  }
}

/** The acknowledgement among the arguments of an event. A peer that wants no answer sends none. */
export function findAck(args: readonly unknown[]): (...answer: unknown[]) => void {
  const last = args.at(-1);
  return typeof last === 'function' ? (last as (...answer: unknown[]) => void) : () => {};
}

function send(socket: RpcSocket, event: string, request: unknown, options: CallOptions): Promise<unknown[]> {
  const { timeout, signal } = options;
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const abandon = () => reject(signal?.reason);
    signal?.addEventListener('abort', abandon, { once: true });
    // The callback form: `emitWithAck` keeps only the first argument of an acknowledgement.
    socket.timeout(timeout).emit(event, request, (cause: Error | null, ...answer: unknown[]) => {
      signal?.removeEventListener('abort', abandon);
      if (cause) reject(unanswered(event, cause));
      else resolve(answer);
    });
  });
}

function unanswered(event: string, cause: Error): SmcpError {
  const lost = /disconnected/.test(cause.message);
  return new SmcpError(
    ErrorCode.Timeout,
    `${event} was not answered${lost ? ': the connection was lost' : ' in time'}`,
    {
      cause,
      details: { reason: lost ? 'disconnected' : 'timeout' },
    },
  );
}

/** Entering and leaving answer `ok, reason` where other events answer a structure or an error payload. */
function answersWithPair(event: RequestEventName): boolean {
  return requestEvents[event].response === OfficeAck;
}

/** Some peers send the pair as one array, some leave out the reason. */
function asPair(answer: unknown[]): unknown[] {
  const [ok, reason = null] = Array.isArray(answer[0]) ? answer[0] : answer;
  return [ok, reason];
}

function readAnswer(event: string, answer: unknown[]): unknown {
  if (answer.length === 0) {
    throw new SmcpError(ErrorCode.Internal, `${event} was answered with nothing: the other side does not know it`);
  }
  const error = readError(answer[0]);
  if (error) throw error;
  return unwrapOk(answer[0]);
}

function checkEcho(event: string, request: unknown, answer: unknown): void {
  const sent = reqIdOf(request);
  const echoed = reqIdOf(answer);
  if (sent !== undefined && echoed !== undefined && sent !== echoed) {
    throw new SmcpError(ErrorCode.Internal, `${event} was answered with the req_id of another request`);
  }
}

/** The `req_id` of a request or an answer. */
export function reqIdOf(value: unknown): unknown {
  return typeof value === 'object' && value !== null && 'req_id' in value ? value.req_id : undefined;
}
