import { type AckShape, answer, type Logger, type Reply, refusalOf, reqIdOf, type SerialQueue } from '@a2c-smcp/core';
import { clientEvents, ErrorCode, type ServerEvent, SmcpError, serverEvents, speaks } from '@a2c-smcp/protocol';
import { type Limits, limitReached, MAX_QUEUED_EVENTS } from '../limits.ts';
import { isSignal, type Notifier } from '../office/notifier.ts';
import type { Reception } from '../office/reception.ts';
import type { PeerSocket } from '../office/session.ts';
import { errorAnswer, type Message } from '../wire/channel.ts';
import { guardOf } from '../wire/connection-guard.ts';
import { endConnection } from '../wire/engine-io.ts';
import { spend } from '../wire/rate.ts';
import type { Relay } from './relay.ts';

export interface DispatchOptions {
  notifier: Notifier;
  reception: Reception;
  relay: Relay;
  limits: Limits;
  /** Passes on events of later versions of the protocol. */
  forwardUnknown: boolean;
  logger: Logger;
  /** Called with the reason why an event was not accepted. */
  onRejected: (reason: 'rate' | 'flood' | 'unknown_event' | 'join', address: string, message?: string) => void;
}

/** Characters of the name of an event. Names of later versions of the protocol are forwarded, stored and logged. */
const MAX_EVENT_LENGTH = 128;

/** Handles an event of a peer. */
export type Dispatch = (socket: PeerSocket, message: Message) => void;

/** The one entry for all events: each is counted against the sender's allowance, and each request is answered. */
export function createDispatch(options: DispatchOptions): Dispatch {
  const { notifier, reception, relay, limits, forwardUnknown, logger, onRejected } = options;

  const answerRequest = (socket: PeerSocket, event: ServerEvent, { body, reply: send }: Message): void => {
    const reply: Reply = (...args) => send(JSON.stringify(args));
    const onRefused = (_: string, request: unknown, { code, message }: SmcpError) => {
      logger.warn('A request was refused', { event, req_id: reqIdOf(request), code });
      if (event === 'server:join_office') onRejected('join', addressOf(socket), message);
    };
    const options = { logger, onRefused, acks: acksFor(socket) };
    switch (event) {
      case 'server:join_office':
        void answer(event, body, reply, { handler: request => reception.join(socket, request), ...options });
        break;
      case 'server:leave_office':
        void answer(event, body, reply, { handler: request => reception.leave(socket, request), ...options });
        break;
      case 'server:list_room':
        void answer(event, body, reply, { handler: request => reception.list(socket, request), ...options });
        break;
    }
  };

  const handle: Dispatch = (socket, message) => {
    const { event, refusal } = message;
    if (refusal) {
      message.reply(errorAnswer(refusal));
    } else if (typeof event === 'string' && event.length > MAX_EVENT_LENGTH) {
      onRejected('unknown_event', addressOf(socket));
      const limit = `The name of an event has at most ${MAX_EVENT_LENGTH} characters`;
      message.reply(errorAnswer(new SmcpError(ErrorCode.BadRequest, limit)));
    } else if (isRequest(event, forwardUnknown)) {
      relay.forward(socket, event, message);
    } else if (isServerEvent(event)) {
      answerRequest(socket, event, message);
    } else if (typeof event === 'string' && isSignal(event, forwardUnknown)) {
      if (event === 'server:tool_call_cancel') relay.cancel(socket, message.body);
      notifier.passSignal(socket, event, message);
    } else {
      onRejected('unknown_event', addressOf(socket));
      refuse(socket, message, new SmcpError(ErrorCode.BadRequest, 'The Server does not know this event'));
    }
  };

  /** Official Agents do not wait for the answer to their join before they go on. */
  const enqueue = (moves: SerialQueue, socket: PeerSocket, message: Message): void => {
    if (moves.size >= MAX_QUEUED_EVENTS) {
      refuse(socket, message, new SmcpError(ErrorCode.TooManyRequests, 'Wait for the answer to your join'));
      return;
    }
    moves
      .run(() => handle(socket, message))
      .catch(error => {
        logger.error('An event failed unexpectedly', { event: message.event, sid: socket.id, error });
        endConnection(socket.conn);
      });
  };

  return (socket, message) => {
    const { allowance, moves } = socket.data;
    const verdict = spend(allowance, limits.eventsPerSecond, performance.now());
    if (verdict === 'accepted') {
      if (moves && !isMove(message.event)) enqueue(moves, socket, message);
      else handle(socket, message);
      return;
    }
    onRejected('rate', addressOf(socket));
    const { eventsPerSecond } = limits;
    const reason = `More than ${eventsPerSecond} events per second; slow down`;
    refuse(socket, message, limitReached('eventsPerSecond', eventsPerSecond, reason));
    if (verdict === 'flooding' && socket.conn.readyState === 'open') {
      onRejected('flood', addressOf(socket));
      logger.warn('A peer that sends too many events was disconnected', { sid: socket.id });
      endConnection(socket.conn);
    }
  };
}

/** True if an event changes the office of its sender. Joins and leaves have a queue of their own. */
function isMove(event: unknown): boolean {
  return event === 'server:join_office' || event === 'server:leave_office';
}

function isServerEvent(event: unknown): event is ServerEvent {
  return typeof event === 'string' && Object.hasOwn(serverEvents, event);
}

/** True if an event is for a Computer, also one of a later version of the protocol. */
function isRequest(event: unknown, forwardUnknown: boolean): event is string {
  return (
    typeof event === 'string' && (forwardUnknown ? event.startsWith('client:') : Object.hasOwn(clientEvents, event))
  );
}

function refuse(socket: PeerSocket, { event, reply }: Message, error: SmcpError): void {
  reply(JSON.stringify(refusalOf(event, error, acksFor(socket))));
}

function addressOf({ conn }: PeerSocket): string {
  return guardOf(conn).address;
}

/** Depends on the line of the connection that is answered, never on its office. */
function acksFor({ data }: PeerSocket): AckShape {
  return speaks(data.version, '0.5') ? 'flat' : 'pair';
}
