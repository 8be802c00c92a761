import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo, Server as NetServer } from 'node:net';
import { createBareRelay } from './bare-relay.ts';
import { benchLimits } from './limits.ts';
import { obey, settings, usage } from './obey.ts';
import { createRawRelay } from './raw-relay.ts';

/**
 * `obvious` is the relay anybody would write first, `raw` the least that a relay on `ws` does, and `bare` the least that
 * Node does, without any library.
 */
export type ServerKind = 'ours' | 'obvious' | 'raw' | 'bare';

export interface ServerSettings {
  kind: ServerKind;
  /** Makes ours one of several nodes, or the raw one. */
  redis?: string;
  port?: number;
  fastPath?: boolean;
  /** Limits that differ from those of other benchmarks. */
  limits?: object;
  /** Keys of operators. */
  operatorKeys?: string[];
}

const { kind, redis, port = 0, fastPath = true, operatorKeys = [], limits = {} } = settings<ServerSettings>();
const start = {
  ours: startOurs,
  obvious: startObvious,
  raw: async () => listen(await createRawRelay(redis)),
  bare: async () => listen(createBareRelay()),
};
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

async function listen(server: NetServer): Promise<string> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
