import { versionErrorBody } from '@a2c-smcp/protocol';
import { describe, expect, test } from 'vitest';
import { readAddress } from './address.ts';
import { explainHttp, explainNamespace } from './refusal.ts';

const address = readAddress('http://h:1', { path: '/socket.io/', protocolVersion: '0.2.0', office: 'demo' });
const noHeader = () => null;
const body = versionErrorBody('0.2.0', '0.3.1');

describe('an HTTP answer in place of a handshake', () => {
  test.each([
    ['an object', body],
    ['JSON text', JSON.stringify(body)],
    ['bytes', new TextEncoder().encode(JSON.stringify(body))],
    ['a buffer', new TextEncoder().encode(JSON.stringify(body)).buffer],
  ])('with code 4008 as %s tells both versions and the range', (_, received) => {
    const error = explainHttp({ status: 400, body: received, header: noHeader }, address);
    expect(error).toMatchObject({
      code: 4008,
      details: {
        client_version: '0.2.0',
        server_version: '0.3.1',
        min_supported: '0.3.0',
        max_supported: '0.3.999',
      },
    });
    expect(error.message).toContain('speaks A2C-SMCP 0.3.1 (0.3.0 to 0.3.999), this client speaks 0.2.0');
  });

  test('with code 4008 in its header alone is a version error too', () => {
    const header = (name: string) => (name === 'x-a2c-error-code' ? '4008' : null);
    expect(explainHttp({ status: 400, body: '', header }, address)).toMatchObject({
      code: 4008,
      details: { client_version: '0.2.0' },
    });
  });

  test.each([
    [400, '{"code":400,"message":"Missing a2c_version"}', 400, 'Missing a2c_version'],
    [404, '<html>', 404, "option 'path'"],
    [401, 'no', 401, "check 'auth' and 'headers'"],
    [429, '', 429, 'HTTP 429'],
    [502, 'Bad gateway', 500, 'HTTP 502'],
  ])('with status %i and body %s is error %i', (status, received, code, text) => {
    const error = explainHttp({ status, body: received, header: noHeader }, address);
    expect(error.code).toBe(code);
    expect(error.message).toContain(text);
  });
});

describe('a refused namespace', () => {
  test('tells the reason of our Server', () => {
    const error = Object.assign(new Error('Unauthorized'), { data: { code: 401, message: 'Wrong key' } });
    expect(explainNamespace(error, address)).toMatchObject({
      code: 401,
      message: expect.stringContaining('Wrong key'),
    });
  });

  test('keeps other codes and their details', () => {
    const data = { code: 429, message: 'Too many connections', details: { limit: 100 } };
    const error = explainNamespace(Object.assign(new Error('x'), { data }), address);
    expect(error).toMatchObject({ code: 429, details: { limit: 100 } });
  });

  test.each([
    ['Connection refused by server', 401],
    ['Invalid namespace', 404],
    ['', 404],
  ])("with the text '%s' alone is error %i", (message, code) => {
    expect(explainNamespace(new Error(message), address).code).toBe(code);
  });
});
