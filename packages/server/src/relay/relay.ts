import { type Logger, PendingCalls, readJson, reqIdOf, within, writeHead } from '@a2c-smcp/core';
import { clientEvents, ErrorCode, MAX_TIMEOUT_S, readError, SERVER_TOOL_SLACK_MS, SmcpError } from '@a2c-smcp/protocol';
import type { Authorize } from '../auth/identity.ts';
import { disconnected, notFound } from '../cluster/errors.ts';
import type { RemoteCalls } from '../cluster/remote-calls.ts';
import { type Limits, limitReached } from '../limits.ts';
import type { Offices } from '../office/offices.ts';
import type { PeerSocket } from '../office/session.ts';
import { type Arguments, errorAnswer, type Message, type Reply } from '../wire/channel.ts';
import { guardOf } from '../wire/connection-guard.ts';
import type { CallObserver, Outcome, Route, SentCall } from './call-observer.ts';

interface CallMetrics {
  /** Counts a call that ended. */
  recordCall(event: string, outcome: Outcome, milliseconds: number): void;
}

export interface RelayOptions {
  offices: Offices<PeerSocket>;
  limits: Limits;
  /** Milliseconds a Computer may take for anything but a tool call, which brings its own limit. */
  timeout: number;
  /** Asked before a request is forwarded. */
  authorize?: Authorize | undefined;
  /** Carries calls to Computers of other nodes, when there are any. */
  remote?: RemoteCalls;
  logger: Logger;
  metrics: CallMetrics;
  observer?: CallObserver | undefined;
}

/** The route of a call that another node forwards, which is routed and recorded there. */
const FOREIGN: Route = { office: '', agent: '', computer: '', reqId: '', timeout: 0, tool: undefined };

/** A call that another node forwards: all arguments of the event as JSON, and its deadline in milliseconds from now. */
export interface ForeignCall {
  event: string;
  json: Buffer;
  timeout: number;
}

/** A request that is not answered yet. */
interface Call extends SentCall {
  readonly route: Readonly<Route>;
  /** Absent when the Agent is on another node. */
  readonly agent: PeerSocket | undefined;
  /** Absent when the Computer is on another node. */
  readonly computer: PeerSocket | undefined;
  /** Abandons the call on another node. */
  abandon: (() => void) | undefined;
  /** In milliseconds of `performance.now()`. */
  readonly started: number;
  readonly reply: Reply;
}

/** The id of a call that is not sent yet. */
const UNSENT = -1;

/**
 * Carries every `client:*` request from an Agent to the Computer it names, and the answer back, both as they came. Only
 * the fields it routes by are looked at.
 */
export class Relay {
  readonly #options: RelayOptions;
  readonly #pending = new PendingCalls<Call>({ onTimeout: (call, id) => this.#expire(call, id) });
  #idle?: () => void;

  constructor(options: RelayOptions) {
    this.#options = options;
  }

  /** Calls that are not answered yet. */
  get inFlight(): number {
    return this.#pending.size;
  }

  forward(agent: PeerSocket, event: string, message: Message): void {
    const { authorize } = this.#options;
    if (authorize) void this.#ask(authorize, agent, event, message);
    else this.#forward(agent, event, message);
  }

  /** An Agent gives a call up. One that is still checked is not sent. */
  cancel({ data: { calls } }: PeerSocket, body: unknown): void {
    const reqId = reqIdOf(body);
    if (typeof reqId === 'string' && calls?.get(reqId) === UNSENT) calls.delete(reqId);
  }

