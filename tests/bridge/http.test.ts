import { request } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { ERAS, httpTransport, newClient, openBridged, textIn, toolNames, waitingTool } from './bridged.ts';

const echo = { run: ({ text }: { text?: string }) => text ?? 'nothing' };
const desk = { tools: { echo } };
const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
const initialize = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
});

describe('requests that are refused', () => {
  test.each([
    ['without a token', { authorization: undefined }, ping, 401],
    ['with a wrong token', { authorization: 'Bearer wrong' }, ping, 401],
    ['with the token under another scheme', { authorization: 'Basic TOKEN' }, ping, 401],
    ['of a page of another origin', { origin: 'https://evil.example' }, ping, 403],
    ['of a sandboxed page', { origin: 'null' }, ping, 403],
    ['under a name that was pointed at this machine', { host: 'evil.example' }, ping, 403],
    ['of an unknown session', { 'mcp-session-id': 'x' }, ping, 404],
    ['of another content type', { 'content-type': 'text/plain' }, ping, 415],
    ['that are not JSON', {}, 'hello', 400],
    ['that are nested too deeply', {}, '['.repeat(2000) + ']'.repeat(2000), 400],
    ['that are nested as deeply as the stack', {}, '['.repeat(200_000) + ']'.repeat(200_000), 400],
    ['that have too many messages', {}, `[${Array(1000).fill(ping).join()}]`, 400],
    ['that are too large', {}, `"${'x'.repeat(5 * 1024 * 1024)}"`, 413],
    ['without a session', {}, ping, 400],
  ])('an HTTP request %s is refused', async (_, headers, body, status) => {
    await using office = await openBridged({ desk });
    expect(await post(office.http, headers, body)).toBe(status);
    expect(office.http.sessionCount).toBe(0);
    // It still serves.
    expect(await toolNames(await office.connect('legacy'))).toEqual(['echo']);
  });

  test.each(['bearer TOKEN', 'BEARER  TOKEN'])(
    'a client may write the scheme of its token as in %j',
    async authorization => {
      await using office = await openBridged({ desk });
      // Refused for want of a session.
      expect(await post(office.http, { authorization }, ping)).toBe(400);
      expect(await post(office.http, { authorization: 'TOKEN' }, ping)).toBe(401);
    },
  );

  test('an HTTP request without a token is refused before its body is read', async () => {
    await using office = await openBridged({ desk });
    const { port } = new URL(office.http.url);
    const socket = connect(Number(port), '127.0.0.1');
    socket.write(`POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Length: 1000000000\r\n\r\n{`);
    const answer = await new Promise<string>(resolve => socket.once('data', data => resolve(String(data))));
    expect(answer).toMatch(/^HTTP\/1\.1 401 /);
    await new Promise(resolve => socket.once('close', resolve));
  });

  test('a chunked HTTP body that is too large ends the request', async () => {
    await using office = await openBridged({ desk });
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const upload = request(office.http.url, { method: 'POST', headers: headersOf(office.http) }, response =>
        resolve(response.resume().statusCode),
      );
      upload.on('error', reject);
      for (let block = 0; block < 6; block++) upload.write('x'.repeat(1024 * 1024));
    });
    expect(status).toBe(413);
  });

  test('an HTTP request to another path is not found', async () => {
    await using office = await openBridged({ desk });
    const { status } = await fetch(new URL('/', office.http.url), { headers: headersOf(office.http) });
    expect(status).toBe(404);
  });
});

describe('sessions of clients of 2025', () => {
  test('hundreds of sessions are capped, and a new client still gets in', async () => {
    await using office = await openBridged({ desk }, { http: { maxSessions: 20 } });
    for (let round = 0; round < 5; round++) {
      const statuses = await Promise.all(Array.from({ length: 100 }, () => post(office.http, {}, initialize)));
      expect(new Set(statuses).size).toBeLessThanOrEqual(2);
      expect(office.http.sessionCount).toBeLessThanOrEqual(20);
    }
    expect(await toolNames(await office.connect('legacy'))).toEqual(['echo']);
  });

  test('a client with an open stream is not ended for a new one, which is refused', async () => {
    await using office = await openBridged({ desk }, { http: { maxSessions: 1 } });
    const client = await office.connect('legacy');
    // The client opens its stream after the handshake.
    await eventually(async () => expect(await post(office.http, {}, initialize)).toBe(503));
    expect(await toolNames(client)).toEqual(['echo']);
  });

  test('an idle session is ended, and its call is cancelled', async () => {
    const wait = waitingTool();
    await using office = await openBridged({ desk: { tools: { wait } } }, { http: { idleTimeout: 300 } });
    const opened = await fetch(office.http.url, { method: 'POST', headers: headersOf(office.http), body: initialize });
    await opened.text();
    const session = { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' };
    const vanish = new AbortController();
    const body = JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'wait' } });
    const headers = { ...headersOf(office.http), ...session };
    await post(office.http, session, '{"jsonrpc":"2.0","id":3,"method":"tools/list"}');
    const call = fetch(office.http.url, { method: 'POST', headers, body, signal: vanish.signal });
    await eventually(() => expect(wait.state).toBe('running'));
    vanish.abort();
    await call.then(response => response.text()).catch(() => {});
    await eventually(() => expect(wait.state).toBe('cancelled'));
    expect(office.http.sessionCount).toBe(0);
    expect(await post(office.http, session, ping)).toBe(404);
  });

  test('a session ends with DELETE', async () => {
    await using office = await openBridged({ desk });
    const client = newClient('legacy');
    const transport = httpTransport(office.http);
    await client.connect(transport);
    expect(office.http.sessionCount).toBe(1);
    await transport.terminateSession();
    expect(office.http.sessionCount).toBe(0);
    await client.close();
  });
});

test('a client of 2026 that vanishes cancels its call at once', async () => {
  const wait = waitingTool();
  await using office = await openBridged({ desk: { tools: { wait } } });
  const client = await office.connect('modern');
  const call = client.callTool({ name: 'wait' }).catch(() => {});
  await eventually(() => expect(wait.state).toBe('running'));
  await client.close();
  await call;
  await eventually(() => expect(wait.state).toBe('cancelled'));
});

describe.each(ERAS)('many clients of the %s era', era => {
  test(`share one bridge (${era})`, async () => {
    await using office = await openBridged({ desk });
    const clients = await Promise.all(Array.from({ length: 20 }, () => office.connect(era)));
    const texts = await Promise.all(
      clients.map(async (client, index) =>
        textIn(await client.callTool({ name: 'echo', arguments: { text: `${index}` } })),
      ),
    );
    expect(texts).toEqual(clients.map((_, index) => `${index}`));
  });
});

function headersOf({ token }: { token: string }): Record<string, string> {
  return {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  };
}

/** The status of a POST. `fetch` does not let a test lie about its host. */
function post(
  http: { url: string; token: string },
  given: Record<string, string | undefined>,
  body: string,
): Promise<number | undefined> {
  const headers = Object.fromEntries(
    Object.entries({ ...headersOf(http), ...given })
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, value?.replace('TOKEN', http.token) ?? '']),
  );
  return new Promise((resolve, reject) => {
    request(http.url, { method: 'POST', headers, agent: false }, response => resolve(response.resume().statusCode))
      .setTimeout(15_000, () => reject(new Error('The bridge does not answer')))
      .on('error', reject)
      .end(body);
  });
}
