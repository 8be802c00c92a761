import type { Socket } from 'node:net';
import type { AgentEvents, CallProgress, CallQuestion, ComputerView, SMCPTool, ToolCallOptions } from '@a2c-smcp/agent';
import { Emitter, given, isObject, type Json, type ListenOptions, PendingCalls, settle } from '@a2c-smcp/core';
import { ErrorCode, readError, SmcpError } from '@a2c-smcp/protocol';
import type { OfficeAgent } from '../office-agent.ts';
import { MessageSocket } from '../socket/message-socket.ts';
import { SEAT_EVENTS, SEAT_PROTOCOL, type SeatMethod } from './seat-messages.ts';

/** Milliseconds that the holder of the seat may take to join its office. */
const READY_TIMEOUT_MS = 15_000;
/** Milliseconds for requests without a timeout, and on top of that of others. */
const SLACK_MS = 60_000;

interface PendingCall {
  /** True if the holder of the seat may have passed it on. */
  isAccepted: boolean;
  onProgress: ToolCallOptions['onProgress'];
  onQuestion: ToolCallOptions['onQuestion'];
  /** Fires when the call is over. */
  ended: AbortController;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

/** The Agent of another bridge on this machine. It is closed when that bridge is gone. */
export class RemoteAgent implements OfficeAgent {
  readonly computers = new Map<string, ComputerView>();
  readonly #socket: MessageSocket;
  readonly #events = new Emitter<AgentEvents>();
  readonly #calls = new PendingCalls<PendingCall>({ onTimeout: ({ reject }) => reject(notAnswered()) });
  #office = '';
  #joined = false;
  #isClosed = false;

