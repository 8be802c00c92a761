import { connect } from 'node:net';

/** The answer to a WebSocket upgrade, as plain text. */
export function rawUpgrade(url: string, path: string, headers: Record<string, string> = {}): Promise<string> {
  const { hostname, port, host } = new URL(url);
  const lines = Object.entries({
    Host: host,
    Connection: 'Upgrade',
    Upgrade: 'websocket',
    'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
    'Sec-WebSocket-Version': '13',
    ...headers,
  }).map(([name, value]) => `${name}: ${value}`);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    let answer = '';
    socket.setEncoding('utf8');
    socket.on('data', chunk => {
      answer += chunk;
      if (answer.startsWith('HTTP/1.1 101')) socket.destroy();
    });
    socket.on('close', () => resolve(answer));
    socket.on('error', reject);
    socket.write([`GET ${path} HTTP/1.1`, ...lines, '', ''].join('\r\n'));
  });
}

/** The first polling request of a handshake. */
export function pollingHandshake(url: string, query: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${url}/socket.io/?EIO=4&transport=polling&${query}`, { headers });
}
