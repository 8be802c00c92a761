import iconv from 'iconv-lite';
import { createDecoder } from '../text/encoding.ts';

/** The character set of fonts whose letters are pictures. */
export const SYMBOL_CHARSET = 2;

/** Code pages by the character sets of fonts in Windows. */
const pages: Record<number, number> = {
  0: 1252,
  77: 10000,
  128: 932,
  129: 949,
  130: 949,
  134: 936,
  136: 950,
  161: 1253,
  162: 1254,
  163: 1258,
  177: 1255,
  178: 1256,
  186: 1257,
  204: 1251,
  222: 874,
  238: 1250,
  254: 437,
  255: 850,
};

/** The code page of a font's character set; undefined if the document decides. */
export function codePageOf(charset: number | undefined): number | undefined {
  return charset === undefined ? undefined : pages[charset];
}

/** Code pages whose encoding is not named `cp` and their number. */
const names: Record<number, string> = {
  10000: 'macroman',
  10001: 'shift_jis',
  10007: 'maccyrillic',
  20127: 'cp1252',
  50220: 'iso-2022-jp',
  51932: 'euc-jp',
  51949: 'cp949',
  54936: 'gb18030',
  65001: 'utf-8',
};

/** Decodes bytes of a Windows code page; an unknown one is read as Western European. */
export function decodeCodePage(bytes: Uint8Array, page: number): string {
  const name = names[page] ?? (iconv.encodingExists(`cp${page}`) ? `cp${page}` : 'cp1252');
  return createDecoder(name)(bytes);
}
