import { isAscii, isUtf8 as isWholeUtf8 } from 'node:buffer';
import iconv from 'iconv-lite';
import { type FileLocation, FileSource, UnreadableError } from '../../file.ts';
import { guessEncoding } from './detect.ts';
import { decodeJohab } from './johab.ts';

/** Text files up to this size are parsed in memory; longer ones are paged as plain lines. */
export const MAX_TEXT_BYTES = 16 * 1024 * 1024;
/** Bytes that are read at a time to find text that is not ASCII, and the most that are read. */
const SAMPLE_BYTES = 64 * 1024;
const MAX_SAMPLE_BYTES = 4 * 1024 * 1024;
/** Bytes at the beginning in which a file may declare its encoding. */
const DECLARATION_BYTES = 4096;

const ESCAPE = String.fromCharCode(27);
/** Stands at the beginning of a text in ISO-2022-KR. */
const KOREAN = `${ESCAPE}$)C`;
const SHIFT_OUT = String.fromCharCode(14);
/** The mark that ends Korean letters, or the end of the line. */
const SHIFT_IN = new RegExp(`[${String.fromCharCode(15)}\n]`);

/** An encoding by a name that `createDecoder` takes. */
export type Encoding = string;

/** Reads a text file in the encoding that it declares or that its bytes show. */
export async function readText(location: FileLocation): Promise<string> {
  await using source = await FileSource.open(location);
  const size = await source.size();
  if (size > MAX_TEXT_BYTES) throw new UnreadableError('The file is too large to be read at once');
  return decodeText(await source.read(0, size));
}

/** Decodes bytes the way `readText` does. */
export function decodeText(bytes: Uint8Array, encoding = detectEncoding(bytes)): string {
  return withLineFeeds(createDecoder(encoding)(bytes));
}

/** Line ends of Windows and of the first Macintosh as all others. */
export function withLineFeeds(text: string): string {
  return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
}

/** The encoding of a long file by its beginning, read on up to the first bytes that are not ASCII. */
export async function sampleEncoding(source: FileSource, size: number): Promise<Encoding> {
  const head = await source.read(0, Math.min(size, SAMPLE_BYTES));
  let sample = head;
  for (let at = SAMPLE_BYTES; at < Math.min(size, MAX_SAMPLE_BYTES) && isAscii(sample); at += SAMPLE_BYTES) {
    sample = await source.read(at, SAMPLE_BYTES);
  }
  const isCut = size > SAMPLE_BYTES;
  return detectEncoding(sample === head ? head : Buffer.concat([head, sample]), { isCut });
}

/**
 * The encoding of bytes: by a byte order mark, by NULs or escapes, UTF-8 if they are valid, the one that HTML, XML or a
 * source file declares, or else the one in which they read like a language. With `isCut`, the last character may be incomplete.
 */
export function detectEncoding(bytes: Uint8Array, { isCut = false } = {}): Encoding {
  const widest = widestEncoding(bytes);
  if (widest !== undefined) return widest;
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  const wide = wideEncoding(bytes);
  if (wide !== undefined) return wide;
  if (isAscii(bytes)) return escapedEncoding(bytes) ?? 'utf-8';
  if (isUtf8(bytes, { isCut })) return 'utf-8';
  return declaredEncoding(bytes) ?? guessEncoding(bytes);
}

/** True if bytes are valid UTF-8; with `isCut`, the last character may be incomplete. */
export function isUtf8(bytes: Uint8Array, { isCut = false } = {}): boolean {
  if (!isCut) return isWholeUtf8(bytes);
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}

/** UTF-32, with a mark or without: the numbers of characters, which use 21 of their 32 bits. */
function widestEncoding(bytes: Uint8Array): Encoding | undefined {
  const length = Math.min(bytes.length, DECLARATION_BYTES);
  // Most texts end here: two of the first four bytes are NUL.
  if (length < 4 || ((bytes[0] !== 0 || bytes[1] !== 0) && (bytes[2] !== 0 || bytes[3] !== 0))) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, length);
  return ['utf-32le', 'utf-32be'].find(encoding => {
    for (let at = 0; at + 4 <= length; at += 4) {
      const character = view.getUint32(at, encoding === 'utf-32le');
      if (character === 0 || character > 0x10ffff) return false;
    }
    return true;
  });
}

