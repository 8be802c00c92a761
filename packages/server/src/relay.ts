import { ErrorCode, findAck, type Logger, SmcpError, toErrorPayload } from '@a2c-smcp/protocol';
import { Deadlines } from './deadlines.ts';
import type { Limits } from './limits.ts';
import type { Offices } from './offices.ts';
import type { Call, PeerSocket } from './sockets.ts';
import { Verbatim } from './wire/verbatim.ts';

/** How a relayed call ended. */
export type Outcome = 'answered' | 'refused' | 'timeout' | 'computer_lost' | 'agent_lost';

export interface RelayOptions {
  offices: Offices<PeerSocket>;
  limits: Limits;
  /** Milliseconds a Computer may take for anything but a tool call, which brings its own limit. */
  timeout: number;
  logger: Logger;
  /** Hears of every call that ended, with the milliseconds it took. */
  onSettled: (event: string, outcome: Outcome, milliseconds: number) => void;
}

/** What a Computer gets on top of the time limit of a request, so that its own answer comes first. */
const SLACK = 5000;
const LONGEST_TIMEOUT_SECONDS = 3600;

/** The part of a socket that forwards: a newer peer's events are forwarded too, so their names are any text. */
interface Outlet {
  emit(event: string, body: unknown, ack: (...answer: unknown[]) => void): unknown;
}

/**
 * Carries every `client:*` request from an Agent to the Computer it names, and the answer back, both as they came. Only
 * the fields it routes by are looked at.
 */
export class Relay {
  readonly #options: RelayOptions;
  readonly #deadlines = new Deadlines<Call>(call => this.#expire(call));
  #inFlight = 0;
  #idle?: () => void;

  constructor(options: RelayOptions) {
    this.#options = options;
  }

  /** Calls that wait for an answer. */
  get inFlight(): number {
    return this.#inFlight;
  }

