import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { apiKeys, jwt, SmcpServer } from '@a2c-smcp/server';
import { RawPeer } from '@a2c-smcp/testing';
import { exportJWK, exportSPKI, generateKeyPair, SignJWT } from 'jose';
import { describe, expect, test, vi } from 'vitest';
import { eventually } from '../eventually.ts';
import { pollingHandshake, rawUpgrade } from '../http.ts';

const secret = 'a secret of at least thirty-two bytes';
const hs256 = (claims: object, expires: string | number = '5m') =>
  new SignJWT({ ...claims })
    .setProtectedHeader({ alg: 'HS256' })
    .setExpirationTime(expires)
    .sign(new TextEncoder().encode(secret));

const withToken = (token: string) => ({ extraHeaders: { authorization: `Bearer ${token}` } });
const refusal = (message: string | RegExp) => ({
  message: typeof message === 'string' ? message : expect.stringMatching(message),
  data: expect.objectContaining({ code: 401 }),
});

describe('API keys', () => {
  test('say what is missing and what is wrong', async () => {
    await using server = await SmcpServer.listen({ port: 0, authenticate: apiKeys(['k1', 'k2'], { name: 'X-Key' }) });
    await using first = await RawPeer.connect(server.url, { extraHeaders: { 'x-key': 'k1' } });
    await using second = await RawPeer.connect(server.url, { auth: { 'X-Key': 'k2' } });
    expect([first, second].every(({ socket }) => socket.connected)).toBe(true);
    await expect(RawPeer.connect(server.url)).rejects.toMatchObject(refusal("Send your key in the header 'X-Key'"));
    const wrong = RawPeer.connect(server.url, { extraHeaders: { 'x-key': 'k3' } });
    await expect(wrong).rejects.toMatchObject(refusal("The key in 'X-Key' is not valid"));
  });

  test('are found where the official SDKs put them', async () => {
    await using server = await SmcpServer.listen({ port: 0, authenticate: apiKeys('k1') });
    await using header = await RawPeer.connect(server.url, { extraHeaders: { 'x-api-key': 'k1' } });
    await using token = await RawPeer.connect(server.url, { auth: { token: 'k1' } });
    expect([header, token].every(({ socket }) => socket.connected)).toBe(true);
    const wrong = RawPeer.connect(server.url, { auth: { token: 'k2' } });
    await expect(wrong).rejects.toMatchObject(refusal("The key in 'token' is not valid"));
  });

  test('can be tied to roles, offices and names', async () => {
    const identity = { id: 'desk', roles: ['computer'], offices: ['o1'], names: ['desk'] } as const;
    const authenticate = apiKeys(new Map([['k1', identity]]));
    await using server = await SmcpServer.listen({ port: 0, authenticate });
    await using peer = await RawPeer.connect(server.url, { extraHeaders: { 'x-api-key': 'k1' } });
    const forbidden = [false, expect.stringMatching(/^Your credentials do not allow you to /)];
    const role = [false, 'Your credentials do not allow you to join as agent'];
    expect(await peer.enter('agent', 'desk', 'o1')).toEqual(role);
    expect(await peer.enter('computer', 'desk', 'o2')).toEqual(forbidden);
    expect(await peer.enter('computer', 'other', 'o1')).toEqual(forbidden);
    expect(await peer.enter('computer', 'desk', 'o1')).toEqual([true, null]);
  });

  test('must not be empty', () => {
    expect(() => apiKeys('')).toThrow(TypeError);
    expect(() => apiKeys([])).toThrow(TypeError);
  });
});

