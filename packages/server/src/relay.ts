import { Deadlines, findAck, type Logger, reqIdOf } from '@a2c-smcp/core';

import { clientEvents, ErrorCode, SmcpError, toErrorPayload } from '@a2c-smcp/protocol';
import { disconnected } from './cluster/errors.ts';
import type { RemoteCalls } from './cluster/remote-calls.ts';
import type { Limits } from './limits.ts';
import type { Offices } from './offices.ts';
import type { Call, PeerSocket } from './sockets.ts';
import { ConnectionGuard } from './wire/connection-guard.ts';
import { askThroughSocketIo } from './wire/slow-path.ts';
import { encode, Verbatim } from './wire/verbatim.ts';

/** How a relayed call ended. */
export type Outcome = 'answered' | 'refused' | 'timeout' | 'computer_lost' | 'agent_lost';

export interface RelayOptions {
  offices: Offices<PeerSocket>;
  limits: Limits;
  /** Milliseconds a Computer may take for anything but a tool call, which brings its own limit. */
  timeout: number;
  /** Carries calls to Computers of other nodes, when there are any. */
  remote?: RemoteCalls;
  logger: Logger;
  /** Hears of every call that ended, with the milliseconds it took. */
  onSettled: (event: string, outcome: Outcome, milliseconds: number) => void;
}

/** What a Computer gets on top of the time limit of a request, so that its own answer comes first. */
const SLACK = 5000;
const LONGEST_TIMEOUT_SECONDS = 3600;

/** What the Server reads of a request. */
interface Route {
  office: string;
  computer: string;
  reqId: string;
  /** In milliseconds, with the slack. */
  timeout: number;
}