  forward(agent: PeerSocket, event: string, args: readonly unknown[]): void {
    const ack = findAck(args);
    const [request] = args;
    const body = request instanceof Verbatim ? request.body : request;
    try {
      const call = this.#open(agent, event, body, ack);
      const outlet = call.computer as Outlet;
      outlet.emit(event, request, (...answer) => this.#answered(call, answer));
    } catch (error) {
      this.#refuse(event, body, error, ack);
    }
  }

  /** Answers at once every call that a lost connection had to answer, and forgets those it waited for. */
  lost(peer: PeerSocket): void {
    for (const call of peer.data.serving ?? []) {
      const details = { reason: 'computer_disconnected' };
      const error = new SmcpError(ErrorCode.NotFound, 'The computer disconnected before it answered', { details });
      this.#settle(call, 'computer_lost');
      call.ack(toErrorPayload(error));
    }
    for (const call of peer.data.calls?.values() ?? []) this.#settle(call, 'agent_lost');
  }

  /** Resolves when no call is in flight, or after `milliseconds`. */
  async drain(milliseconds: number): Promise<void> {
    if (this.#inFlight === 0) return;
    await new Promise<void>(resolve => {
      const timer = setTimeout(resolve, milliseconds);
      this.#idle = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  close(): void {
    this.#deadlines.close();
  }

  #open(agent: PeerSocket, event: string, body: unknown, ack: Call['ack']): Call {
    const { offices, limits } = this.#options;
    const request = routingFields(event, body);
    const member = offices.member(agent);
    if (!member) throw new SmcpError(ErrorCode.NotInOffice, 'Join an office first');
    if (member.role !== 'agent') throw new SmcpError(ErrorCode.Forbidden, `Only an Agent may send ${event}`);
    if (request.agent !== member.name) {
      throw new SmcpError(ErrorCode.Forbidden, `'agent' must be '${member.name}', the name you joined with`);
    }
    const computer = offices.computer(member.office, request.computer);
    if (!computer) throw new SmcpError(ErrorCode.NotFound, `No computer '${request.computer}' in this office`);

    agent.data.calls ??= new Map();
    const { calls } = agent.data;
    if (calls.has(request.req_id)) {
      throw new SmcpError(ErrorCode.BadRequest, `A request with req_id '${request.req_id}' is still under way`);
    }
    if (calls.size >= limits.callsPerAgent) {
      throw new SmcpError(
        ErrorCode.TooManyRequests,
        `${limits.callsPerAgent} calls are under way; wait for one to end`,
      );
    }
    const call: Call = {
      event,
      reqId: request.req_id,
      agent,
      computer: computer.peer,
      started: performance.now(),
      ack,
      slot: 0,
      settled: false,
    };
    call.slot = this.#deadlines.add(call, this.#timeLimit(event, request.timeout));
    calls.set(call.reqId, call);
    computer.peer.data.serving ??= new Set();
    computer.peer.data.serving.add(call);
    this.#inFlight += 1;
    return call;
  }

  #timeLimit(event: string, seconds: number | undefined): number {
    if (seconds === undefined) return this.#options.timeout;
    const limit = Math.min(seconds, LONGEST_TIMEOUT_SECONDS) * 1000 + SLACK;
    return event === 'client:tool_call' ? limit : Math.max(limit, this.#options.timeout);
  }

  #answered(call: Call, answer: unknown[]): void {
    if (call.settled) {
      // Too late for the Agent, but it shows that the Computer is alive.
      call.computer.data.unanswered -= 1;
      return;
    }
    this.#settle(call, 'answered');
    call.ack(...answer);
  }

  #expire(call: Call): void {
    const { logger, limits } = this.#options;
    this.#settle(call, 'timeout');
    logger.warn('A computer did not answer in time', {
      event: call.event,
      req_id: call.reqId,
      code: ErrorCode.Timeout,
    });
    call.ack(toErrorPayload(new SmcpError(ErrorCode.Timeout, 'The computer did not answer in time')));
    // Socket.IO keeps a callback for each, so a Computer that never answers must not go on for ever.
    call.computer.data.unanswered += 1;
    if (call.computer.data.unanswered > limits.unansweredCalls) {
      logger.warn('A computer that does not answer was disconnected', { sid: call.computer.id });
      call.computer.disconnect(true);
    }
  }

  #settle(call: Call, outcome: Outcome): void {
    call.settled = true;
    this.#deadlines.remove(call, call.slot);
    call.agent.data.calls?.delete(call.reqId);
    call.computer.data.serving?.delete(call);
    this.#inFlight -= 1;
    this.#options.onSettled(call.event, outcome, performance.now() - call.started);
    if (this.#inFlight === 0) this.#idle?.();
  }

  #refuse(event: string, body: unknown, error: unknown, ack: Call['ack']): void {
    const { logger, onSettled } = this.#options;
    const payload = toErrorPayload(error);
    const req_id = reqIdOf(body);
    if (error instanceof SmcpError) logger.warn('A request was refused', { event, req_id, code: error.code });
    else logger.error('A request failed unexpectedly', { event, req_id, error });
    onSettled(event, 'refused', 0);
    ack(payload);
  }
}

interface RoutingFields {
  agent: string;
  computer: string;
  req_id: string;
  timeout?: number;
}

/** Checked by hand: a schema would cost more than all the rest of a call. */
function routingFields(event: string, body: unknown): RoutingFields {
  if (typeof body !== 'object' || body === null) throw malformed(event, 'expected an object');
  const { agent, computer, req_id, timeout } = body as Record<string, unknown>;
  if (typeof agent !== 'string') throw malformed(event, 'agent: expected string');
  if (typeof computer !== 'string') throw malformed(event, 'computer: expected string');
  if (typeof req_id !== 'string') throw malformed(event, 'req_id: expected string');
  if (req_id === '' || req_id.length > 1024) throw malformed(event, 'req_id: expected 1 to 1024 characters');
  if (timeout === undefined || timeout === null) {
    if (event === 'client:tool_call') throw malformed(event, 'timeout: expected a number of seconds');
    return { agent, computer, req_id };
  }
  if (typeof timeout !== 'number' || !(timeout > 0)) throw malformed(event, 'timeout: expected a number of seconds');
  return { agent, computer, req_id, timeout };
}

function malformed(event: string, problem: string): SmcpError {
  return new SmcpError(ErrorCode.BadRequest, `${event}: ${problem}`);
}

function reqIdOf(body: unknown): unknown {
  return typeof body === 'object' && body !== null && 'req_id' in body ? body.req_id : undefined;
}
