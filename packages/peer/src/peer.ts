import {
  type BackoffOptions,
  backoff,
  type CallOptions,
  call,
  countdown,
  DEFAULT_MESSAGE_LIMIT,
  Emitter,
  fitsMessage,
  given,
  guardLogger,
  type ListenOptions,
  type Logger,
  pause,
  settle,
  tooLarge,
  traceFromEnvironment,
} from '@a2c-smcp/core';
import {
  clientEvents,
  commonVersion,
  ErrorCode,
  JOIN_TIMEOUT_MS,
  LEAVE_TIMEOUT_MS,
  NEWEST_VERSION,
  type RequestEventName,
  type RequestOf,
  type ResponseOf,
  type Role,
  type SignalEventName,
  type SignalOf,
  SmcpError,
  signalEvents,
  VERSION_QUERY,
} from '@a2c-smcp/protocol';
import { type Address, readAddresses } from './address.ts';
import { Channel } from './channel.ts';
import {
  type AttemptOptions,
  connect,
  createSocket,
  defaultTransports,
  disconnect,
  type Handshake,
  type PeerSocket,
  type Transport,
} from './connect.ts';
import { renew } from './credentials.ts';
import { joinFailed, joinRefused, notInOffice, peerClosed, toSmcpError } from './membership-errors.ts';
import type { PeerEvents, PeerOptions } from './options.ts';
import { randomId } from './random-id.ts';
import { dismissed, unreachable } from './refusal.ts';

/** Milliseconds between attempts to reconnect, short enough to rejoin within two seconds of a Server's restart. */
const QUICK_PAUSES_MS = { first: 100, longest: 800 };
/** After a refusal, which may be that of a Server about to restart. */
const REFUSED_PAUSES_MS = { first: 200, longest: 1500 };
/** After credentials were refused: that seldom passes by itself. */
const UNAUTHORIZED_PAUSES_MS = { first: 1000, longest: 10_000 };
/** The longest pause that a Server may ask for. */
const MAX_RETRY_AFTER_MS = 300_000;

/**
 * A member of an office: connected and joined when `join` returns it, and reconnected and rejoined by itself whenever
 * the connection is lost.
 */
export class Peer implements AsyncDisposable {
  readonly role: Role;
  readonly name: string;
  readonly office: string;
  /** For `serve` and for notifications. Requests go through `call`, signals through `emit`. */
  readonly channel: Channel;
  readonly #options: PeerOptions;
  readonly #addresses: readonly Address[];
  /** The one that was tried last. */
  #address: Address;
  /** One per object: it lets the Server replace our own stale session when we reconnect. */
  readonly #instanceId = randomId();
  /** That of the last attempt to connect. */
  #socket: PeerSocket | undefined;
  /** True if another version may be spoken than the first one. */
  readonly #isNegotiating: boolean;
  readonly #timeout: number;
  readonly #logger: Logger;
  readonly #events: Emitter<PeerEvents>;
  readonly #trace: AttemptOptions['trace'];
  readonly #stop = new AbortController();
  #joined = false;
  #hasJoined = false;
  /** Why the last attempt to rejoin failed. */
  #problem: SmcpError | undefined;
  /** True if it was the Server that ended the last connection. */
  #wasDismissed = false;
  #messageLimit = DEFAULT_MESSAGE_LIMIT;
  #closing: Promise<void> | undefined;

  private constructor(urls: string | readonly string[], options: PeerOptions) {
    const { role, name, office, path = '/socket.io/', protocolVersion = 'auto', timeout = JOIN_TIMEOUT_MS } = options;
    this.role = role;
    this.name = name;
    this.office = office;
    this.#options = options;
    this.#timeout = timeout;
    this.#logger = guardLogger(options.logger);
    this.#events = new Emitter({ logger: this.#logger });
    this.channel = new Channel({
      onFailed: (event, error) => this.#logger.error('A message failed unexpectedly', { event, error }),
      onSlow: () =>
        this.#logger.info('Messages are written through Engine.IO: ws is another version, or another implementation'),
    });
    const { trace = traceFromEnvironment() } = options;
    this.#trace = trace && (frame => trace({ at: `${role} '${name}'`, ...frame }));
    this.#isNegotiating = protocolVersion === 'auto';
    const version = this.#isNegotiating ? NEWEST_VERSION : protocolVersion;
    const addresses = readAddresses(urls, { path, protocolVersion: version, office, ca: options.ca });
    this.#addresses = addresses;
    this.#address = addresses[0];
  }

  /**
   * Connects and joins, or throws an `SmcpError` that says what to do. Of several URLs, which lead to the same offices,
   * the first whose Server takes connections; so it is at every reconnect.
   */
  static async join(url: string | readonly string[], options: PeerOptions): Promise<Peer> {
    options.signal?.throwIfAborted();
    const peer = new Peer(url, options);
    options.prepare?.(peer.channel);
    try {
      await peer.#enterFirst(options);
    } catch (error) {
      await peer.close();
      throw error;
    }
    return peer;
  }