/** A call as another node sends it: all arguments of the event as JSON, and the milliseconds somebody waits for it. */
export interface ForeignCall {
  event: string;
  body: Buffer;
  timeout: number;
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
      const route = this.#route(agent, event, body);
      const { offices, remote, limits } = this.#options;
      const message = request instanceof Verbatim ? request : encode([event, request], limits.messageBytes);
      const computer = offices.computer(route.office, route.computer);
      if (computer) checkBacklog(computer.peer, message, limits.backlogBytes);
      if (computer) this.#deliver(this.#open(agent, event, route, ack), computer.peer, message);
      else if (remote) this.#deliverElsewhere(this.#open(agent, event, route, ack), route, message, remote);
      else throw new SmcpError(ErrorCode.NotFound, `No computer '${route.computer}' in this office`);
    } catch (error) {
      this.#refuse(event, body, error, ack);
    }
  }

  /** Carries out a call that another node forwards to a Computer of this one. Returns a function that abandons it. */
  serve(computer: PeerSocket, { event, body, timeout }: ForeignCall, ack: Call['ack']): () => void {
    const call: Call = { event, reqId: '', started: performance.now(), ack, slot: 0, settled: false };
    call.slot = this.#deadlines.add(call, timeout);
    this.#inFlight += 1;
    this.#deliver(call, computer, new Verbatim(body));
    return () => {
      if (!call.settled) this.#settle(call, 'agent_lost');
    };
  }

  /** Answers at once every call that a lost connection had to answer, and forgets those it waited for. */
  lost(peer: PeerSocket): void {
    for (const call of peer.data.serving ?? []) this.#fail(call, 'computer_lost', disconnected());
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

  /** Where a request goes, if its sender may send it. */
  #route(agent: PeerSocket, event: string, body: unknown): Route {
    const request = routingFields(event, body);
    const member = this.#options.offices.member(agent);
    if (!member) throw new SmcpError(ErrorCode.NotInOffice, 'Join an office first');
    if (member.role !== 'agent') throw new SmcpError(ErrorCode.Forbidden, `Only an Agent may send ${event}`);
    if (request.agent !== member.name) {
      throw new SmcpError(ErrorCode.Forbidden, `'agent' must be '${member.name}', the name you joined with`);
    }
    const timeout = this.#timeLimit(event, request.timeout);
    return { office: member.office, computer: request.computer, reqId: request.req_id, timeout };
  }

  #open(agent: PeerSocket, event: string, { reqId, timeout }: Route, ack: Call['ack']): Call {
    const { callsPerAgent } = this.#options.limits;
    agent.data.calls ??= new Map();
    const { calls } = agent.data;
    if (calls.has(reqId)) {
      throw new SmcpError(ErrorCode.BadRequest, `A request with req_id '${reqId}' is still under way`);
    }
    if (calls.size >= callsPerAgent) {
      throw new SmcpError(ErrorCode.TooManyRequests, `${callsPerAgent} calls are under way; wait for one to end`);
    }
    const call: Call = { event, reqId, agent, started: performance.now(), ack, slot: 0, settled: false };
    call.slot = this.#deadlines.add(call, timeout);
    calls.set(reqId, call);
    this.#inFlight += 1;
    return call;
  }

  #deliver(call: Call, computer: PeerSocket, request: Verbatim): void {
    call.computer = computer;
    computer.data.serving ??= new Set();
    computer.data.serving.add(call);
    const onAnswer = (...answer: unknown[]) => this.#answered(call, answer);
    const { lane } = computer.data;
    call.forget = lane
      ? lane.ask(call.event, request, onAnswer)
      : askThroughSocketIo(computer, call.event, request, onAnswer);
  }

  /** A Computer that is not here may be on another node. */
  #deliverElsewhere(call: Call, { office, computer, timeout }: Route, { json }: Verbatim, remote: RemoteCalls): void {
    call.forget = remote.send({
      event: call.event,
      office,
      computer,
      body: json,
      timeout,
      onAnswer: (...answer) => this.#answered(call, answer),
      onFailure: error => {
        if (!call.settled) this.#fail(call, error.details ? 'computer_lost' : 'refused', error);
      },
    });
  }

  #timeLimit(event: string, seconds: number | undefined): number {
    if (seconds === undefined) return this.#options.timeout;
    const limit = Math.min(seconds, LONGEST_TIMEOUT_SECONDS) * 1000 + SLACK;
    return event === 'client:tool_call' ? limit : Math.max(limit, this.#options.timeout);
  }

  #answered(call: Call, answer: unknown[]): void {
    if (call.settled) return;
    if (call.computer) call.computer.data.unanswered = 0;
    this.#settle(call, 'answered');
    call.ack(this.#encodeAnswer(answer));
  }

  #encodeAnswer(answer: unknown[]): unknown {
    if (answer[0] instanceof Verbatim) return answer[0];
    try {
      return encode(answer, this.#options.limits.messageBytes);
    } catch (error) {
      return toErrorPayload(error);
    }
  }

  #expire(call: Call): void {
    // Those of one moment expire together, and the first may have ended the connection of all.
    if (call.settled) return;
    this.#fail(call, 'timeout', new SmcpError(ErrorCode.Timeout, 'The computer did not answer in time'));
    const { computer } = call;
    // A Computer does not know the events of later versions, and need not answer them.
    if (!computer?.connected || !Object.hasOwn(clientEvents, call.event)) return;
    computer.data.unanswered += 1;
    const { logger, limits } = this.#options;
    if (computer.data.unanswered > limits.unansweredCalls) {
      logger.warn('A computer that does not answer was disconnected', { sid: computer.id });
      computer.disconnect(true);
    }
  }

  #fail(call: Call, outcome: Outcome, error: SmcpError): void {
    const { event, reqId } = call;
    this.#settle(call, outcome);
    this.#options.logger.warn('A call was not answered', { event, req_id: reqId, code: error.code, outcome });
    call.ack(toErrorPayload(error));
  }

  #settle(call: Call, outcome: Outcome): void {
    call.settled = true;
    call.forget?.();
    this.#deadlines.remove(call, call.slot);
    call.agent?.data.calls?.delete(call.reqId);
    call.computer?.data.serving?.delete(call);
    this.#inFlight -= 1;
    // A call for another node is counted there.
    if (call.agent) this.#options.onSettled(call.event, outcome, performance.now() - call.started);
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

/** Refuses what would wait for a Computer that has not read what waits already: it is not to blame for its Agent. */
function checkBacklog(computer: PeerSocket, { json }: Verbatim, limit: number): void {
  const guard = ConnectionGuard.of(computer.conn);
  if (guard.backlog + json.length <= limit) return;
  guard.onBacklog(limit + 1);
  throw new SmcpError(ErrorCode.TooManyRequests, 'The computer has not read earlier messages yet; try again later');
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