/** UTF-16 without a mark: in text with spaces and line ends, every second byte is often NUL, and the others are not. */
function wideEncoding(bytes: Uint8Array): Encoding | undefined {
  const nulls = [0, 0];
  const length = Math.min(bytes.length, DECLARATION_BYTES);
  for (let at = 0; at < length; at += 1) if (bytes[at] === 0) nulls[at % 2] = (nulls[at % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = nulls;
  if (even + odd === 0) return undefined;
  if (Math.max(even, odd) < length / 32 || Math.min(even, odd) > Math.max(even, odd) / 32) return wideIdeograms(bytes);
  return odd > even ? 'utf-16le' : 'utf-16be';
}

const usualWide = /[\t\n\r -~\u3000-\u30ff\uff00-\uffef\p{Script=Han}\p{Script=Hangul}]/u;

/** UTF-16 of Chinese, Japanese or Korean, which has a NUL in each line end and in few letters. No other text has NULs. */
function wideIdeograms(bytes: Uint8Array): Encoding | undefined {
  const sample = bytes.subarray(0, DECLARATION_BYTES - (DECLARATION_BYTES % 2));
  return ['utf-16le', 'utf-16be'].find(encoding => {
    const characters = [...new TextDecoder(encoding).decode(sample)];
    return characters.filter(character => usualWide.test(character)).length > 0.95 * characters.length;
  });
}

/** Encodings of seven bits by the escapes they begin with. */
function escapedEncoding(bytes: Uint8Array): Encoding | undefined {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, SAMPLE_BYTES)).toString('latin1');
  if (['$@', '$B', '$(D'].some(mark => text.includes(ESCAPE + mark))) return 'iso-2022-jp';
  if (text.includes(KOREAN)) return 'iso-2022-kr';
  return /~\{(?:[!-w][!-~]){2,}~\}/.test(text) ? 'hz-gb-2312' : undefined;
}

const declarations = [
  /^\s*<\?xml[^>]{0,200}?encoding\s*=\s*["']([\w.:-]+)/i,
  /<meta\b[^>]{0,500}?charset\s*=\s*["']?\s*([\w.:-]+)/i,
  /^(?:[^\n]*\n)?\s*(?:#|\/\/|--|;|"|%).*?coding[:=]\s*([\w.-]+)/,
];

/** The encoding that a file names itself, unless its bytes are not in it: UTF-8 has been excluded before. */
function declaredEncoding(bytes: Uint8Array): Encoding | undefined {
  const head = Buffer.from(bytes.subarray(0, DECLARATION_BYTES)).toString('latin1');
  for (const declaration of declarations) {
    const name = declaration.exec(head)?.[1]?.toLowerCase();
    const encoding = name === undefined ? undefined : (supersets[name] ?? name);
    if (encoding === undefined || !iconv.encodingExists(encoding)) continue;
    if (/^(?:utf|ucs|cesu|base64|hex|binary|internal)/.test(encoding)) continue;
    const text = iconv.decode(Buffer.from(bytes), encoding);
    if (text.split('\ufffd', 20).length <= 1 + text.length / 1000) return encoding;
  }
  return undefined;
}

/** Names that stand for a wider encoding, as in browsers. */
const supersets: Record<string, Encoding> = {
  'iso-8859-1': 'windows-1252',
  'iso-8859-9': 'windows-1254',
  latin1: 'windows-1252',
  ascii: 'windows-1252',
  'us-ascii': 'windows-1252',
  gb2312: 'gb18030',
  gbk: 'gb18030',
  big5: 'big5hkscs',
  'euc-kr': 'cp949',
  ks_c_5601: 'cp949',
  'ks_c_5601-1987': 'cp949',
  'x-sjis': 'shift_jis',
  'windows-31j': 'shift_jis',
};

/** Decodes bytes in one piece, or, with `stream`, piece by piece. */
export function createDecoder(encoding: Encoding): (bytes: Uint8Array, options?: { stream: boolean }) => string {
  if (/^(?:utf-8$|utf-16|iso-2022-jp$)/.test(encoding)) {
    const decoder = new TextDecoder(encoding);
    return (bytes, options) => decoder.decode(bytes, options);
  }
  if (encoding === 'iso-2022-kr') return shifted('cp949', unshiftKorean);
  if (encoding === 'hz-gb-2312') return shifted('gb18030', unshiftHz);
  if (encoding === 'johab') return decodeJohab;
  let decoder = iconv.getDecoder(encoding);
  return (bytes, { stream } = { stream: false }) => {
    const text = decoder.write(Buffer.from(bytes));
    if (stream) return text;
    const rest = decoder.end() ?? '';
    decoder = iconv.getDecoder(encoding);
    return text + rest;
  };
}

/** Encodings of seven bits in which marks shift to pairs of bytes and back, on each line for itself. */
function shifted(encoding: Encoding, unshift: (text: string) => string): (bytes: Uint8Array) => string {
  return bytes => iconv.decode(Buffer.from(unshift(Buffer.from(bytes).toString('latin1')), 'latin1'), encoding);
}

function unshiftKorean(text: string): string {
  const [first = '', ...rest] = text.replaceAll(KOREAN, '').split(SHIFT_OUT);
  const lines = rest.map(part => {
    const end = part.search(SHIFT_IN);
    return end < 0 ? raised(part) : raised(part.slice(0, end)) + part.slice(end + (part[end] === '\n' ? 0 : 1));
  });
  return first + lines.join('');
}

function unshiftHz(text: string): string {
  return text
    .replace(/~\{([^\n]*?)(?:~\}|(?=\n)|$)/g, (_, pairs: string) => raised(pairs))
    .replace(/~([~\n])/g, (_, next: string) => (next === '~' ? '~' : ''));
}

function raised(pairs: string): string {
  return pairs.replace(/[!-~]/g, byte => String.fromCharCode(byte.charCodeAt(0) | 0x80));
}