describe('JSON Web Tokens', () => {
  test('restrict role, office and name by their claims', async () => {
    await using server = await SmcpServer.listen({ port: 0, authenticate: jwt({ secret }) });
    const token = await hs256({ sub: 'desk-1', role: 'computer', office: ['o1', 'o2'], name: 'desk' });
    await using peer = await RawPeer.connect(server.url, withToken(token));
    expect((await peer.enter('agent', 'desk', 'o1'))[0]).toBe(false);
    expect((await peer.enter('computer', 'desk', 'o3'))[0]).toBe(false);
    expect((await peer.enter('computer', 'other', 'o1'))[0]).toBe(false);
    expect(await peer.enter('computer', 'desk', 'o2')).toEqual([true, null]);
  });

  test('travel in the auth object too', async () => {
    await using server = await SmcpServer.listen({ port: 0, authenticate: jwt({ secret }) });
    await using peer = await RawPeer.connect(server.url, { auth: { token: await hs256({}) } });
    expect(peer.socket.connected).toBe(true);
  });

  test('end the connection when they expire', async () => {
    await using server = await SmcpServer.listen({ port: 0, authenticate: jwt({ secret }) });
    const soon = Math.floor(Date.now() / 1000) + 2;
    await using peer = await RawPeer.connect(server.url, withToken(await hs256({}, soon)));
    await eventually(() => expect(peer.socket.connected).toBe(false));
  });

  test('are refused when expired, forged, malformed, missing, or signed with another algorithm', async () => {
    await using server = await SmcpServer.listen({ port: 0, authenticate: jwt({ secret, issuer: 'us' }) });
    const good = await hs256({ iss: 'us' });
    const unsigned = `${btoa('{"alg":"none"}')}.${btoa('{"iss":"us"}')}.`.replaceAll('=', '');
    const cases: [object, string | RegExp][] = [
      [withToken(await hs256({ iss: 'us' }, Math.floor(Date.now() / 1000) - 100)), 'The token has expired'],
      [withToken(`${good.slice(0, -4)}AAAA`), 'The token is not valid'],
      [withToken(await hs256({ iss: 'them' })), 'The token is not valid'],
      [withToken(unsigned), 'The token is not valid'],
      [withToken('nonsense'), 'The token is not valid'],
      [withToken(await hs256({ iss: 'us', role: 'king' })), 'The token is not valid'],
      [withToken(await hs256({ iss: 'us', office: 5 })), /office/],
      [{}, /Authorization: Bearer/],
    ];
    for (const [options, message] of cases) {
      await expect(RawPeer.connect(server.url, options)).rejects.toMatchObject(refusal(message));
    }
    await using peer = await RawPeer.connect(server.url, withToken(good));
    expect(peer.socket.connected).toBe(true);
  });

  test('are verified with a public key', async () => {
    const { publicKey, privateKey } = await generateKeyPair('ES256');
    const authenticate = jwt({ publicKey: await exportSPKI(publicKey), algorithm: 'ES256' });
    await using server = await SmcpServer.listen({ port: 0, authenticate });
    const token = await new SignJWT({}).setProtectedHeader({ alg: 'ES256' }).sign(privateKey);
    await using peer = await RawPeer.connect(server.url, withToken(token));
    expect(peer.socket.connected).toBe(true);
    await expect(RawPeer.connect(server.url, withToken(await hs256({})))).rejects.toThrow('The token is not valid');
  });

  test('are verified with keys from a JWKS', async () => {
    const { publicKey, privateKey } = await generateKeyPair('RS256');
    const keys = [{ ...(await exportJWK(publicKey)), kid: 'k1', alg: 'RS256' }];
    const issuer = createServer((_, response) => response.end(JSON.stringify({ keys })));
    await new Promise<void>(resolve => issuer.listen(0, '127.0.0.1', resolve));
    const { port } = issuer.address() as AddressInfo;
    await using server = await SmcpServer.listen({ port: 0, authenticate: jwt({ jwks: `http://127.0.0.1:${port}/` }) });
    const token = await new SignJWT({}).setProtectedHeader({ alg: 'RS256', kid: 'k1' }).sign(privateKey);
    await using peer = await RawPeer.connect(server.url, withToken(token));
    expect(peer.socket.connected).toBe(true);
    issuer.close();
  });

  test('need a secret that is long enough', () => {
    expect(() => jwt({ secret: 'short' })).toThrow(TypeError);
  });
});

