import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import { type Frame, format, type Packet, parse, type Recording } from './golden.ts';

const HANDSHAKE = { sid: 'golden', upgrades: [], pingInterval: 25_000, pingTimeout: 20_000, maxPayload: 1_000_000 };

type Asked = [event: string, body?: { req_id?: string; tool_name?: string }];

/** A Server that answers one of our clients with what the official one answered when it was recorded. */
export class GoldenServer implements AsyncDisposable {
  readonly #sockets: WebSocketServer;
  readonly #frames: Frame[];
  readonly #waiting = new Map<string, (data: unknown) => void>();
  #client?: WebSocket;

  private constructor(sockets: WebSocketServer, frames: Frame[]) {
    this.#sockets = sockets;
    this.#frames = frames;
    sockets.on('connection', client => {
      this.#client = client;
      client.send(`0${JSON.stringify(HANDSHAKE)}`);
      client.on('message', data => data.toString().startsWith('4') && this.#hear(parse(data.toString())));
    });
  }

  static async listen({ frames }: Recording, peer: Frame['peer']): Promise<GoldenServer> {
    const sockets = new WebSocketServer({ port: 0, host: '127.0.0.1' });
    await new Promise(resolve => sockets.once('listening', resolve));
    return new GoldenServer(
      sockets,
      frames.filter(frame => frame.peer === peer),
    );
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#sockets.address() as AddressInfo).port}`;
  }

  /** The packets of an event that the Server sent. */
  sent(event: string): Packet[] {
    const events = this.#frames.filter(({ from }) => from === 'server').map(({ packet }) => parse(packet));
    return events.filter(({ type, data }) => type === '2' && (data as Asked)[0] === event);
  }

  /** The recorded answer of our client to a request of the Server. */
  answered({ id }: Packet): unknown {
    const answers = this.#frames.filter(({ from }) => from === 'peer').map(({ packet }) => parse(packet));
    return answers.find(packet => packet.type === '3' && packet.id === id)?.data;
  }

  /** Sends the client a packet as it was recorded. */
  tell(packet: Packet): void {
    this.#client?.send(format(packet));
  }

  /** Sends the client a recorded request, and returns its acknowledgement. */
  ask(packet: Packet): Promise<unknown> {
    const answer = new Promise<unknown>(resolve => this.#waiting.set(packet.id, resolve));
    this.tell(packet);
    return answer;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const client of this.#sockets.clients) client.terminate();
    await new Promise(resolve => this.#sockets.close(resolve));
  }

  #hear({ type, id, data }: Packet): void {
    if (type === '0') this.tell({ type: '0', id: '', data: { sid: 'golden' } });
    if (type === '3') this.#waiting.get(id)?.(data);
    // The official Computers do not list the office, so that there is no answer to it; ours do without.
    if (type === '2' && id !== '' && !this.#isUnknown(data as Asked))
      this.tell({ type: '3', id, data: this.#answerTo(data as Asked) });
  }

  #isUnknown([event]: Asked): boolean {
    return event === 'server:list_room' && !this.#frames.some(({ packet }) => packet.includes(event));
  }

  /** The last answer to a request of this kind; its `req_id` becomes that of the request at hand. */
  #answerTo([event, body]: Asked): unknown {
    const requests = this.#frames.map(({ packet, from }) => ({ ...parse(packet), from }));
    const request = requests.findLast(({ from, type, id, data }) => {
      const [name, given] = type === '2' && from === 'peer' && id !== '' ? (data as Asked) : [];
      return name === event && given?.tool_name === body?.tool_name;
    });
    const answer = requests.find(({ from, type, id }) => from === 'server' && type === '3' && id === request?.id);
    if (!request || !answer) throw new Error(`${event} was never answered in the recording`);
    const [, recorded] = request.data as Asked;
    return JSON.parse(JSON.stringify(answer.data).replaceAll(recorded?.req_id ?? '\0', body?.req_id ?? ''));
  }
}