  /** Forwards a request that is allowed. While it is checked, it counts as one in flight. */
  async #ask(authorize: Authorize, agent: PeerSocket, event: string, message: Message): Promise<void> {
    const { body, reply } = message;
    const { data } = agent;
    try {
      const { office, computer, reqId } = this.#route(agent, event, body);
      const tool = toolOf(event, body);
      this.#checkRoom(agent, reqId);
      data.calls ??= new Map();
      data.calls.set(reqId, UNSENT);
      const name = this.#options.offices.member(agent)?.name ?? '';
      const call = { identity: data.identity, office, agent: name, computer, event, ...(tool && { tool }) };
      const check = async () => authorize(call);
      try {
        if (!(await within(check(), { timeout: this.#options.timeout }))) throw notAllowed(computer, tool);
        if (data.calls.get(reqId) !== UNSENT)
          throw new SmcpError(ErrorCode.BadRequest, 'The call was cancelled before it was sent');
      } finally {
        data.calls.delete(reqId);
      }
      // It was checked for this office.
      if (this.#options.offices.member(agent)?.office !== office) throw notJoined();
    } catch (error) {
      this.#refuse(agent, event, body, error, reply);
      return;
    }
    this.#forward(agent, event, message);
  }

  #forward(agent: PeerSocket, event: string, { body, json, reply }: Message): void {
    try {
      const route = this.#route(agent, event, body);
      const { offices, remote, limits } = this.#options;
      const computer = offices.computer(route.office, route.computer)?.peer;
      if (!computer && !remote) throw notFound(route.computer, offices.membersOf(route.office));
      if (computer) checkBacklog(computer, json, limits.backlogBytes);
      this.#checkRoom(agent, route.reqId);
      const started = performance.now();
      const call = { event, route, bytes: json.length, agent, computer, abandon: undefined, started, reply };
      const id = this.#open(call, route.timeout);
      if (computer) computer.data.channel?.send(writeHead('event', id), json, this.inFlight === 1);
      else if (remote) this.#deliverElsewhere(id, call, json, remote);
    } catch (error) {
      this.#refuse(agent, event, body, error, reply);
    }
  }

  /** Carries out a call that another node forwards to a Computer of this one. Returns a function that abandons it. */
  serve(computer: PeerSocket, { event, json, timeout }: ForeignCall, reply: Reply): () => void {
    try {
      checkBacklog(computer, json, this.#options.limits.backlogBytes);
    } catch (error) {
      reply(errorAnswer(error));
      return () => {};
    }
    const started = performance.now();
    const bytes = json.length;
    const call = { event, route: FOREIGN, bytes, agent: undefined, computer, abandon: undefined, started, reply };
    const id = this.#open(call, timeout);
    computer.data.channel?.send(writeHead('event', id), json, this.inFlight === 1);
    return () => this.#settle(id, 'agent_lost');
  }

  /** True if a Computer has to answer a call. An answer that is late shows all the same that the Computer is alive. */
  isPending(computer: PeerSocket, id: number): boolean {
    computer.data.unanswered = 0;
    return this.#pending.get(id)?.computer === computer;
  }

  /**
   * Takes the answer of a Computer and passes it on as it is. An error in it is logged on the node of the Agent, where its
   * `req_id` is known.
   */
  answered(id: number, answer: Arguments): void {
    const call = this.#pending.take(id);
    if (!call) return;
    const { event, route, agent, reply } = call;
    const code = agent && errorIn(answer)?.code;
    this.#release(call, id, 'answered', code, answer.length);
    if (code !== undefined) {
      this.#options.logger.warn('A computer refused a request', { event, req_id: route.reqId, code });
    }
    reply(answer, this.inFlight === 0);
  }

  /** Fails every call that a lost connection had to answer, and abandons those it has sent. */
  lost(peer: PeerSocket): void {
    for (const id of [...(peer.data.serving ?? [])]) this.#fail(id, 'computer_lost', disconnected());
    for (const id of [...(peer.data.calls?.values() ?? [])]) this.#settle(id, 'agent_lost');
  }

  /** Resolves when no call is in flight, or after `milliseconds`. */
  async drain(milliseconds: number): Promise<void> {
    if (this.inFlight === 0) return;
    const idle = new Promise<void>(resolve => {
      this.#idle = resolve;
    });
    await within(idle, { timeout: milliseconds }).catch(() => {});
  }

  /** Drops all calls in flight. */
  close(): void {
    this.#pending.takeAll();
  }

  /** Where a request goes, if its sender may send it. */
  #route(agent: PeerSocket, event: string, body: unknown): Route {
    const request = routingFields(event, body);
    const member = this.#options.offices.member(agent);
    if (!member) throw notJoined();
    if (member.role !== 'agent') throw new SmcpError(ErrorCode.Forbidden, `Only an Agent may send ${event}`);
    if (request.agent !== member.name) {
      throw new SmcpError(ErrorCode.Forbidden, `'agent' must be '${member.name}', the name you joined with`);
    }
    const timeout = this.#timeLimit(event, request.timeout);
    const { agent: name, computer, req_id: reqId, tool } = request;
    return { office: member.office, agent: name, computer, reqId, timeout, tool };
  }

  /** Refuses a call of an Agent that has sent it already, or has too many in flight. */
  #checkRoom({ data: { calls } }: PeerSocket, reqId: string): void {
    if (!calls) return;
    if (calls.has(reqId)) {
      throw new SmcpError(ErrorCode.BadRequest, `A request with req_id '${reqId}' is still in flight`);
    }
    const { callsPerAgent } = this.#options.limits;
    if (calls.size >= callsPerAgent) {
      const message = `${callsPerAgent} calls are in flight; wait for one to end`;
      throw limitReached('callsPerAgent', callsPerAgent, message);
    }
  }

  /** Adds a call and returns its id. */
  #open(call: Call, timeout: number): number {
    const id = this.#pending.add(call, timeout);
    const { agent, computer, route } = call;
    if (agent) {
      agent.data.calls ??= new Map();
      agent.data.calls.set(route.reqId, id);
    }
    if (computer) {
      computer.data.serving ??= new Set();
      computer.data.serving.add(id);
    }
    return id;
  }

  /** A Computer that is not here may be on another node. */
  #deliverElsewhere(id: number, call: Call, json: Arguments, remote: RemoteCalls): void {
    const { office, computer, timeout } = call.route;
    call.abandon = remote.send({
      event: call.event,
      office,
      computer,
      json,
      timeout,
      onAnswer: answer => this.answered(id, answer),
      onFailure: error => this.#fail(id, error.details ? 'computer_lost' : 'refused', error),
    });
  }

