import { describe, expect, test } from 'vitest';
import { isCompatible, PROTOCOL_VERSION, parseVersion, versionErrorBody } from './version.ts';

describe('parsing', () => {
  test('a version is read as three numbers', () => {
    expect(parseVersion('1.20.3')).toEqual({ major: 1, minor: 20, patch: 3 });
    expect(parseVersion(PROTOCOL_VERSION)).toEqual({ major: 0, minor: 2, patch: 0 });
  });

  test.each(['', 'abc', '1', '1.2', '1.2.3.4', '1.2.x', ' 1.2.3', '-1.2.3', '1.2.3-beta', `${'9'.repeat(400)}.0.0`])(
    'the version %j is refused',
    text => expect(() => parseVersion(text)).toThrow(/^Invalid a2c_version: /),
  );
});

describe('compatibility', () => {
  test.each([
    ['0.2.0', '0.2.0', true],
    ['0.2.1', '0.2.0', true],
    ['0.2.0', '0.3.0', false],
    ['0.3.0', '0.2.0', false],
    ['1.0.0', '0.2.0', false],
    ['1.0.0', '1.2.0', true],
    ['1.2.0', '1.0.0', false],
    ['2.0.0', '1.9.0', false],
  ])('client %s with Server %s: %s', (client, server, expected) => {
    expect(isCompatible(parseVersion(client), parseVersion(server))).toBe(expected);
  });
});

test('a refusal names both versions and the range that would do', () => {
  expect(versionErrorBody('0.3.0', '0.2.0')).toEqual({
    code: 4008,
    message: 'Protocol version 0.3.0 is not compatible with this Server, which speaks 0.2.0',
    server_version: '0.2.0',
    client_version: '0.3.0',
    min_supported: '0.2.0',
    max_supported: '0.2.999',
  });
  expect(versionErrorBody('2.0.0', '1.4.1')).toMatchObject({ min_supported: '1.0.0', max_supported: '1.4.999' });
});
