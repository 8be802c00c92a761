import {
  describeProblem,
  ErrorCode,
  findAck,
  type Logger,
  notificationOf,
  type SignalEventName,
  SmcpError,
  signalEvents,
  toErrorPayload,
} from '@a2c-smcp/protocol';
import type { Offices } from './offices.ts';
import { type PeerSocket, roomOf } from './sockets.ts';

/**
 * Passes a `server:*` signal on to the sender's office as the `notify:*` of the same name. A signal is not answered; a
 * sender that asks for an acknowledgement all the same gets an empty one, or the error.
 */
export function passSignal(
  socket: PeerSocket,
  event: SignalEventName,
  args: readonly unknown[],
  { offices, logger }: { offices: Offices<PeerSocket>; logger: Logger },
): void {
  const ack = findAck(args);
  try {
    const { from, payload: schema } = signalEvents[event];
    const payload = schema.safeParse(args[0]);
    if (!payload.success) throw new SmcpError(ErrorCode.BadRequest, `${event}: ${describeProblem(payload.error)}`);
    const member = offices.member(socket);
    if (!member) throw new SmcpError(ErrorCode.NotInOffice, 'Join an office first');
    if (member.role !== from) throw new SmcpError(ErrorCode.Forbidden, `A ${member.role} may not send ${event}`);
    if (payload.data[from] !== member.name) {
      throw new SmcpError(ErrorCode.Forbidden, `'${from}' must be '${member.name}', the name you joined with`);
    }
    socket.to(roomOf(member.office)).emit(notificationOf(event), payload.data as never);
    ack();
  } catch (error) {
    const payload = toErrorPayload(error);
    logger.warn('A signal was dropped', { event, sid: socket.id, code: payload.code, reason: payload.message });
    ack(payload);
  }
}
