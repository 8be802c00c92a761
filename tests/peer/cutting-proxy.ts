import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A TCP proxy that can cut its clients off while the Server believes that they are still there. */
export interface CuttingProxy extends AsyncDisposable {
  url: string;
  /** Ends every connection on the clients' side only. New ones are let through. */
  cut(): void;
}

export async function openCuttingProxy(target: string): Promise<CuttingProxy> {
  const { hostname, port } = new URL(target);
  const clients = new Set<Socket>();
  const servers = new Set<Socket>();
  const listener = createServer(client => {
    const server = connect(Number(port), hostname);
    clients.add(client);
    servers.add(server);
    client.on('error', () => {}).on('data', chunk => server.write(chunk));
    server.on('error', () => {}).on('data', chunk => client.write(chunk));
    server.on('close', () => client.destroy());
  });
  await new Promise<void>(resolve => listener.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(listener.address() as AddressInfo).port}`,
    cut() {
      for (const client of clients) client.destroy();
      clients.clear();
    },
    async [Symbol.asyncDispose]() {
      for (const socket of [...clients, ...servers]) socket.destroy();
      await new Promise(resolve => listener.close(resolve));
    },
  };
}
