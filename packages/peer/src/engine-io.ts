import { type FrameHead, readJson } from '@a2c-smcp/core';
import type { Manager } from 'socket.io-client';
import type { Address } from './address.ts';

/** Everything that needs private parts of engine.io-client is in this file. Its version is pinned in the package. */

type Engine = Manager['engine'];

interface EnginePacket {
  type: string;
  data?: unknown;
}

/** The parts of an Engine.IO transport that its types hide. */
interface GuardedTransport {
  name: string;
  onData(data: unknown): void;
  onPacket(packet: EnginePacket): void;
  onError(reason: string): unknown;
}

const UNREADABLE = 'A message of the Server could not be handled';

/** Takes messages. */
interface Receiver {
  /**
   * The head of an event or an answer that begins at `offset`; undefined for other messages, and while the peer is not in
   * the namespace.
   */
  headOf(message: string, offset: number): FrameHead | undefined;
  receive(head: FrameHead, message: string): void;
}

/** The type of packets with messages, on the wire. */
const MESSAGE = '4';
const MAX_UPGRADES = 10;
const MAX_SID_LENGTH = 256;

/**
 * Fails a connection for a broken Engine.IO handshake, which Engine.IO reads unchecked: it would end the process. Must be
 * called before anything can arrive.
 *
 * @param receiver gets the events and answers of a WebSocket past Engine.IO
 */
export function guardEngine(engine: Engine, receiver: Receiver): void {
  let isOpen = false;
  const guard = (transport: GuardedTransport) => {
    const { onData, onPacket } = Object.getPrototypeOf(transport) as GuardedTransport;
    if (transport.name === 'websocket') {
      transport.onData = data => {
        const message = typeof data === 'string' && data.startsWith(MESSAGE) ? data : '';
        const head = receiver.headOf(message, MESSAGE.length);
        if (!head) return onData.call(transport, data);
        emitPacket(engine, 'packet', message);
        try {
          receiver.receive(head, message);
        } catch {
          transport.onError(UNREADABLE);
        }
      };
    }
    transport.onPacket = packet => {
      if (packet.type === 'open' && (isOpen || !isHandshake(packet.data))) {
        // A second handshake is ignored.
        if (!isOpen) transport.onError('The handshake of the Server is malformed');
        return;
      }
      isOpen ||= packet.type === 'open';
      try {
        onPacket.call(transport, packet);
      } catch {
        transport.onError(UNREADABLE);
      }
    };
  };
  guard(engine.transport as unknown as GuardedTransport);
  engine.on('upgrading', transport => guard(transport as unknown as GuardedTransport));
}

function isHandshake(data: unknown): boolean {
  const { sid, upgrades, pingInterval, pingTimeout, maxPayload } = Object(readJson(String(data))) as Record<
    string,
    unknown
  >;
  return (
    typeof sid === 'string' &&
    sid.length <= MAX_SID_LENGTH &&
    Array.isArray(upgrades) &&
    upgrades.length <= MAX_UPGRADES &&
    upgrades.every(upgrade => typeof upgrade === 'string') &&
    isPositive(pingInterval) &&
    isPositive(pingTimeout) &&
    (maxPayload === undefined || isPositive(maxPayload))
  );
}

function isPositive(value: unknown): boolean {
  return typeof value === 'number' && value > 0 && value < 2 ** 31;
}

/** The part of Node's `http.Agent` that is used here. */
interface HttpAgent {
  destroy(): void;
}

/** The part of Node that a browser has not. */
interface Node {
  process?: { getBuiltinModule?: (name: string) => { Agent: new (options: object) => HttpAgent } | undefined };
}

/** Milliseconds that the last messages of a connection have to leave. */
const RELEASE_AFTER_MS = 2000;

