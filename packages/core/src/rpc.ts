import {
  describeProblem,
  ErrorCode,
  OfficeAck,
  type RequestEventName,
  type RequestOf,
  type ResponseOf,
  readError,
  requestEvents,
  SmcpError,
  toErrorPayload,
  unwrapOk,
} from '@a2c-smcp/protocol';
import { isObject } from './bounds.ts';
import type { StopSignal } from './emitter.ts';
import { type Logger, silentLogger } from './logger.ts';

/** Sends requests. */
export interface Caller {
  /** Resolves with the arguments of the answer. */
  request(event: string, body: unknown, options: CallOptions): Promise<unknown[]>;
}

/** Receives events; the last argument of one that wants an answer sends it. A Socket.IO socket is one. */
export interface Listenable {
  // biome-ignore lint/suspicious/noExplicitAny: the wire boundary, where unchecked data becomes typed data
  on(event: any, listener: (...args: any[]) => void): unknown;
}

export interface CallOptions {
  /** How long to wait for the answer, in milliseconds. */
  timeout: number;
  /** Rejects the call at once with the signal's reason. Nothing is sent. */
  signal?: StopSignal | undefined;
}

export interface ServeOptions {
  /** Gets the errors that are not sent to the caller. @default silent */
  logger?: Logger;
  /** Called with the errors that are sent to the caller. */
  onRefused?: (event: RequestEventName, request: unknown, error: SmcpError) => void;
  /** How joins and leaves are answered: from 0.5 on success is nothing at all. @default 'pair' */
  acks?: AckShape;
  /** Makes of what the handler throws what the caller may see. */
  shown?: (error: unknown) => unknown;
}

/** Until 0.4 joins and leaves are answered `ok, reason`; from 0.5 on with nothing, or an error payload. */
export type AckShape = 'pair' | 'flat';

/** Sends the arguments of an answer. */
export type Reply = (...answer: unknown[]) => void;

/** Sends a request and returns its validated answer, or throws the `SmcpError` that was answered instead. */
export async function call<E extends RequestEventName>(
  caller: Caller,
  event: E,
  request: RequestOf<E>,
  options: CallOptions,
): Promise<ResponseOf<E>> {
  let answer: unknown[];
  try {
    answer = await caller.request(event, request, options);
  } catch (error) {
    throw unanswered(event, error);
  }
  const value = answersWithPair(event) ? asPair(answer) : readAnswer(event, answer);
  const answered = requestEvents[event].response.safeParse(value);
  if (!answered.success) {
    const problem = isEmpty(value) ? LOST_ERROR : describeProblem(answered.error);
    throw new SmcpError(ErrorCode.Internal, `Malformed answer to ${event}: ${problem}`);
  }
  checkEcho(event, request, value);
  return answered.data as ResponseOf<E>;
}

/** Takes a request and returns its answer. An `SmcpError` that it throws is sent to the caller, any other is logged. */
export type Handler<E extends RequestEventName> = (request: RequestOf<E>) => ResponseOf<E> | Promise<ResponseOf<E>>;

interface Serving<E extends RequestEventName> extends ServeOptions {
  handler: Handler<E>;
}

/** Answers every request of one kind on a socket, as `answer` does. */
export function serve<E extends RequestEventName>(
  socket: Listenable,
  event: E,
  handler: Handler<E>,
  options?: ServeOptions,
): void {
  const serving = { ...options, handler };
  socket.on(event, (...args: unknown[]) => void answer(event, args[0], replyIn(args), serving));
}

/**
 * Answers one request. Payloads become types and thrown errors become payloads here and nowhere else. Never rejects.
 */
export async function answer<E extends RequestEventName>(
  event: E,
  body: unknown,
  reply: Reply,
  { handler, logger = silentLogger, onRefused, acks = 'pair', shown = error => error }: Serving<E>,
): Promise<void> {
  try {
    const request = requestEvents[event].request.safeParse(body);
    if (!request.success) throw new SmcpError(ErrorCode.BadRequest, `${event}: ${describeProblem(request.error)}`);
    const response = await handler(request.data as RequestOf<E>);
    if (!Array.isArray(response)) reply(response);
    else reply(...(acks === 'pair' ? response : []));
  } catch (thrown) {
    const error = shown(thrown);
    if (error instanceof SmcpError) onRefused?.(event, body, error);
    else logger.error('A request failed unexpectedly', { event, error });
    reply(...refusalOf(event, error, acks));
  }
}

/** The arguments of the answer that refuses a request, in the form that its event has. */
export function refusalOf(event: unknown, error: unknown, acks: AckShape = 'pair'): unknown[] {
  const payload = toErrorPayload(error);
  return acks === 'pair' && answersWithPair(event) ? [false, payload.message] : [payload];
}

/** Socket.IO's acknowledgement, the last argument of an event. It is missing when the peer wants no answer. */
export function replyIn(args: readonly unknown[]): Reply {
  const last = args.at(-1);
  return typeof last === 'function' ? (last as Reply) : () => {};
}

/** A failed request names its event; the reason of a signal stays as it is. */
function unanswered(event: string, error: unknown): unknown {
  if (!(error instanceof SmcpError) || error.code !== ErrorCode.Timeout) return error;
  const isLost = error.reason === 'disconnected';
  const message = `${event} was not answered${isLost ? ': the connection was lost' : ' in time'}`;
  return new SmcpError(ErrorCode.Timeout, message, { cause: error, ...(error.details && { details: error.details }) });
}

/** Entering and leaving answer `ok, reason` where other events answer a structure or an error payload. */
function answersWithPair(event: unknown): boolean {
  const isKnown = typeof event === 'string' && Object.hasOwn(requestEvents, event);
  return isKnown && requestEvents[event as RequestEventName].response === OfficeAck;
}

/** Some peers send the pair as one array, some leave out the reason; those of 0.5 answer nothing, or an error. */
function asPair(answer: unknown[]): unknown[] {
  const [ok, reason = null] = Array.isArray(answer[0]) ? answer[0] : answer;
  if (ok === undefined || ok === null) return [true, null];
  const error = readError(ok);
  if (error) throw error;
  return [ok, reason];
}

/** The replacement that official Python Servers until 0.4.2 send for an error whose code they do not know. */
const LOST_ERROR = 'it is an empty object. The Server may have lost an error: look into the log of the other side';

function isEmpty(value: unknown): boolean {
  return isObject(value) && Object.keys(value).length === 0;
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