describe('by default', () => {
  test('a Server without authentication listens on this machine only', async () => {
    await expect(SmcpServer.listen({ port: 0, host: '0.0.0.0' })).rejects.toThrow(/allowAnonymous: true/);
    const warn = vi.fn();
    const logger = { debug() {}, info() {}, error() {}, warn };
    await using open = await SmcpServer.listen({ port: 0, host: '0.0.0.0', allowAnonymous: true, logger });
    expect(open.url).toMatch(/^http:\/\/127.0.0.1:/);
    expect(warn).toHaveBeenCalledWith(expect.stringContaining('allowAnonymous'));
    await using _closed = await SmcpServer.listen({ port: 0, host: '0.0.0.0', authenticate: () => null });
  });

  test('every client is refused in the default namespace of Socket.IO', async () => {
    await using server = await SmcpServer.listen({ port: 0 });
    const { io } = await import('socket.io-client');
    const socket = io(server.url, { transports: ['websocket'], reconnection: false });
    const error = await new Promise<Error>(resolve => socket.once('connect_error', resolve));
    expect(error.message).toBe('Connect to the namespace /smcp');
    socket.disconnect();
  });

  test('an authentication that throws refuses, and says nothing of why', async () => {
    const error = vi.fn();
    const authenticate = () => Promise.reject(new Error('database password is x'));
    const logger = { debug() {}, info() {}, warn() {}, error };
    await using server = await SmcpServer.listen({ port: 0, authenticate, logger });
    await expect(RawPeer.connect(server.url)).rejects.toMatchObject(
      refusal('The Server could not check your credentials'),
    );
  });
});

describe('web pages', () => {
  const origin = 'https://evil.example';

  test('of other origins cannot connect, by polling or WebSocket', async () => {
    await using server = await SmcpServer.listen({ port: 0 });
    expect((await pollingHandshake(server.url, '', { origin })).status).toBe(403);
    const upgrade = await rawUpgrade(server.url, '/socket.io/?EIO=4&transport=websocket', { Origin: origin });
    expect(upgrade).toMatch(/^HTTP\/1.1 403 Forbidden/);
    expect((await pollingHandshake(server.url, '', { origin: server.url })).status).toBe(200);
  });

  test('of allowed origins can, and get CORS headers', async () => {
    await using server = await SmcpServer.listen({ port: 0, allowedOrigins: ['https://good.example'] });
    const response = await pollingHandshake(server.url, '', { origin: 'https://good.example' });
    expect(response.headers.get('access-control-allow-origin')).toBe('https://good.example');
    const refused = await pollingHandshake(server.url, 'a2c_version=9.9.9', { origin: 'https://good.example' });
    expect(refused.headers.get('access-control-allow-origin')).toBe('https://good.example');
    expect(refused.headers.get('access-control-expose-headers')).toBe('x-a2c-error-code, retry-after');
    expect((await pollingHandshake(server.url, '', { origin })).status).toBe(403);
  });

  test('that reach this machine under another name are refused', async () => {
    await using server = await SmcpServer.listen({ port: 0 });
    const path = '/socket.io/?EIO=4&transport=websocket';
    expect(await rawUpgrade(server.url, path, { Host: 'rebound.example' })).toContain('add it to allowedHosts');
    const http = createServer().listen(0, '127.0.0.1');
    await once(http, 'listening');
    await using _attached = SmcpServer.attach(http);
    const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
    const rebound = { Host: 'rebound.example', Origin: 'http://rebound.example' };
    expect(await rawUpgrade(url, path, rebound)).toContain('add it to allowedHosts');
    http.close();
    await using named = await SmcpServer.listen({ port: 0, allowedHosts: ['relay.example'] });
    expect(await rawUpgrade(named.url, path, { Host: 'relay.example:443' })).toMatch(/^HTTP\/1.1 101/);
  });
});