/** Gives the next connection TCP connections of its own, so that they can be closed together with it. */
export function ownSockets({ opts }: Manager, { origin, ca }: Address): void {
  const module = /^(https|wss):/.test(origin) ? 'https' : 'http';
  const { Agent } = (globalThis as Node).process?.getBuiltinModule?.(module) ?? {};
  if (Agent) Object.assign(opts, { agent: new Agent({ keepAlive: true, ...(ca === undefined ? {} : { ca }) }) });
}

/**
 * Closes what a connection has left open. Engine.IO does not end a request for messages when it closes, so that a
 * Server that does not answer would keep it, and this process, for ever.
 */
export function releaseSockets(engine: Engine | undefined): void {
  const { agent } = (engine as unknown as { opts?: { agent?: Partial<HttpAgent> } } | undefined)?.opts ?? {};
  if (typeof agent?.destroy !== 'function') return;
  const timer = setTimeout(() => agent.destroy?.(), RELEASE_AFTER_MS) as { unref?: () => void };
  timer.unref?.();
}

/** The part of a WebSocket of Node that is used here. */
interface WebSocketLike {
  readyState: number;
  send(data: unknown, options: { binary: boolean }): void;
  /** The TCP connection. A browser hides it, and that of Bun cannot be corked. */
  _socket?: { cork?(): void; uncork?(): void };
}

/** The parts of Engine.IO that tell whether it has something to write itself. */
interface EngineState {
  readyState: string;
  upgrading: boolean;
  writeBuffer: readonly unknown[];
  transport: { writable: boolean; ws?: WebSocketLike };
}

/** The options of a message that is text although it is given as bytes. */
const TEXT = { binary: false };

interface Turns {
  Buffer?: { from(text: string): Uint8Array };
  setImmediate?: (task: () => void) => void;
}

/** Sends a message. @param isLone whether it leaves at once, because no other one is expected soon */
export type SendMessage = (message: string, isLone?: boolean) => void;

/**
 * Makes a function that sends messages. In Node those of one turn of the event loop are written to the WebSocket past
 * Engine.IO and with one system call: both are what costs a peer with many calls in flight most. Elsewhere, while
 * Engine.IO has something to write itself, and where `ws` hides its TCP connection, Engine.IO writes the message.
 *
 * @param onSlow called once if messages cannot be written past Engine.IO although this is Node
 */
export function messageSender(engine: Engine, onSlow: () => void): SendMessage {
  const { Buffer, setImmediate } = globalThis as Turns;
  if (!Buffer || !setImmediate) return message => void engine.write(message);
  const state = engine as unknown as EngineState;
  let corked: WebSocketLike['_socket'];
  let isSlow = false;
  const uncork = () => {
    corked?.uncork?.();
    corked = undefined;
  };
  // Flushes at once: the process may exit before `setImmediate` runs.
  engine.on('close', uncork);
  return (message, isLone = false) => {
    const { ws } = state.transport;
    const socket = ws?._socket;
    if (!ws || !socket?.cork || !isIdle(state)) {
      if (ws && !socket?.cork && !isSlow && state.readyState === 'open') {
        isSlow = true;
        onSlow();
      }
      engine.write(message);
      return;
    }
    const framed = MESSAGE + message;
    emitPacket(engine, 'packetCreate', framed);
    if (!corked && !isLone) {
      corked = socket;
      socket.cork();
      setImmediate(uncork);
    }
    // As bytes: `ws` writes them in one piece, and text in two.
    ws.send(Buffer.from(framed), TEXT);
  };
}

/** Reports a message that passed Engine.IO by, for the trace. It begins with its type. */
function emitPacket(engine: Engine, event: 'packet' | 'packetCreate', message: string): void {
  const emitter = engine as unknown as { emit(event: string, packet: EnginePacket): void };
  if (engine.hasListeners(event)) emitter.emit(event, { type: 'message', data: message.slice(MESSAGE.length) });
}

/** True if a message can be written past Engine.IO without overtaking another one. */
function isIdle({ readyState, upgrading, writeBuffer, transport }: EngineState): boolean {
  return readyState === 'open' && !upgrading && writeBuffer.length === 0 && transport.writable;
}
