import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { jwt, type Limits, type ListenOptions, SmcpServer } from '@a2c-smcp/server';
import { RawPeer } from '@a2c-smcp/testing';
import { SignJWT } from 'jose';
import { expect, test } from 'vitest';

const options: (keyof ListenOptions)[] = [
  ...([
    'authenticate',
    'authorize',
    'allowAnonymous',
    'requireVersion',
    'acceptVersions',
    'forwardUnknown',
    'path',
  ] as const),
  ...(['limits', 'timeout', 'gracePeriod', 'allowedHosts', 'allowedOrigins', 'trustProxy', 'exposeMetrics'] as const),
  ...(['pingInterval', 'pingTimeout', 'fastPath', 'logger', 'redis', 'host'] as const),
];
const limits: (keyof Limits)[] = [
  ...(['messageBytes', 'membersPerOffice', 'connections', 'connectionsPerAddress', 'callsPerAgent'] as const),
  ...(['eventsPerSecond', 'backlogBytes', 'unansweredCalls'] as const),
];

/** True if a Server works, and is closed to names that are not its own. */
async function check(url: string): Promise<void> {
  await using agent = await RawPeer.join(url, 'agent', 'a', 'o', { query: { a2c_version: '0.2.0' } });
  await using computer = await RawPeer.join(url, 'computer', 'c', 'o');
  computer.reply('client:get_tools', () => 'answered');
  expect(await agent.ask('client:get_tools', { agent: 'a', computer: 'c', req_id: 'r' })).toEqual(['answered']);
  await expect(RawPeer.connect(url, { extraHeaders: { host: 'evil.example' } })).rejects.toThrow();
}

test.each(options)('%s given as undefined is the same as not given', async option => {
  await using server = await SmcpServer.listen({ port: 0, [option]: undefined });
  await check(server.url);
});

test.each(limits)('the limit %s given as undefined is the same as not given', async limit => {
  await using server = await SmcpServer.listen({ port: 0, limits: { [limit]: undefined } });
  await check(server.url);
});

test.each(options)('%s given as undefined is the same as not given to a Server that is attached', async option => {
  const http = createServer();
  await new Promise<void>(resolve => http.listen(0, '127.0.0.1', resolve));
  await using _server = SmcpServer.attach(http, { [option]: undefined });
  await check(`http://127.0.0.1:${(http.address() as AddressInfo).port}`);
  http.close();
});

test('jwt takes the first way to verify tokens that is not undefined', async () => {
  const secret = 'a secret of at least thirty-two bytes';
  const token = await new SignJWT({}).setProtectedHeader({ alg: 'HS256' }).sign(new TextEncoder().encode(secret));
  const options = { secret, jwks: undefined, publicKey: undefined, algorithm: undefined, claims: undefined };
  await using server = await SmcpServer.listen({ port: 0, authenticate: jwt(options as { secret: string }) });
  await using peer = await RawPeer.connect(server.url, { auth: { token } });
  expect(peer.socket.connected).toBe(true);
  const keySet = { jwks: 'http://127.0.0.1:9/keys', secret: undefined } as unknown as { jwks: string };
  expect(jwt(keySet)).toBeTypeOf('function');
});
