import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Random } from '../random.ts';
import { type Incoming, respond } from './answers.ts';

/** MCP servers over HTTP that answer at random; the path of each is its seed. */
export class FuzzedHttp implements Disposable {
  readonly #http: Server;
  readonly #random = new Map<string, Random>();

  private constructor(http: Server) {
    this.#http = http;
    http.on('request', (request, response) => void this.#answer(request, response).catch(() => response.destroy()));
  }

  static async open(): Promise<FuzzedHttp> {
    const http = createServer();
    await new Promise<void>(resolve => http.listen(0, '127.0.0.1', resolve));
    return new FuzzedHttp(http);
  }

  /** The address of a new MCP server. */
  serve(seed: string): string {
    this.#random.clear();
    this.#random.set(`/${seed}`, new Random(seed));
    return `http://127.0.0.1:${(this.#http.address() as AddressInfo).port}/${seed}`;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const random = this.#random.get(request.url ?? '');
    if (!random || request.method !== 'POST') {
      response.writeHead(random ? 405 : 404).end();
      return;
    }
    const texts = respond(JSON.parse(await text(request)) as Incoming, random);
    if (random.chance(0.05)) {
      response.writeHead(random.pick([202, 400, 401, 404, 500]), { 'www-authenticate': 'Bearer' }).end(texts.join());
    } else if (texts.length === 0) {
      response.writeHead(202).end();
    } else if (random.chance(0.5)) {
      response.writeHead(200, { 'content-type': 'application/json' }).end(texts.at(-1));
    } else {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const data of texts) response.write(`event: message\ndata: ${data.replaceAll('\n', ' ')}\n\n`);
      if (random.chance(0.1)) response.destroy();
      else response.end();
    }
  }

  [Symbol.dispose](): void {
    this.#http.close();
    this.#http.closeAllConnections();
  }
}
