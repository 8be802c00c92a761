import { describe, expect, test } from 'vitest';
import { fileName } from './file-name.ts';

describe('fileName', () => {
  test.each([
    ['报告 2026.xlsx', '报告 2026.xlsx'],
    ['报告.xlsx', '报告.xlsx'],
    ['Ελληνικά-مرحبا.pdf', 'Ελληνικά-مرحبا.pdf'],
    ['می‌خواهم.txt', 'می‌خواهم.txt'],
    ['cafe\u0301.txt', 'café.txt'],
    ['archive.tar.gz', 'archive.tar.gz'],
    ['no-extension', 'no-extension'],
    ['../../etc/passwd', 'etcpasswd'],
    ['C:\\Windows\\win.ini', 'CWindowswin.ini'],
    ['.bashrc', 'bashrc'],
    ['...', 'file'],
    ['a\u0000b\n\u202ec.txt', 'abc.txt'],
    ['half\ud800.txt', 'half.txt'],
    ['name. . ', 'name'],
    ['CON', 'file-CON'],
    ['con.txt', 'file-con.txt'],
    ['LPT1.tar.gz', 'file-LPT1.tar.gz'],
    ['console.txt', 'console.txt'],
    ['.txt', 'txt'],
    ['', 'file'],
    [undefined, 'file'],
    ['/', 'file'],
  ])('fileName(%j) is %j', (wish, expected) => expect(fileName(wish)).toBe(expected));

  test('keeps 64 characters before the extension', () => {
    expect(fileName(`${'x'.repeat(100)}.xlsx`)).toBe(`${'x'.repeat(64)}.xlsx`);
    expect(fileName(`${'报'.repeat(100)}.xlsx`)).toBe(`${'报'.repeat(60)}.xlsx`);
  });

  test('is never longer than a file system allows', () => {
    for (const character of ['😀', '报', 'é', 'x', '.']) {
      const name = fileName(`${character.repeat(300)}.${character.repeat(300)}`);
      expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255);
      expect(name).not.toMatch(/[\ud800-\udfff]/u);
    }
  });
});
