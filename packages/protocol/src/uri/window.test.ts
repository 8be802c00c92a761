import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ErrorCode, SmcpError } from '../errors.ts';
import { buildWindowUri, parseWindowUri } from './window.ts';

describe('parsing', () => {
  test.each([
    ['window://com.example.browser/main/tab1', 'com.example.browser', ['main', 'tab1']],
    ['window://com.example.logger', 'com.example.logger', []],
    ['window://com.example.editor/src%2Fmain/file%20name', 'com.example.editor', ['src/main', 'file name']],
    ['window://host/c%2Fd', 'host', ['c/d']],
    ['window://host/文件', 'host', ['文件']],
    ['window://host/a+b:c@d', 'host', ['a+b:c@d']],
    ['window://host/', 'host', []],
    ['window://host/a//b/', 'host', ['a', 'b']],
    ['window://localhost:8080/x', 'localhost:8080', ['x']],
  ])('%s is parsed', (raw, host, path) => {
    expect(parseWindowUri(raw)).toEqual({ host, path, uri: raw });
  });

  test.each([
    ['window://host/main?priority=80', 'window://host/main'],
    ['window://host/main?priority=80&fullscreen=true#top', 'window://host/main'],
    ['window://host?x', 'window://host'],
    ['window://host#x?y', 'window://host'],
    ['WINDOW://Host/Main', 'window://Host/Main'],
  ])('the identity of %s is %s', (raw, uri) => {
    expect(parseWindowUri(raw).uri).toBe(uri);
  });

  test.each([
    '',
    'window',
    'window:/host',
    'window://',
    'window:///path',
    'window://?x',
    'window:// host/x',
    'http://host/main',
    'dpe://host/doc',
    'window://host/%zz',
    'window://host/%',
    'window://host/%ff',
    'window://host/\0',
    'window://host/\ud800',
  ])('%j is refused', raw => {
    expect(() => parseWindowUri(raw)).toThrow(expect.objectContaining({ code: ErrorCode.BadRequest }));
  });
});

describe('building', () => {
  test('building a window URI encodes each segment', () => {
    expect(buildWindowUri('com.example.editor', ['src/main', 'file name'])).toBe(
      'window://com.example.editor/src%2Fmain/file%20name',
    );
    expect(buildWindowUri('com.example.logger')).toBe('window://com.example.logger');
  });

  test.each([
    ['', []],
    ['a/b', []],
    ['a?b', []],
    ['a b', ['x']],
    ['host', ['']],
    ['host', ['\udc00']],
  ])('building refuses host %j with path %j', (host, path) => {
    expect(() => buildWindowUri(host, path)).toThrow(SmcpError);
  });
});

describe('any text', () => {
  const anyText = fc.string({ unit: fc.nat(0xffff).map(code => String.fromCharCode(code)) });
  const hostile = fc.oneof(
    anyText,
    anyText.map(text => `window://${text}`),
    fc
      .array(fc.constantFrom('window://', 'h', '/', '%', '%zz', '%2F', '?', '#', '\0', '\ud800', ' ', 'é'))
      .map(a => a.join('')),
  );

  test('parsing any text gives a value or an SmcpError', () => {
    fc.assert(
      fc.property(hostile, raw => {
        try {
          parseWindowUri(raw);
        } catch (error) {
          expect(error).toBeInstanceOf(SmcpError);
        }
      }),
      { numRuns: 2000 },
    );
  });

  test('a parsed URI is built with the same meaning, and building it again changes nothing', () => {
    const text = fc.string({ unit: 'grapheme', minLength: 1 });
    const segment = fc.oneof(text, text.map(encodeURIComponent));
    fc.assert(
      fc.property(fc.array(segment), path => {
        const built = buildWindowUri('com.example', path);
        const parsed = parseWindowUri(built);
        expect(parsed.path).toEqual(path);
        expect(buildWindowUri(parsed.host, parsed.path)).toBe(built);
      }),
    );
  });

  test.each(['a', '/', '%', '%41', '%zz', '?', '#', '\0', 'é', '\ud800'])(
    '100 kB of %j are parsed in linear time',
    piece => {
      const raw = `window://h/${piece.repeat(100_000 / piece.length)}`;
      const before = process.cpuUsage();
      try {
        parseWindowUri(raw);
      } catch (error) {
        expect((error as SmcpError).message.length).toBeLessThan(3000);
      }
      // A millisecond per kilobyte, in microseconds of CPU: a busy machine does not matter.
      expect(process.cpuUsage(before).user).toBeLessThan(100_000);
    },
  );
});
