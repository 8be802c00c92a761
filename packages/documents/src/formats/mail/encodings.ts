import { isAscii } from 'node:buffer';
import iconv from 'iconv-lite';
import { createDecoder, detectEncoding, isUtf8 } from '../text/encoding.ts';
import { withBlankLines } from './blank-lines.ts';

/** Bytes at the beginning that show whether a mail is UTF-16. */
const HEAD_BYTES = 4096;

/** A mail as bytes that the parser reads: fields in UTF-8, everything else as its part declares. */
export function readableMail(bytes: Buffer): Buffer {
  const narrow = withBlankLines(withoutUtf16(bytes));
  const end = endOfFields(narrow);
  const fields = narrow.subarray(0, end);
  const readable = utf8Fields(fields);
  return readable === fields ? narrow : Buffer.concat([readable, narrow.subarray(end)]);
}

/** A mail is bytes of ASCII, but some programs save it as UTF-16. */
function withoutUtf16(bytes: Buffer): Buffer {
  const head = bytes.subarray(0, HEAD_BYTES);
  const encoding = head.includes(0) ? detectEncoding(head, { isCut: true }) : '';
  return /^utf-(?:16|32)/.test(encoding) ? Buffer.from(createDecoder(encoding)(bytes)) : bytes;
}

/** The first empty line. */
function endOfFields(bytes: Buffer): number {
  const ends = ['\n\n', '\n\r\n'].map(end => bytes.indexOf(end)).filter(at => at >= 0);
  return Math.min(bytes.length, ...ends);
}

/** Encoded words, by character set, encoding and text. */
const encodedWords = /=\?([^?\s]+)\?([bq])\?([^?\r\n]*)\?=/gi;
const utf7 = /^(?:unicode-1-1-)?utf-7$/i;

/** Some programs write fields in the encoding of their system, and the parser takes no words in UTF-7. */
function utf8Fields(fields: Buffer): Buffer {
  const text = fields.toString('latin1');
  if (isUtf8(fields) && !/=\?(?:unicode-1-1-)?utf-7\?/i.test(text)) return fields;
  const words = text.replace(encodedWords, (word, charset: string, encoding: string, inner: string) => {
    if (utf7.test(charset)) return utf8Word(encoding, inner);
    // A byte that stands for itself is in the character set of its word.
    return encoding.toLowerCase() === 'q' ? word.replace(/[\x80-\xff]/g, hexadecimal) : word;
  });
  const bytes = Buffer.from(words, 'latin1');
  return Buffer.from(createDecoder(detectEncoding(bytes))(bytes));
}

function hexadecimal(byte: string): string {
  return `=${byte.charCodeAt(0).toString(16)}`;
}

function utf8Word(encoding: string, inner: string): string {
  const quoted = () =>
    inner
      .replaceAll('_', ' ')
      .replace(/=([\da-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  const bytes = encoding.toLowerCase() === 'q' ? Buffer.from(quoted(), 'latin1') : Buffer.from(inner, 'base64');
  return `=?utf-8?B?${Buffer.from(iconv.decode(bytes, 'utf-7')).toString('base64')}?=`;
}

const utf7Part = /^content-type:(?:[^\n]*\n[ \t])?[^\n]*charset="?(?:unicode-1-1-)?utf-7/im;

/** Decodes the text of a mail in UTF-7, which the parser leaves as it is. */
export function bodyDecoder(mail: Buffer): (text: string) => string {
  if (!utf7Part.test(mail.toString('latin1'))) return text => text;
  return text => {
    const bytes = Buffer.from(text);
    // Text of other parts is decoded already.
    return isAscii(bytes) ? iconv.decode(bytes, 'utf-7') : text;
  };
}
