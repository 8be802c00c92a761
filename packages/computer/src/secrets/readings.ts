import { canonical, isEncoded } from './canonical.ts';
import { type Rewritten, rewrite } from './rewrite.ts';

/** A way to read a text, and the forms of secrets that are searched for in it. */
export interface Reading extends Rewritten {
  forms: 'canonical' | 'encoded';
}

/** Bytes as hexadecimal or decimal numbers with separators, as debuggers and `Buffer` show them. */
const BYTES = /[0-9A-Fa-f]{2}[\s:,-]+(?:0x)?[0-9A-Fa-f]{2,3}[\s:,-]+(?:0x)?[0-9A-Fa-f]{2,3}[\s:,-]/;
const BROKEN_BASE64 = /[\w+/-]{8}\r?\n\s*[\w+/-]/;
const SEPARATORS = /[\s:,]+(?:0x)?|\b0x|(?<=\b[0-9A-Fa-f]{2})-(?=[0-9A-Fa-f]{2}\b)/g;

/** The readings of a text in which a secret may be found that is not in the text as it is. */
export function readings(text: string): Reading[] {
  const found: Reading[] = [];
  if (isEncoded(text)) found.push({ forms: 'canonical', ...canonical(text) });
  // UTF-16 of ASCII, read as bytes.
  if (text.includes('\0')) found.push(canonicalOf(rewrite(text, /\0/g, () => '')));
  if (/=[0-9A-F]{2}|=\r?\n/.test(text)) found.push(canonicalOf(rewrite(text, /=(?:([0-9A-F]{2})|\r?\n)/g, quoted)));
  if (BYTES.test(text) || BROKEN_BASE64.test(text)) {
    found.push({ forms: 'encoded', ...rewrite(text, SEPARATORS, () => '') });
  }
  return found;
}

/** A byte of the quoted-printable encoding as a URL has it; a line that is broken is joined. */
function quoted([, byte]: RegExpExecArray): string {
  return byte === undefined ? '' : `%${byte}`;
}

function canonicalOf(rewritten: Rewritten): Reading {
  const { text, source } = canonical(rewritten.text);
  return { forms: 'canonical', text, source: (start, end) => rewritten.source(...source(start, end)) };
}
