import { routeOf } from '@a2c-smcp/protocol';
import { describe, expect, test } from 'vitest';
import { readAddress } from './address.ts';

const options = { path: '/socket.io/', protocolVersion: '0.2.0', office: 'demo' };

describe('the address of a Server', () => {
  test.each(['http://127.0.0.1:7000', 'http://127.0.0.1:7000/', 'http://127.0.0.1:7000/smcp'])('may be %s', url => {
    expect(readAddress(url, options).origin).toBe('http://127.0.0.1:7000');
  });

  test('keeps its own query beside the version and the hash of the office', () => {
    const { query } = readAddress('wss://example.org?tenant=7', options);
    expect(query).toEqual({ tenant: '7', a2c_version: '0.2.0', a2c_route: routeOf('demo') });
  });

  test.each([
    ['127.0.0.1:7000', 'is no URL'],
    ['ftp://127.0.0.1', 'is no URL of http'],
    ['http://127.0.0.1/hub/socket.io', "option 'path'"],
  ])('is not %s', (url, problem) => {
    expect(() => readAddress(url, options)).toThrow(problem);
  });
});
