import { expect, test } from 'vitest';
import { encodingOf } from './encodings.ts';

test.each([
  ['utf-8', ['utf-8', 'UTF8', 'utf_8', 'utf-8-sig', 'utf_8_sig', 'U8', 'cp65001']],
  ['utf-16le', ['utf-16-le', 'utf_16_le', 'utf_16']],
  ['windows-1252', ['latin-1', 'latin_1', 'latin1', 'L1', 'iso-8859-1', 'iso8859_1', 'iso_8859_1', 'cp1252', 'ascii']],
  ['gbk', ['cp936', 'CP936', '936', 'ms936', 'gbk', 'gb2312']],
  ['gb18030', ['gb18030']],
  ['big5', ['big5', 'cp950', 'big5hkscs']],
  ['shift_jis', ['cp932', 'shift_jis', 'shift-jis', 's_jis', 'sjis']],
  ['euc-jp', ['euc_jp', 'eucjp']],
  ['iso-2022-jp', ['iso2022_jp', 'iso-2022-jp']],
  ['euc-kr', ['cp949', 'euc_kr', 'uhc']],
  ['koi8-r', ['koi8_r', 'koi8-r']],
  ['windows-1251', ['cp1251', 'windows_1251']],
  ['ibm866', ['cp866', 'ibm866']],
  ['iso-8859-2', ['latin2', 'latin-2', 'iso8859_2', 'iso-8859-2']],
  ['iso-8859-15', ['iso8859_15', 'iso8859-15', 'latin-9']],
  ['windows-874', ['cp874', 'tis_620']],
  ['macintosh', ['mac_roman', 'macroman']],
])('the encoding %s has the names %j', (encoding, names) => {
  expect(names.map(name => [name, encodingOf(name)])).toEqual(names.map(name => [name, encoding]));
});

test.each(['nonsense', '', 'utf-9', 'constructor', 'rot13'])('%j is no encoding', name => {
  expect(encodingOf(name)).toBeUndefined();
});
