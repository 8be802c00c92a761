import { PROTOCOL_VERSION } from '@a2c-smcp/protocol';
import { apiKeys, SmcpServer } from '@a2c-smcp/server';
import { RawPeer } from '@a2c-smcp/testing';
import { expect, vi } from 'vitest';
import { eventually } from '../eventually.ts';
import { pollingHandshake, rawUpgrade } from '../http.ts';
import { verifies } from './verifies.ts';

/** The status and the code that a Server serving `line` gives a client of `version`, by polling. */
async function handshake(line: string, version: string): Promise<[status: number, code?: number]> {
  await using server = await SmcpServer.listen({ port: 0, acceptVersions: [line] });
  const response = await pollingHandshake(server.url, `a2c_version=${version}`);
  return response.ok ? [200] : [response.status, ((await response.json()) as { code: number }).code];
}

verifies('connect.path', async () => {
  await using server = await SmcpServer.listen({ port: 0, path: '/smcp' });
  await using peer = await RawPeer.connect(server.url, { path: '/smcp', query: { a2c_version: '0.2.0' } });
  expect(peer.socket.connected).toBe(true);
  const refused = RawPeer.connect(server.url, {
    path: '/smcp',
    query: { a2c_version: '0.9.0' },
    transports: ['polling'],
  });
  await expect(refused).rejects.toMatchObject({ description: 400 });
  expect((await fetch(`${server.url}/socket.io/?EIO=4&transport=polling`)).status).toBe(404);
});

verifies('auth.provider', async () => {
  const warn = vi.fn();
  const seen: unknown[] = [];
  await using server = await SmcpServer.listen({
    port: 0,
    logger: { debug() {}, info() {}, error() {}, warn },
    authenticate: ({ headers, auth, address }) => {
      seen.push({ header: headers['x-team'], auth, address });
      return auth.pass === 'yes' ? { id: 'somebody' } : null;
    },
  });
  await using peer = await RawPeer.connect(server.url, { auth: { pass: 'yes' }, extraHeaders: { 'X-Team': 'blue' } });
  expect(peer.socket.connected).toBe(true);
  expect(seen).toEqual([{ header: 'blue', auth: { pass: 'yes' }, address: '127.0.0.1' }]);
  const refused = RawPeer.connect(server.url, { auth: { pass: 'no' } });
  await expect(refused).rejects.toMatchObject({ data: { code: 401, error: { code: 401 } } });
  expect(warn).toHaveBeenCalledWith('A client was not admitted', expect.anything());
});

verifies('auth.default-provider', async () => {
  await using server = await SmcpServer.listen({ port: 0, authenticate: apiKeys('s3cret') });
  await using upper = await RawPeer.connect(server.url, { extraHeaders: { 'X-API-KEY': 's3cret' } });
  await using inAuth = await RawPeer.connect(server.url, { auth: { 'x-api-key': 's3cret' } });
  expect([upper.socket.connected, inAuth.socket.connected]).toEqual([true, true]);
  for (const options of [{}, { extraHeaders: { 'x-api-key': 'wrong' } }, { auth: { 'x-api-key': ['s3cret'] } }]) {
    await expect(RawPeer.connect(server.url, options)).rejects.toMatchObject({ data: { code: 401 } });
  }
});

verifies('version.missing.admitted', async () => {
  await using server = await SmcpServer.listen({ port: 0 });
  await using peer = await RawPeer.connect(server.url);
  expect(peer.socket.connected).toBe(true);
});

verifies('version.missing.refused', async () => {
  await using server = await SmcpServer.listen({ port: 0, requireVersion: true });
  const response = await pollingHandshake(server.url, '');
  expect([response.status, await response.json()]).toEqual([
    400,
    { code: 400, message: 'Missing a2c_version query parameter' },
  ]);
  await using peer = await RawPeer.connect(server.url, { query: { a2c_version: PROTOCOL_VERSION } });
  expect(peer.socket.connected).toBe(true);
});

