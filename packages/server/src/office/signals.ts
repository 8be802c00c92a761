import type { Logger } from '@a2c-smcp/core';
import {
  describeProblem,
  ErrorCode,
  type Role,
  SmcpError,
  signalEvents,
  toErrorPayload,
  UpdateComputerConfigReq,
} from '@a2c-smcp/protocol';
import { tooLarge } from '../limits.ts';
import { errorAnswer, type Message } from '../wire/message.ts';
import { chargeBroadcast } from '../wire/rate.ts';
import type { Offices } from './offices.ts';
import { type PeerSocket, roomOf } from './session.ts';

/** Characters of a signal as JSON. It is sent to every member of an office. */
const MAX_SIGNAL_LENGTH = 64 * 1024;

/** The rule for signals of later versions of the protocol, such as `server:update_skills`. */
const LATER = { from: 'computer', payload: UpdateComputerConfigReq } as const;

/** The part of a socket that broadcasts, with any event name: later versions of the protocol have others. */
interface Outlet {
  emit(event: string, payload: unknown): unknown;
}

/** Whether an event is a signal, also one of a later version of the protocol: they all are called `update_…`. */
export function isSignal(event: string, forwardUnknown: boolean): boolean {
  return Object.hasOwn(signalEvents, event) || (forwardUnknown && /^server:update_\w{1,64}$/.test(event));
}

/**
 * Passes a `server:*` signal on to the sender's office as the `notify:*` of the same name. A signal is not answered; a
 * sender that asks for an acknowledgement all the same gets an empty one, or the error.
 */
export function passSignal(
  socket: PeerSocket,
  event: string,
  { body, reply }: Message,
  { offices, logger }: { offices: Offices<PeerSocket>; logger: Logger },
): void {
  try {
    const { from, payload: schema } = ruleOf(event);
    const payload = schema.safeParse(body);
    if (!payload.success) throw new SmcpError(ErrorCode.BadRequest, `${event}: ${describeProblem(payload.error)}`);
    const member = offices.member(socket);
    if (!member) throw new SmcpError(ErrorCode.NotInOffice, 'Join an office first');
    if (member.role !== from) throw new SmcpError(ErrorCode.Forbidden, `A ${member.role} may not send ${event}`);
    if (Reflect.get(payload.data, from) !== member.name) {
      throw new SmcpError(ErrorCode.Forbidden, `'${from}' must be '${member.name}', the name you joined with`);
    }
    const { length } = JSON.stringify(payload.data);
    if (length > MAX_SIGNAL_LENGTH) throw tooLarge(length, MAX_SIGNAL_LENGTH);
    chargeBroadcast(socket.data.allowance, offices.size(member.office), length);
    const office = socket.to(roomOf(member.office)) as Outlet;
    office.emit(event.replace('server:', 'notify:'), payload.data);
    reply('[]');
  } catch (error) {
    const payload = toErrorPayload(error);
    logger.warn('A signal was dropped', { event, sid: socket.id, code: payload.code, reason: payload.message });
    reply(errorAnswer(error));
  }
}

function ruleOf(event: string): { from: Role; payload: (typeof signalEvents)[keyof typeof signalEvents]['payload'] } {
  return Object.hasOwn(signalEvents, event) ? signalEvents[event as keyof typeof signalEvents] : LATER;
}
