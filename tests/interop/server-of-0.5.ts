import { versionErrorBody } from '@a2c-smcp/protocol';
import type { Socket } from 'socket.io';
import { type ForeignServer, openForeignServer } from '../peer/foreign-server.ts';

interface Seat {
  socket: Socket;
  role: string;
  name: string;
  office: string;
}

type Ack = (...args: unknown[]) => void;

/**
 * A Server as protocol 0.5 describes it, written without our packages but for the body of its refusal, since no release
 * speaks it yet: one Agent and one Computer in an office, joins and leaves that are answered with nothing or with an
 * error. It also keeps the seat of a connection that was cut off until `forget` is called.
 */
export async function openServerOf05(): Promise<ForeignServer & { forget(): void }> {
  const seats = new Set<Seat>();
  const server = await openForeignServer({
    onRequest: ({ url = '' }, response) => {
      const version = new URL(url, 'http://localhost').searchParams.get('a2c_version') ?? '';
      if (version.startsWith('0.5.')) return false;
      response.writeHead(400).end(JSON.stringify(versionErrorBody(version, '0.5.0')));
      return true;
    },
    connected: socket => serve(socket, seats),
  });
  const forget = () => {
    for (const seat of seats) if (!seat.socket.connected) seats.delete(seat);
  };
  return Object.assign(server, { forget });
}

function serve(socket: Socket, seats: Set<Seat>): void {
  const own = () => [...seats].find(seat => seat.socket === socket);
  const others = () => [...seats].filter(seat => seat.office === own()?.office && seat.socket !== socket);
  const tell = (event: string, payload: object) => {
    for (const seat of others()) seat.socket.emit(event, payload);
  };
  const noticeOf = ({ role, name, office }: Seat) => ({ office_id: office, [role]: name });

  socket.on('server:join_office', ({ role, name, office_id: office }, ack: Ack) => {
    const taken = [...seats].find(seat => seat.office === office && seat.role === role);
    if (taken?.socket === socket) return ack();
    if (taken) return ack({ code: 4101, message: 'The seat is taken', details: { office_id: office, role } });
    const seat = { socket, role, name, office };
    seats.add(seat);
    tell('notify:enter_office', noticeOf(seat));
    ack();
  });
  socket.on('server:leave_office', (_, ack: Ack) => {
    const seat = own();
    if (seat) {
      tell('notify:leave_office', noticeOf(seat));
      seats.delete(seat);
    }
    ack();
  });
  socket.on('server:list_room', ({ office_id, req_id }, ack: Ack) => {
    const members = [...seats].filter(({ office }) => office === office_id);
    const sessions = members.map(seat => ({ sid: seat.socket.id, name: seat.name, role: seat.role, office_id }));
    ack({ sessions, req_id });
  });
  socket.on('server:tool_call_cancel', payload => tell('notify:tool_call_cancel', payload));
  for (const topic of ['tool_list', 'config', 'desktop']) {
    socket.on(`server:update_${topic}`, payload => tell(`notify:update_${topic}`, payload));
  }
  socket.onAny((event: string, body: { computer?: string }, ack: Ack) => {
    if (!event.startsWith('client:')) return;
    const computer = others().find(({ role, name }) => role === 'computer' && name === body.computer);
    if (!own()) ack({ code: 4103, message: 'Not in an office' });
    else if (!computer) ack({ code: 404, message: `No computer '${body.computer}'` });
    else
      computer.socket
        .timeout(20_000)
        .emit(event, body, (error: Error | null, ...answer: unknown[]) => !error && ack(...answer));
  });
}
