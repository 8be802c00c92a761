/** Names of Python's codecs, in lower case and without separators, for encodings that have other names on the Web. */
const PYTHON_NAMES: Readonly<Record<string, string>> = {
  u8: 'utf-8',
  utf: 'utf-8',
  utf8sig: 'utf-8',
  cp65001: 'utf-8',
  utf16: 'utf-16le',
  u16: 'utf-16le',
  utf16le: 'utf-16le',
  utf16be: 'utf-16be',
  '646': 'ascii',
  '8859': 'latin1',
  cp819: 'latin1',
  l1: 'latin1',
  latin: 'latin1',
  latin9: 'iso-8859-15',
  936: 'gbk',
  cp936: 'gbk',
  ms936: 'gbk',
  cp950: 'big5',
  ms950: 'big5',
  big5hkscs: 'big5',
  cp932: 'shift_jis',
  ms932: 'shift_jis',
  mskanji: 'shift_jis',
  sjis: 'shift_jis',
  eucjp: 'euc-jp',
  ujis: 'euc-jp',
  iso2022jp: 'iso-2022-jp',
  cp949: 'euc-kr',
  ms949: 'euc-kr',
  uhc: 'euc-kr',
  euckr: 'euc-kr',
  cp874: 'windows-874',
  macroman: 'macintosh',
  maccyrillic: 'x-mac-cyrillic',
};

/** The Web's name of an encoding, which may be called as Python calls it. Undefined for an unknown one. */
export function encodingOf(name: string): string | undefined {
  const python = name.toLowerCase().replace(/[\s_-]/g, '');
  return webName(name) ?? webName(PYTHON_NAMES[python] ?? name.replaceAll('_', '-')) ?? webName(python);
}

function webName(name: string): string | undefined {
  try {
    return new TextDecoder(name).encoding;
  } catch {
    return undefined;
  }
}
