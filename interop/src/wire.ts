import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { type RawData, WebSocket, WebSocketServer } from 'ws';

/** The sender of a packet. */
export type Sender = 'peer' | 'server';
/** A text that it returns goes on in place of the packet, where that came over a WebSocket. */
export type OnPacket = (from: Sender, packet: string) => unknown;

/** The separator of Engine.IO packets in one HTTP body. */
const SEPARATOR = '\x1e';
/** Headers that belong to one connection only. */
const HOP_BY_HOP = /^(connection|upgrade|host|sec-websocket-.*)$/;

/** The line between one peer and the Server: it can be cut, listened to, and made to change what it carries. */
export class Wire implements AsyncDisposable {
  readonly url: string;
  readonly #http: Server;
  readonly #target: URL;
  readonly #onPacket: OnPacket;
  readonly #upgrades = new WebSocketServer({ noServer: true, perMessageDeflate: false });
  readonly #links = new Set<WebSocket>();

  private constructor(http: Server, target: string, onPacket: OnPacket) {
    this.#http = http;
    this.#target = new URL(target);
    this.#onPacket = onPacket;
    this.url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
    http.on('request', (incoming, response) => this.#forward(incoming, response));
    http.on('upgrade', (incoming, socket, head) => this.#upgrade(incoming, socket, head));
  }

  static async open(target: string, onPacket: OnPacket = () => {}): Promise<Wire> {
    const http = createServer();
    await new Promise<void>(resolve => http.listen(0, '127.0.0.1', resolve));
    return new Wire(http, target, onPacket);
  }

  /** Breaks every connection without a farewell. New ones are let through. */
  cut(): void {
    for (const link of this.#links) link.terminate();
    this.#http.closeAllConnections();
  }

  async close(): Promise<void> {
    this.cut();
    await new Promise(resolve => this.#http.close(resolve));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #forward(incoming: IncomingMessage, response: ServerResponse): void {
    const { method, url, headers } = incoming;
    const { hostname, port } = this.#target;
    const outgoing = request({ hostname, port, method, path: url, headers, agent: false }, answer => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      this.#listen('server', answer);
      answer.pipe(response);
    });
    outgoing.on('error', () => response.destroy());
    response.on('close', () => outgoing.destroy());
    this.#listen('peer', incoming);
    incoming.pipe(outgoing);
  }

  /** A body is one or more packets. */
  #listen(from: Sender, message: IncomingMessage): void {
    const chunks: Buffer[] = [];
    message.on('data', chunk => chunks.push(chunk));
    message.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      for (const packet of body.split(SEPARATOR)) this.#onPacket(from, packet);
    });
  }

  #upgrade(incoming: IncomingMessage, socket: Duplex, head: Buffer): void {
    const headers = Object.fromEntries(Object.entries(incoming.headers).filter(([name]) => !HOP_BY_HOP.test(name)));
    const target = new WebSocket(`ws://${this.#target.host}${incoming.url}`, { headers, perMessageDeflate: false });
    target.once('unexpected-response', (_, answer) => {
      socket.end(`HTTP/1.1 ${answer.statusCode} ${answer.statusMessage}\r\nconnection: close\r\n\r\n`);
    });
    target.once('error', () => socket.destroy());
    target.once('open', () => {
      this.#upgrades.handleUpgrade(incoming, socket, head, peer => {
        this.#join(peer, target, 'peer');
        this.#join(target, peer, 'server');
      });
    });
  }

  #join(source: WebSocket, sink: WebSocket, from: Sender): void {
    this.#links.add(source);
    source.on('message', (data: RawData, isBinary: boolean) => {
      const changed = isBinary ? undefined : this.#onPacket(from, data.toString());
      sink.send(typeof changed === 'string' ? changed : data, { binary: isBinary });
    });
    source.on('error', () => source.terminate());
    source.on('close', () => {
      this.#links.delete(source);
      sink.terminate();
    });
  }
}