  private constructor(raw: Socket, onReady: () => void, onRefused: (error: Error) => void) {
    this.#socket = new MessageSocket(raw, message => {
      if (message.type === 'hello' && message.protocol !== SEAT_PROTOCOL) onRefused(otherVersion());
      if (message.type === 'refused') onRefused(readError(message) ?? hostGone());
      if (message.type === 'ready') {
        this.#start(message);
        onReady();
      }
      if (message.type === 'event') this.#event(message);
      const pending = message.type === 'accepted' ? this.#calls.get(Number(message.id)) : undefined;
      if (pending) pending.isAccepted = true;
      if (message.type === 'progress') {
        this.#calls.get(Number(message.id))?.onProgress?.(message.report as CallProgress);
      }
      if (message.type === 'question') void this.#ask(message);
      if (message.type === 'result') this.#calls.take(Number(message.id))?.resolve(message.value);
      if (message.type === 'error') this.#calls.take(Number(message.id))?.reject(readError(message) ?? hostGone());
    });
    this.#socket.onClose(() => {
      onRefused(hostGone());
      this.#joined = false;
      this.#isClosed = true;
      // First, so that requests which are repeated do not come back here.
      this.#events.emit('connection', { type: 'closed' });
      for (const { reject, isAccepted } of this.#calls.takeAll()) reject(isAccepted ? hostGone() : notAccepted());
    });
  }

  /** Uses the seat that is held at the other end of a socket, once its office is joined. */
  static async open(socket: Socket, signal: AbortSignal): Promise<RemoteAgent> {
    let agent: RemoteAgent | undefined;
    try {
      await settle<void>(
        (resolve, reject) => {
          agent = new RemoteAgent(socket, resolve, reject);
          return undefined;
        },
        { timeout: READY_TIMEOUT_MS, timeoutError: notAnswered, signal },
      );
    } catch (error) {
      socket.destroy();
      throw error;
    }
    if (!agent) throw hostGone();
    return agent;
  }

  get office(): string {
    return this.#office;
  }

  get joined(): boolean {
    return this.#joined;
  }

  on<K extends keyof AgentEvents>(
    event: K,
    listener: (payload: AgentEvents[K]) => void,
    options?: ListenOptions,
  ): () => void {
    return this.#events.on(event, listener, options);
  }

  members: OfficeAgent['members'] = options => this.#call('members', [], options);
  callTool: OfficeAgent['callTool'] = (call, options) => this.#call('callTool', [call], options);
  getDesktop: OfficeAgent['getDesktop'] = (computer, options) => this.#call('getDesktop', [computer], options);
  getFinder: OfficeAgent['getFinder'] = (computer, options) => this.#call('getFinder', [computer], options);
  searchDocuments: OfficeAgent['searchDocuments'] = (content, options) =>
    this.#call('searchDocuments', [content], options);
  readPages: OfficeAgent['readPages'] = (computer, uri, options) => this.#call('readPages', [computer, uri], options);
  readPage: OfficeAgent['readPage'] = (computer, uri, page, options) =>
    this.#call('readPage', [computer, uri, page], options);
  readElement: OfficeAgent['readElement'] = (computer, uri, element, options) =>
    this.#call('readElement', [computer, uri, element], options);
  getPrompts: OfficeAgent['getPrompts'] = (computer, options) => this.#call('getPrompts', [computer], options);
  getPrompt: OfficeAgent['getPrompt'] = (computer, wanted, options) =>
    this.#call('getPrompt', [computer, wanted], options);

  async close(): Promise<void> {
    this.#socket.destroy();
  }

  /** The other bridge runs the same version, so its answers have the types of an Agent's. */
  #call<T>(method: SeatMethod, args: unknown[], options: ToolCallOptions = {}): Promise<T> {
    const { signal, onProgress, onQuestion, ...plain } = options;
    return settle<T>(
      (resolve, reject) => {
        if (this.#isClosed) throw notAccepted();
        const ended = new AbortController();
        const answered = (value: unknown) => resolve(value as T);
        const pending = { isAccepted: false, onProgress, onQuestion, ended, resolve: answered, reject };
        const id = this.#calls.add(pending, (plain.timeout ?? 0) + SLACK_MS);
        const wish = { wantsProgress: onProgress !== undefined, answersQuestions: onQuestion !== undefined };
        this.#socket.send({ type: 'call', id, method, args, options: { ...given(plain), ...wish } });
        // Without effect on a call that is answered.
        return () => {
          ended.abort();
          if (this.#calls.take(id)) this.#socket.send({ type: 'cancel', id });
        };
      },
      { signal },
    );
  }

  /** Passes the answer of this bridge's client on. What fails is a `cancel`. */
  async #ask({ id, number, question }: Json): Promise<void> {
    const { onQuestion, ended } = this.#calls.get(Number(id)) ?? {};
    if (!onQuestion || !ended) return;
    const asked = async () => onQuestion(question as CallQuestion, { signal: ended.signal });
    const answer = await asked().catch(() => ({ action: 'cancel' }));
    this.#socket.send({ type: 'answer', id, number, answer });
  }

  #start({ office, joined, computers }: Json): void {
    this.#office = String(office);
    this.#joined = joined === true;
    for (const [name, tools] of Array.isArray(computers) ? computers : []) this.computers.set(name, { tools });
  }

  /** Updates the view before listeners look at it. */
  #event({ name, payload, joined }: Json): void {
    const event = SEAT_EVENTS.find(known => known === name);
    if (!event || !isObject(payload)) return;
    this.#joined = joined === true;
    const computer = String(payload.computer);
    if (event === 'enter') this.computers.set(computer, { tools: [] });
    if (event === 'leave') this.computers.delete(computer);
    if (event === 'tools') this.computers.set(computer, { tools: payload.tools as SMCPTool[] });
    this.#events.emit(event, payload as never);
  }
}

function hostGone(): SmcpError {
  const message = 'The bridge that held the seat of the Agent has ended, and the outcome of the call is unknown';
  return new SmcpError(ErrorCode.Timeout, message, { details: { reason: 'disconnected' } });
}

function notAccepted(): SmcpError {
  const message = 'The bridge that held the seat of the Agent has ended';
  return new SmcpError(ErrorCode.Timeout, message, { details: { reason: 'offline' } });
}

function notAnswered(): SmcpError {
  const message = 'The bridge that holds the seat of the Agent does not answer';
  return new SmcpError(ErrorCode.Timeout, message, { details: { reason: 'timeout' } });
}

function otherVersion(): SmcpError {
  const message = 'A bridge of another version holds the seat of the Agent: end it, or restart its client';
  return new SmcpError(ErrorCode.OfficeFull, message);
}