verifies('version.malformed', async () => {
  await using server = await SmcpServer.listen({ port: 0 });
  for (const version of ['abc', '', '0.2', 'v0.2.0', '0.2.0%00']) {
    const response = await pollingHandshake(server.url, `a2c_version=${version}`);
    const body = { code: 400, message: expect.stringMatching(/^Invalid a2c_version/) };
    expect([response.status, await response.json()]).toEqual([400, body]);
  }
});

verifies('version.mismatch', async () => {
  await using server = await SmcpServer.listen({ port: 0 });
  const response = await pollingHandshake(server.url, 'a2c_version=0.9.0');
  expect(response.status).toBe(400);
  expect(response.headers.get('x-a2c-error-code')).toBe('4008');
  expect(await response.json()).toEqual({
    code: 4008,
    message: expect.any(String),
    server_version: '0.5.0',
    client_version: '0.9.0',
    min_supported: '0.2.0',
    max_supported: '0.5.999',
  });
});

verifies('version.patch', async () => {
  expect(await handshake('0.2', '0.2.0')).toEqual([200]);
  expect(await handshake('0.2', '0.2.1')).toEqual([200]);
});

verifies('version.minor', async () => {
  expect(await handshake('0.3', '0.2.0')).toEqual([400, 4008]);
  expect(await handshake('0.2', '0.3.0')).toEqual([400, 4008]);
});

verifies('version.major', async () => {
  expect(await handshake('0.2', '1.0.0')).toEqual([400, 4008]);
  // The minor numbers alone would not refuse it.
  expect(await handshake('0.2', '1.2.0')).toEqual([400, 4008]);
  expect(await handshake('1.2', '2.0.0')).toEqual([400, 4008]);
});

verifies('version.stable', async () => {
  expect(await handshake('1.2', '1.0.0')).toEqual([200]);
  expect(await handshake('1.0', '1.2.0')).toEqual([400, 4008]);
});

verifies('version.accept-lines', async () => {
  await using server = await SmcpServer.listen({ port: 0, acceptVersions: ['0.2', '0.4'] });
  const statuses = ['0.1.9', '0.2.7', '0.3.0', '0.4.1'].map(async version => {
    const response = await pollingHandshake(server.url, `a2c_version=${version}`);
    return response.status;
  });
  expect(await Promise.all(statuses)).toEqual([400, 200, 400, 200]);
  const refusal = await (await pollingHandshake(server.url, 'a2c_version=0.3.0')).json();
  expect(refusal).toMatchObject({ min_supported: '0.2.0', max_supported: '0.4.999' });
  await using plain = await SmcpServer.listen({ port: 0 });
  for (const version of ['0.2.0', '0.3.1', '0.4.0', '0.5.0']) {
    expect((await pollingHandshake(plain.url, `a2c_version=${version}`)).status).toBe(200);
  }
});

verifies('version.lines', async () => {
  await using server = await SmcpServer.listen({ port: 0 });
  const peers: RawPeer[] = [];
  for (const [index, version] of ['0.2.0', '0.3.1', '0.4.0', '0.5.0'].entries()) {
    peers.push(await RawPeer.connect(server.url, { query: { a2c_version: version } }));
    const join = { role: 'computer', name: `c${index}`, office_id: 'o1' };
    expect(await peers[index]?.ask('server:join_office', join)).toEqual(version === '0.5.0' ? [] : [true, null]);
  }
  await using agent = await RawPeer.join(server.url, 'agent', 'a1', 'o1');
  const [room] = await agent.ask('server:list_room', { agent: 'a1', req_id: 'r1', office_id: 'o1' });
  const versions = (room as { sessions: { a2c_version?: string }[] }).sessions.map(({ a2c_version }) => a2c_version);
  expect(versions).toEqual([undefined, '0.2.0', '0.3.1', '0.4.0', '0.5.0']);
  await Promise.all(peers.map(peer => peer[Symbol.asyncDispose]()));
});

