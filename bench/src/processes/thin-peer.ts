import { ROUTE_QUERY, routeOf } from '@a2c-smcp/protocol';
import { WebSocket } from 'ws';

export interface Identity {
  role: 'agent' | 'computer';
  name: string;
  office: string;
  /** Lets the peer take its own place back. */
  instance?: string;
}

/** The Server wants the peer to come later, in seconds. */
export class ComeLater extends Error {
  readonly seconds: number;

  constructor(seconds: number) {
    super(`Come again in ${seconds} s`);
    this.seconds = seconds;
  }
}

/**
 * Connects and joins as a peer in a few lines on `ws`, so that the server is the bottleneck and not its clients.
 * Frames are then sent and received as they are.
 *
 * @param localAddress the address that the connection comes from
 */
export function joinThin(url: string, identity: Identity, localAddress?: string): Promise<WebSocket> {
  const { role, name, office, instance } = identity;
  const options = { perMessageDeflate: false, maxPayload: 64 * 1024 * 1024, ...(localAddress ? { localAddress } : {}) };
  // The official releases from 0.2 on refuse those who do not say which version they speak.
  const query = `EIO=4&transport=websocket&a2c_version=0.4.0&${ROUTE_QUERY}=${routeOf(office)}`;
  const socket = new WebSocket(`${url.replace('http', 'ws')}/socket.io/?${query}`, options);
  const request = JSON.stringify({ role, name, office_id: office });
  const auth = JSON.stringify({ token: 'bench', ...(instance === undefined ? {} : { instance_id: instance }) });
  return new Promise((resolve, reject) => {
    socket.on('error', reject);
    socket.on('close', () => reject(new Error('The connection ended')));
    socket.on('unexpected-response', (request, response) => {
      request.destroy();
      reject(new ComeLater(Number(response.headers['retry-after'] ?? 0)));
    });
    const greet = (data: Buffer) => {
      const text = String(data);
      if (text.startsWith('0')) socket.send(`40/smcp,${auth}`);
      else if (text.startsWith('40/smcp')) socket.send(`42/smcp,0["server:join_office",${request}]`);
      else if (text.startsWith('43/smcp,0[')) {
        socket.off('message', greet);
        if (text.includes('[true')) resolve(socket);
        else reject(new Error(text));
      }
    };
    socket.on('message', greet);
    // The Rust server pings before it is joined.
    socket.on('message', (ping: Buffer) => ping.length === 1 && socket.send('3'));
  });
}

/** Answers every call of a tool `echo-200` with 200 characters. */
export function answerThin(socket: WebSocket): void {
  // As bytes: encoding a megabyte anew for each answer would cost more than relaying it.
  const answers = new Map<string, Buffer>();
  socket.on('message', (data: Buffer) => {
    const [, id, size] = /^42\/smcp,(\d+).*"echo-(\d+)"/.exec(data.toString('latin1', 0, 400)) ?? [];
    if (id === undefined || size === undefined) return;
    const answer = answers.get(size) ?? Buffer.from(JSON.stringify([resultOf(Number(size))]));
    answers.set(size, answer);
    socket.send(Buffer.concat([Buffer.from(`43/smcp,${id}`), answer]), { binary: false });
  });
}

/** The answer of a tool. */
export function resultOf(size: number) {
  return { content: [{ type: 'text', text: 'x'.repeat(size) }], isError: false };
}

/**
 * Returns a function that sends a call whose result shall have `size` characters.
 *
 * @param isStrict ends the process at a call that is not answered by its Computer
 */
export function thinCaller(
  socket: WebSocket,
  agent: string,
  isStrict = true,
): (size: number, done: () => void) => void {
  const waiting = new Map<string, () => void>();
  let last = 0;
  socket.on('message', (data: Buffer) => {
    const [, id = '', start] = /^43\/smcp,(\d+)(.{0,10})/.exec(data.toString('latin1', 0, 40)) ?? [];
    if (start === undefined) return;
    if (!isStrict && !start.startsWith('[{"content')) return;
    if (!start.startsWith('[{"content')) throw new Error(`The call was not answered: ${data.toString('utf8', 0, 300)}`);
    waiting.get(id)?.();
    waiting.delete(id);
  });
  return (size, done) => {
    const id = String(++last);
    waiting.set(id, done);
    const padding = 'x'.repeat(100);
    const body = `"agent":"${agent}","computer":"c","req_id":"${id}","tool_name":"echo-${size}","timeout":60,"params":{"text":"${padding}"}`;
    socket.send(`42/smcp,${id}["client:tool_call",{${body}}]`);
  };
}