  /** True if the Server counts this peer as a member of its office right now. */
  get joined(): boolean {
    return this.#joined;
  }

  /** How messages travel at the moment. */
  get transport(): Transport {
    return (this.#socket?.io.engine.transport.name ?? 'polling') as Transport;
  }

  /** The protocol version that was said to the Server. */
  get protocolVersion(): string {
    return this.#address.query[VERSION_QUERY] ?? NEWEST_VERSION;
  }

  /** The largest message the Server takes, in bytes. */
  get messageLimit(): number {
    return this.#messageLimit;
  }

  /** Follows the connection. Returns a function that stops it, as firing `signal` does. */
  on<K extends keyof PeerEvents>(
    event: K,
    listener: (payload: PeerEvents[K]) => void,
    options?: ListenOptions,
  ): () => void {
    return this.#events.on(event, listener, options);
  }

  /**
   * Sends a request and returns its answer. Offline it waits to be joined again, within the same `timeout`; what was
   * aborted while it waited is never sent.
   */
  async call<E extends RequestEventName>(
    event: E,
    request: RequestOf<E>,
    options: CallOptions,
  ): Promise<ResponseOf<E>> {
    if (this.role === 'computer' && event in clientEvents)
      throw new TypeError(`${event} is not sent by role '${this.role}'`);
    options.signal?.throwIfAborted();
    const left = this.#joined ? options : await this.#untilJoined(options);
    if (!fitsMessage(request, this.#messageLimit)) throw tooLarge(event, request, this.#messageLimit);
    return await call(this.channel, event, request, left);
  }

  /** Sends a signal of this peer's own role. Returns false, and sends nothing, while it is not joined. */
  emit<E extends SignalEventName>(event: E, payload: SignalOf<E>): boolean {
    if (signalEvents[event]?.from !== this.role) throw new TypeError(`${event} is not sent by role '${this.role}'`);
    if (!this.#joined) return false;
    this.channel.emit(event, payload);
    return true;
  }

  /** Drops the connection and makes a new one, as after a network change that was not noticed. */
  reconnect(): void {
    this.#socket?.io.engine.close();
  }

  /** Leaves the office and closes. Does not wait long for a Server that does not answer. */
  async leave(): Promise<void> {
    if (this.#joined) {
      const left = call(this.channel, 'server:leave_office', { office_id: this.office }, { timeout: LEAVE_TIMEOUT_MS });
      await left.catch(error => this.#logger.debug('Leaving was not answered', { office: this.office, error }));
    }
    await this.close();
  }

  close(): Promise<void> {
    return this.#end();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** Enters for the first time. */
  async #enterFirst({ signal = this.#stop.signal, waitForServer = false }: PeerOptions): Promise<void> {
    for (let attempt = 0; ; attempt++) {
      try {
        return await this.#enter(signal);
      } catch (error) {
        if (!waitForServer || !isUnavailable(error)) throw error;
        this.#logger.debug('There is no Server yet', { url: this.#address.url, attempt });
        await pause(pauseAfter(error, attempt), signal);
      }
    }
  }

  /** Enters by the last address, or else by the first one whose Server takes connections. */
  async #enter(signal: AbortSignal): Promise<void> {
    const last = this.#addresses.indexOf(this.#address);
    const addresses = [...this.#addresses.slice(last), ...this.#addresses.slice(0, last)];
    for (const [index, address] of addresses.entries()) {
      if (address !== this.#address) this.#socket?.disconnect();
      this.#address = address;
      try {
        return await this.#enterBy(address, signal);
      } catch (error) {
        if (index === addresses.length - 1 || !isUnavailable(error)) throw error;
        this.#logger.info('A Server takes no connections', { url: address.url, code: error.code });
      }
    }
  }

  async #enterBy(address: Address, signal: AbortSignal): Promise<void> {
    const left = countdown(this.#timeout);
    if (!this.#socket?.connected) {
      const { maxPayload } = await this.#connect(address, left, signal);
      this.#messageLimit = maxPayload ?? DEFAULT_MESSAGE_LIMIT;
    }
    // The Server may have closed already; without this check the join would wait for its full timeout.
    if (!this.#socket?.connected) throw (this.#wasDismissed ? dismissed : unreachable)(address);
    const { role, name, office } = this;
    const request = { role, name, office_id: office };
    const ask = (timeout: number) => call(this.channel, 'server:join_office', request, { timeout, signal });
    // Some Servers begin to listen a moment after they have admitted a client, and lose earlier events.
    const answer = ask(Math.min(left(), this.#timeout / 3)).catch(error => {
      if (!failedBy(error, 'timeout')) throw error;
      return ask(left());
    });
    const [accepted, reason] = await answer.catch(error => {
      const isDismissal = this.#wasDismissed && failedBy(error, 'disconnected');
      throw isDismissal ? dismissed(address) : joinFailed(request, error);
    });
    if (!accepted) throw joinRefused(request, reason);
    if (!this.#socket.connected) throw notInOffice(office);
    this.#joined = true;
    this.#hasJoined = true;
  }

  /**
   * Connects. When the Server refuses the version, once more with the best one that both speak, which is kept: a later
   * refusal chooses anew.
   */
  async #connect(address: Address, left: () => number, signal: AbortSignal): Promise<Handshake> {
    return this.#attempt(address, left, signal).catch(error => {
      const isRefused = error instanceof SmcpError && error.code === ErrorCode.VersionMismatch;
      const version = this.#isNegotiating && isRefused ? commonVersion(error.details ?? {}) : undefined;
      if (version === undefined || version === this.protocolVersion) throw error;
      this.#logger.info('The Server speaks another version of the protocol', { version });
      address.query[VERSION_QUERY] = version;
      return this.#attempt(address, left, signal);
    });
  }

  async #attempt(address: Address, left: () => number, signal: AbortSignal): Promise<Handshake> {
    const { channel } = this;
    const { auth = {}, headers = {}, transports = defaultTransports(), replace = false } = this.#options;
    const credentials = {
      ...(await renew('auth', auth, { timeout: left(), signal })),
      instance_id: this.#instanceId,
      ...(replace && !this.#hasJoined ? { replace } : {}),
    };
    address.headers = given(await renew('headers', headers, { timeout: left(), signal }));
    const socket = createSocket(address, channel, { transports, auth: credentials });
    socket.on('disconnect', reason => socket === this.#socket && this.#lose(reason));
    this.#socket = socket;
    return connect(socket, address, { channel, timeout: left(), signal, trace: this.#trace });
  }

  #lose(reason: string): void {
    this.#wasDismissed = reason === 'io server disconnect';
    if (!this.#joined) return;
    this.#joined = false;
    this.#logger.info('The connection to the Server was lost', { office: this.office, reason });
    this.#events.emit('connection', { type: 'lost', reason });
    void this.#rejoin();
  }

  async #rejoin(): Promise<void> {
    const { signal } = this.#stop;
    let wait = backoff(0, QUICK_PAUSES_MS);
    for (let attempt = 0; !signal.aborted; attempt++) {
      try {
        await pause(wait, signal);
        await this.#enter(signal);
        this.#problem = undefined;
        this.#logger.info('Back in the office', { office: this.office, attempt });
        return this.#events.emit('connection', { type: 'joined' });
      } catch (thrown) {
        if (signal.aborted) return;
        const error = toSmcpError(thrown);
        if (error.code === ErrorCode.VersionMismatch) return void this.#end(error);
        wait = pauseAfter(error, attempt + 1);
        this.#problem = error;
        this.#logger.warn('Could not return to the office', { office: this.office, attempt, code: error.code });
        this.#events.emit('connection', { type: 'retrying', error, attempt });
      }
    }
  }

  /** Resolves with the options for the time that is left. */
  async #untilJoined({ timeout, signal }: CallOptions): Promise<CallOptions> {
    const left = countdown(timeout);
    await settle<void>(
      (resolve, reject) => {
        if (this.#stop.signal.aborted) reject(this.#stop.signal.reason);
        return this.on('connection', ({ type }) => {
          if (type === 'joined') resolve();
          if (type === 'closed') reject(this.#stop.signal.reason);
        });
      },
      { timeout, timeoutError: () => notInOffice(this.office, this.#problem), signal },
    );
    return { timeout: left(), signal };
  }

  #end(error?: SmcpError): Promise<void> {
    this.#closing ??= this.#disconnect(error);
    return this.#closing;
  }

  async #disconnect(error?: SmcpError): Promise<void> {
    this.#joined = false;
    this.#stop.abort(error ?? peerClosed(this.office));
    const disconnected = this.#socket && disconnect(this.#socket, LEAVE_TIMEOUT_MS);
    this.#events.emit('connection', { type: 'closed', ...(error && { error }) });
    await disconnected;
  }
}

/** True if a request failed for this reason. */
function failedBy(error: unknown, reason: 'timeout' | 'disconnected'): boolean {
  return error instanceof SmcpError && error.reason === reason;
}

/** True if another Server, or the same one later, may take the connection. */
function isUnavailable(error: unknown): error is SmcpError {
  if (!(error instanceof SmcpError)) return false;
  const { code } = error;
  return code === ErrorCode.Timeout || code === ErrorCode.TooManyRequests || (code >= 500 && code < 600);
}

/**
 * Milliseconds before an attempt that follows an error. A Server that is busy says how long it wants to be left alone; up
 * to half of that is added, so that those it told the same do not come together again.
 */
function pauseAfter({ code, details = {} }: SmcpError, attempt: number): number {
  const wanted = Math.min(Number(details.retry_after) * 1000 || 0, MAX_RETRY_AFTER_MS);
  return Math.max(backoff(attempt, pausesAfter(code)), wanted * (1 + Math.random() / 2));
}

/** The pauses before the next attempt to reconnect, after one that failed with `code`. */
function pausesAfter(code: number): BackoffOptions {
  if (code === ErrorCode.Timeout) return QUICK_PAUSES_MS;
  return code === ErrorCode.Unauthorized ? UNAUTHORIZED_PAUSES_MS : REFUSED_PAUSES_MS;
}
