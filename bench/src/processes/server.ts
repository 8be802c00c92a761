import { once } from 'node:events';
import { createServer, type Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import { benchLimits } from './limits.ts';
import { obey, settings, usage } from './obey.ts';

/** `obvious` is the relay anybody would write first, `raw` the least that any relay over WebSockets does. */
export type ServerKind = 'ours' | 'obvious' | 'raw';

export interface ServerSettings {
  kind: ServerKind;
  /** Makes ours one of several nodes. */
  redis?: string;
  port?: number;
  fastPath?: boolean;
  /** Limits that differ from those of other benchmarks. */
  limits?: object;
  /** Keys of operators. */
  operatorKeys?: string[];
}

const { kind, redis, port = 0, fastPath = true, operatorKeys = [], limits = {} } = settings<ServerSettings>();
const start = { ours: startOurs, obvious: startObvious, raw: startRaw };
obey(await start[kind](), usage);

async function startOurs(): Promise<string> {
  const { SmcpServer } = await import('@a2c-smcp/server');
  const server = await SmcpServer.listen({
    ...{ port, limits: { ...benchLimits, ...limits }, fastPath, operatorKeys },
    ...(redis === undefined ? {} : { redis }),
  });
  return server.url;
}

async function startObvious(): Promise<string> {
  const { Server } = await import('socket.io');
  const http = createServer();
  const io = new Server(http, { serveClient: false, perMessageDeflate: false, maxHttpBufferSize: 16 * 1024 * 1024 });
  const namespace = io.of('/smcp');
  const computers = new Map<string, { timeout(ms: number): { emitWithAck(event: string, body: unknown): unknown } }>();
  namespace.on('connection', socket => {
    socket.on('server:join_office', ({ role, name, office_id }, ack) => {
      socket.join(office_id);
      if (role === 'computer') computers.set(`${office_id}/${name}`, socket);
      socket.data.office = office_id;
      ack(true, null);
    });
    for (const event of ['client:tool_call', 'client:get_tools']) {
      socket.on(event, async (request, ack) => {
        const computer = computers.get(`${socket.data.office}/${request.computer}`);
        ack(await computer?.timeout((request.timeout ?? 20) * 1000).emitWithAck(event, request));
      });
    }
    socket.on('server:update_tool_list', body => {
      namespace.to(socket.data.office).except(socket.id).emit('notify:update_tool_list', body);
    });
  });
  return listen(http);
}

/** Greets like Socket.IO, then passes every message of an Agent to its Computer and back without looking into it. */
async function startRaw(): Promise<string> {
  const http = createServer();
  const server = new WebSocketServer({ server: http, perMessageDeflate: false, maxPayload: 16 * 1024 * 1024 });
  const offices = new Map<string, { agent?: WebSocket; computer?: WebSocket }>();
  server.on('connection', socket => {
    socket.send('0{"sid":"s","upgrades":[],"pingInterval":300000,"pingTimeout":300000,"maxPayload":16000000}');
    let office: { agent?: WebSocket; computer?: WebSocket } | undefined;
    let other: 'agent' | 'computer' = 'agent';
    socket.on('message', (data: Buffer) => {
      if (office) return office[other]?.send(data, { binary: false });
      const text = String(data);
      if (text.startsWith('40')) socket.send('40/smcp,{"sid":"s"}');
      else if (text.includes('server:join_office')) {
        const { role, office_id } = JSON.parse(text.slice(text.indexOf('[')))[1];
        office = offices.get(office_id) ?? {};
        offices.set(office_id, office);
        office[role as 'agent'] = socket;
        other = role === 'agent' ? 'computer' : 'agent';
        socket.send('43/smcp,0[true,null]');
      }
    });
  });
  return listen(http);
}

async function listen(http: HttpServer): Promise<string> {
  http.listen(port, '127.0.0.1');
  await once(http, 'listening');
  return `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
}
