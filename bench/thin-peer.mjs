// A peer in a few lines on `ws`, so that the server is the bottleneck and not its clients.
import { WebSocket } from 'ws';

/** Connects and joins. Resolves to the socket, on which frames are then sent and received as text. */
export function join(url, { role, name, office }) {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket`, {
    perMessageDeflate: false,
  });
  const request = JSON.stringify({ role, name, office_id: office });
  return new Promise((resolve, reject) => {
    socket.on('error', reject);
    socket.on('message', function greet(data) {
      const text = String(data);
      if (text.startsWith('0')) socket.send('40/smcp,');
      else if (text.startsWith('40/smcp')) socket.send(`42/smcp,0["server:join_office",${request}]`);
      else if (text.startsWith('43/smcp,0[')) {
        socket.off('message', greet);
        socket.on('message', ping => String(ping) === '2' && socket.send('3'));
        if (text.includes('[true')) resolve(socket);
        else reject(new Error(text));
      }
    });
  });
}

/** Answers every call with a result of `size` characters. */
export function answerCalls(socket, size) {
  const result = `[${JSON.stringify({ content: [{ type: 'text', text: 'x'.repeat(size) }], isError: false })}]`;
  socket.on('message', data => {
    const text = data.toString('latin1', 0, 40);
    const [, id] = /^42\/smcp,(\d+)/.exec(text) ?? [];
    if (id !== undefined) socket.send(`43/smcp,${id}${result}`);
  });
}

/** Keeps `inFlight` calls going for `milliseconds`. Resolves to how many were answered and how long each took. */
export function makeCalls(socket, { agent, inFlight, milliseconds, padding }) {
  const started = performance.now();
  const latencies = [];
  const sentAt = new Map();
  let next = 1;
  let open = 0;
  const body = id =>
    `{"agent":"${agent}","computer":"c","req_id":"${agent}-${id}","tool_name":"echo","params":{"text":"${padding}"},"timeout":60}`;
  const send = () => {
    const id = next++;
    open += 1;
    sentAt.set(id, performance.now());
    socket.send(`42/smcp,${id}["client:tool_call",${body(id)}]`);
  };
  return new Promise((resolve, reject) => {
    const onMessage = data => {
      const [, id] = /^43\/smcp,(\d+)\[\{"content/.exec(data.toString('latin1', 0, 40)) ?? [];
      if (id === undefined) {
        if (String(data) !== '2') reject(new Error(String(data).slice(0, 300)));
        return;
      }
      open -= 1;
      const now = performance.now();
      latencies.push(now - sentAt.get(Number(id)));
      sentAt.delete(Number(id));
      if (now - started < milliseconds) send();
      else if (open === 0) {
        socket.off('message', onMessage);
        resolve({ calls: latencies.length, milliseconds: now - started, latencies });
      }
    };
    socket.on('message', onMessage);
    for (let n = 0; n < inFlight; n++) send();
  });
}