  #timeLimit(event: string, seconds: number | undefined): number {
    if (seconds === undefined) return this.#options.timeout;
    const limit = Math.min(seconds, MAX_TIMEOUT_S) * 1000 + SERVER_TOOL_SLACK_MS;
    return event === 'client:tool_call' ? limit : Math.max(limit, this.#options.timeout);
  }

  /** The call is not pending any more. */
  #expire(call: Call, id: number): void {
    this.#release(call, id, 'timeout', ErrorCode.Timeout);
    this.#replyError(call, 'timeout', new SmcpError(ErrorCode.Timeout, 'The computer did not answer in time'));
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

  #fail(id: number, outcome: Outcome, error: SmcpError): void {
    const call = this.#settle(id, outcome, error.code);
    if (call) this.#replyError(call, outcome, error);
  }

  #replyError({ event, route, reply }: Call, outcome: Outcome, error: SmcpError): void {
    const req_id = route.reqId;
    this.#options.logger.warn('A call was not answered', { event, req_id, code: error.code, outcome });
    reply(errorAnswer(error));
  }

  /** Ends a call. Returns it, or undefined when it has ended before. */
  #settle(id: number, outcome: Outcome, code?: number): Call | undefined {
    const call = this.#pending.take(id);
    if (call) this.#release(call, id, outcome, code);
    return call;
  }

  #release(call: Call, id: number, outcome: Outcome, code?: number, bytes = 0): void {
    call.abandon?.();
    call.agent?.data.calls?.delete(call.route.reqId);
    call.computer?.data.serving?.delete(id);
    // A call for another node is counted there.
    if (call.agent) {
      const milliseconds = performance.now() - call.started;
      this.#options.metrics.recordCall(call.event, outcome, milliseconds);
      this.#options.observer?.ended(call, outcome, milliseconds, code, bytes);
    }
    if (this.inFlight === 0) this.#idle?.();
  }

  #refuse(agent: PeerSocket, event: string, body: unknown, error: unknown, reply: Reply): void {
    const { logger, metrics, observer } = this.#options;
    const req_id = reqIdOf(body);
    if (error instanceof SmcpError) logger.warn('A request was refused', { event, req_id, code: error.code });
    else logger.error('A request failed unexpectedly', { event, req_id, error });
    metrics.recordCall(event, 'refused', 0);
    observer?.refused(agent, event, body, error instanceof SmcpError ? error.code : ErrorCode.Internal);
    reply(errorAnswer(error));
  }
}

