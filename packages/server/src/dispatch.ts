import { answer, findAck, type Logger } from '@a2c-smcp/core';
import {
  clientEvents,
  ErrorCode,
  type RequestEventName,
  requestEvents,
  type ServerEvent,
  SmcpError,
  toErrorPayload,
} from '@a2c-smcp/protocol';
import { type Limits, MAX_QUEUED_EVENTS } from './limits.ts';
import type { Offices } from './offices.ts';
import { spend } from './rate.ts';
import type { Reception } from './reception.ts';
import type { Relay } from './relay.ts';
import { isSignal, passSignal } from './signals.ts';
import type { PeerSocket } from './sockets.ts';
import { endConnection } from './wire/end-connection.ts';
import { UNREADABLE } from './wire/parser.ts';

export interface DispatchOptions {
  offices: Offices<PeerSocket>;
  reception: Reception;
  relay: Relay;
  limits: Limits;
  /** Passes on events of later versions of the protocol. */
  forwardUnknown: boolean;
  logger: Logger;
  /** Hears why an event was not accepted. */
  onRejected: (reason: 'rate' | 'flood' | 'unknown_event') => void;
}

/** Characters of the name of an event. Names of later versions of the protocol are forwarded, kept and logged. */
const MAX_EVENT_LENGTH = 128;

/** Takes an event of a peer to whoever answers it. */
export type Dispatch = (socket: PeerSocket, event: unknown, args: readonly unknown[]) => void;

/** The one entry for all events: each is counted against the sender's allowance, and each request is answered. */
export function createDispatch(options: DispatchOptions): Dispatch {
  const { offices, reception, relay, limits, forwardUnknown, logger, onRejected } = options;

  const answerRequest = (socket: PeerSocket, event: ServerEvent, args: readonly unknown[]): void => {
    switch (event) {
      case 'server:join_office':
        void answer(event, args, request => reception.join(socket, request), { logger });
        break;
      case 'server:leave_office':
        void answer(event, args, request => reception.leave(socket, request), { logger });
        break;
      case 'server:list_room':
        void answer(event, args, request => reception.list(socket, request), { logger });
        break;
    }
  };

  const handle: Dispatch = (socket, event, args) => {
    if (event === UNREADABLE) {
      findAck(args)(args[0]);
    } else if (typeof event === 'string' && event.length > MAX_EVENT_LENGTH) {
      onRejected('unknown_event');
      const limit = `The name of an event has at most ${MAX_EVENT_LENGTH} characters`;
      findAck(args)(toErrorPayload(new SmcpError(ErrorCode.BadRequest, limit)));
    } else if (isRequest(event, forwardUnknown)) {
      relay.forward(socket, event, args);
    } else if (isServerEvent(event)) {
      answerRequest(socket, event, args);
    } else if (typeof event === 'string' && isSignal(event, forwardUnknown)) {
      passSignal(socket, event, args, { offices, logger });
    } else {
      onRejected('unknown_event');
      refuse(event, args, new SmcpError(ErrorCode.BadRequest, 'The Server does not know this event'));
    }
  };

  /** Whatever goes wrong with an event that was not foreseen costs its sender the connection, and the process nothing. */
  const handleSafely: Dispatch = (socket, event, args) => {
    try {
      handle(socket, event, args);
    } catch (error) {
      logger.error('An event failed unexpectedly', { event, sid: socket.id, error });
      endConnection(socket.conn);
    }
  };

  /** Official Agents do not wait for the answer to their join before they go on. */
  const enqueue = (moving: Promise<void>, ...[socket, event, args]: Parameters<Dispatch>): void => {
    const { data } = socket;
    if (data.queued >= MAX_QUEUED_EVENTS) {
      refuse(event, args, new SmcpError(ErrorCode.TooManyRequests, 'Wait for the answer to your join'));
      return;
    }
    data.queued += 1;
    void moving.then(() => {
      data.queued -= 1;
      handleSafely(socket, event, args);
    });
  };

  return (socket, event, args) => {
    const { allowance, moving } = socket.data;
    const verdict = spend(allowance, limits.eventsPerSecond, performance.now());
    if (verdict === 'accepted') {
      if (moving && !isMove(event)) enqueue(moving, socket, event, args);
      else handleSafely(socket, event, args);
      return;
    }
    onRejected('rate');
    const limit = `${limits.eventsPerSecond} events per second`;
    refuse(event, args, new SmcpError(ErrorCode.TooManyRequests, `More than ${limit}; slow down`));
    if (verdict === 'flooding' && socket.conn.readyState === 'open') {
      onRejected('flood');
      logger.warn('A peer that sends too many events was disconnected', { sid: socket.id });
      endConnection(socket.conn);
    }
  };
}

/** Whether an event changes the office of its sender; these wait for one another by themselves. */
function isMove(event: unknown): boolean {
  return event === 'server:join_office' || event === 'server:leave_office';
}

function isServerEvent(event: unknown): event is ServerEvent {
  return typeof event === 'string' && event.startsWith('server:') && Object.hasOwn(requestEvents, event);
}

/** Whether an event is for a Computer. A newer Agent may ask a newer Computer for something we know nothing of. */
function isRequest(event: unknown, forwardUnknown: boolean): event is string {
  return (
    typeof event === 'string' && (forwardUnknown ? event.startsWith('client:') : Object.hasOwn(clientEvents, event))
  );
}

/** Answers with the error in the form the event's answer has. */
function refuse(event: unknown, args: readonly unknown[], error: SmcpError): void {
  if (isServerEvent(event)) {
    void answer(event as RequestEventName, args, () => {
      throw error;
    });
  } else {
    findAck(args)(toErrorPayload(error));
  }
}