verifies('version.websocket', async () => {
  await using server = await SmcpServer.listen({ port: 0 });
  const path = (version: string) => `/socket.io/?EIO=4&transport=websocket&a2c_version=${version}`;
  expect(await rawUpgrade(server.url, path('0.2.0'))).toMatch(/^HTTP\/1.1 101 /);
  const refused = await rawUpgrade(server.url, path('0.9.0'));
  expect(refused).toMatch(/^HTTP\/1.1 400 Bad Request\r\n/);
  expect(refused.toLowerCase()).toContain('\r\nx-a2c-error-code: 4008\r\n');
  expect(JSON.parse(refused.split('\r\n\r\n')[1] ?? '')).toMatchObject({ code: 4008, client_version: '0.9.0' });
  expect(await rawUpgrade(server.url, path('abc'))).toContain('Invalid a2c_version');
});

verifies('version.before-handlers', async () => {
  const authenticate = vi.fn(() => {
    throw new Error('broken');
  });
  await using server = await SmcpServer.listen({ port: 0, authenticate });
  const mismatch = await pollingHandshake(server.url, 'a2c_version=9.9.9');
  expect(await mismatch.json()).toMatchObject({ code: 4008 });
  expect(authenticate).not.toHaveBeenCalled();
  await expect(RawPeer.connect(server.url)).rejects.toMatchObject({ data: { code: 401 } });
});

verifies('reconnect.takeover', async () => {
  await using server = await SmcpServer.listen({ port: 0 });
  await using agent = await RawPeer.join(server.url, 'agent', 'a1', 'o1');
  const auth = { instance_id: 'one-client' };
  const stale = await RawPeer.join(server.url, 'computer', 'c1', 'o1', { auth });
  const closed = new Promise(resolve => stale.socket.once('disconnect', resolve));
  const call = agent.ask('client:get_tools', { agent: 'a1', computer: 'c1', req_id: 'r1' });
  await eventually(() => expect(stale.heard).toHaveLength(1));
  await using back = await RawPeer.join(server.url, 'computer', 'c1', 'o1', { auth });
  await closed;
  expect(await call).toEqual([expect.objectContaining({ details: { reason: 'computer_disconnected' } })]);
  await agent.settled();
  expect(agent.heard.map(([event]) => event)).toEqual(['notify:enter_office']);
  back.reply('client:get_tools', ({ req_id }) => ({ tools: [], req_id }));
  const [answer] = await agent.ask('client:get_tools', { agent: 'a1', computer: 'c1', req_id: 'r2' });
  expect(answer).toEqual({ tools: [], req_id: 'r2' });
});

verifies('reconnect.stranger', async () => {
  await using server = await SmcpServer.listen({ port: 0 });
  await using _first = await RawPeer.join(server.url, 'agent', 'a1', 'o1', { auth: { instance_id: 'x' } });
  for (const auth of [{}, { instance_id: 'y' }, { instance_id: '' }, { instance_id: ['x'] }]) {
    await using other = await RawPeer.connect(server.url, { auth });
    expect((await other.enter('agent', 'a1', 'o1'))[0]).toBe(false);
  }
  await using same = await RawPeer.connect(server.url, { auth: { instance_id: 'x' } });
  expect((await same.enter('agent', 'another-name', 'o1'))[0]).toBe(false);
  await using _nameless = await RawPeer.join(server.url, 'computer', 'c1', 'o1');
  await using nameless = await RawPeer.connect(server.url);
  expect((await nameless.enter('computer', 'c1', 'o1'))[0]).toBe(false);
});

verifies('auth.role', async () => {
  await using server = await SmcpServer.listen({ port: 0 });
  await using peer = await RawPeer.connect(server.url, { auth: { role: 'agent' } });
  expect(await peer.enter('computer', 'c1', 'o1')).toEqual([true, null]);
});