/** How an error payload begins, of any dialect. Results of tools and lists begin with other fields. */
const ERROR_HEAD = /^\[\s*\{\s*"(code|message|details|error|Err)"/;
const MAX_ERROR_HEAD_LENGTH = 64;
/** Longer answers are not errors of a Computer of ours, and not worth parsing. */
const MAX_ERROR_LENGTH = 64 * 1024;

/** The error that an answer holds. Most answers are told apart by their first characters. */
function errorIn(answer: Arguments): SmcpError | undefined {
  if (answer.length > MAX_ERROR_LENGTH) return undefined;
  const head =
    typeof answer === 'string'
      ? answer.slice(0, MAX_ERROR_HEAD_LENGTH)
      : answer.toString('latin1', 0, MAX_ERROR_HEAD_LENGTH);
  if (!ERROR_HEAD.test(head)) return undefined;
  const args = readJson(answer.toString());
  return Array.isArray(args) ? readError(args[0]) : undefined;
}

/** Refuses a request to a Computer that has too much to read already. It does not lose its connection for its Agent. */
function checkBacklog(computer: PeerSocket, json: Arguments, limit: number): void {
  const backlog = computer.data.channel?.backlog ?? guardOf(computer.conn).backlog;
  if (backlog + json.length <= limit) return;
  guardOf(computer.conn).onBacklog(limit + 1);
  throw limitReached('backlogBytes', limit, 'The computer has not read earlier messages yet; try again later');
}

function notJoined(): SmcpError {
  return new SmcpError(ErrorCode.NotInOffice, 'Join an office first');
}

/** The name of the tool that a request calls. */
function toolOf(event: string, body: unknown): string | undefined {
  if (event !== 'client:tool_call') return undefined;
  const { tool_name } = body as { tool_name?: unknown };
  if (typeof tool_name !== 'string') throw malformed(event, 'tool_name: expected string');
  return tool_name;
}

function notAllowed(computer: string, tool: string | undefined): SmcpError {
  const what = tool === undefined ? `use computer '${computer}' in this way` : `call tool '${tool}' of '${computer}'`;
  return new SmcpError(ErrorCode.Forbidden, `You are not allowed to ${what}`);
}

interface RoutingFields {
  agent: string;
  computer: string;
  req_id: string;
  timeout?: number;
  /** Of a tool call, whatever the Agent put there. */
  tool: unknown;
}

/** Checked by hand: a schema would cost more than all the rest of a call. */
function routingFields(event: string, body: unknown): RoutingFields {
  if (typeof body !== 'object' || body === null) throw malformed(event, 'expected an object');
  const { agent, computer, req_id, timeout, tool_name: tool } = body as Record<string, unknown>;
  if (typeof agent !== 'string') throw malformed(event, 'agent: expected string');
  if (typeof computer !== 'string') throw malformed(event, 'computer: expected string');
  if (typeof req_id !== 'string') throw malformed(event, 'req_id: expected string');
  if (req_id === '' || req_id.length > 1024) throw malformed(event, 'req_id: expected 1 to 1024 characters');
  if (timeout === undefined || timeout === null) {
    if (event === 'client:tool_call') throw malformed(event, 'timeout: expected a number of seconds');
    return { agent, computer, req_id, tool };
  }
  if (typeof timeout !== 'number' || !(timeout > 0)) throw malformed(event, 'timeout: expected a number of seconds');
  return { agent, computer, req_id, timeout, tool };
}

function malformed(event: string, problem: string): SmcpError {
  return new SmcpError(ErrorCode.BadRequest, `${event}: ${problem}`);
}
