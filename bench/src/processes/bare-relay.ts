import { createHash } from 'node:crypto';
import { createServer, type Socket } from 'node:net';

type Role = 'agent' | 'computer';

const GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
const GREETING = '0{"sid":"s","upgrades":[],"pingInterval":300000,"pingTimeout":300000,"maxPayload":16000000}';

/**
 * The least that Node does to relay messages over TCP: frames are taken apart by hand, and their texts are passed on
 * without a look. It has neither limits nor checks, and reads only frames shorter than 64 KiB: a floor, not a server.
 */
export function createBareRelay() {
  const offices = new Map<string, Partial<Record<Role, Socket>>>();
  return createServer({ noDelay: true }, socket => {
    let pending = Buffer.alloc(0);
    let isOpen = false;
    let other: (() => Socket | undefined) | undefined;

    const greet = (text: string) => {
      if (text.startsWith('40')) socket.write(frameOf(Buffer.from('40/smcp,{"sid":"s"}')));
      if (!text.includes('server:join_office')) return;
      const { role, office_id } = JSON.parse(text.slice(text.indexOf('[')))[1] as { role: Role; office_id: string };
      const office = offices.get(office_id) ?? {};
      offices.set(office_id, office);
      office[role] = socket;
      other = () => office[role === 'agent' ? 'computer' : 'agent'];
      socket.write(frameOf(Buffer.from('43/smcp,0[true,null]')));
    };

    socket.on('error', () => socket.destroy());
    socket.on('data', chunk => {
      if (!isOpen) {
        isOpen = true;
        socket.write(upgrade(String(chunk)));
        socket.write(frameOf(Buffer.from(GREETING)));
        return;
      }
      const bytes = pending.length > 0 ? Buffer.concat([pending, chunk]) : chunk;
      const frames: Buffer[] = [];
      let start = 0;
      for (let end = endOf(bytes, start); end <= bytes.length; end = endOf(bytes, start)) {
        const text = textOf(bytes, start, end);
        if (other) frames.push(frameOf(text));
        else greet(String(text));
        start = end;
      }
      pending = bytes.subarray(start);
      if (frames.length > 0) other?.()?.write(frames.length === 1 ? (frames[0] as Buffer) : Buffer.concat(frames));
    });
  });
}

function upgrade(request: string): string {
  const [, key = ''] = /sec-websocket-key: *(\S+)/i.exec(request) ?? [];
  const accept = createHash('sha1')
    .update(key + GUID)
    .digest('base64');
  const lines = ['HTTP/1.1 101 Switching Protocols', 'Upgrade: websocket', 'Connection: Upgrade'];
  return [...lines, `Sec-WebSocket-Accept: ${accept}`, '', ''].join('\r\n');
}

/** Where the frame of a client ends. Infinity when too little of it has arrived to know. */
function endOf(bytes: Buffer, start: number): number {
  const length = (bytes[start + 1] ?? Number.NaN) & 127;
  if (start + 4 > bytes.length) return Number.POSITIVE_INFINITY;
  return length < 126 ? start + 6 + length : start + 8 + bytes.readUInt16BE(start + 2);
}

/** The message in the frame of a client. */
function textOf(bytes: Buffer, start: number, end: number): Buffer {
  const mask = start + (((bytes[start + 1] ?? 0) & 127) < 126 ? 2 : 4);
  const text = bytes.subarray(mask + 4, end);
  for (let index = 0; index < text.length; index++) {
    text[index] = (text[index] ?? 0) ^ (bytes[mask + (index & 3)] ?? 0);
  }
  return text;
}

/** A message as the frame of a server. */
function frameOf(text: Buffer): Buffer {
  const { length } = text;
  const head = length < 126 ? [0x81, length] : [0x81, 126, length >> 8, length & 255];
  const frame = Buffer.allocUnsafe(head.length + length);
  frame.set(head);
  frame.set(text, head.length);
  return frame;
}
