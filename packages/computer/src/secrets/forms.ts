/** Shorter texts are not secrets worth hiding, and hiding them would make everything else unreadable. */
export const MIN_SECRET_LENGTH = 5;

/** Base64 of fewer characters than this turns up by chance. */
const MIN_BASE64_LENGTH = 6;

/** Longer secrets are known as text and by their lines, but not as base64 or hexadecimal digits. */
const MAX_ENCODED_LENGTH = 16 * 1024;

const MAX_LINES = 1000;

/** Columns at which tools break base64: PEM and MIME. */
const BASE64_COLUMNS = [64, 76];

/** Words that say nothing, although configurations are full of them. */
const TRIVIAL = /^(?:false|undefined)$/i;

/** The texts by which a secret is recognised. URL, JSON and similar encodings are not among them: `canonical` undoes these. */
export interface SecretForms {
  /** The secret itself, each of its lines, and both as Unicode composes and decomposes them. */
  texts: Set<string>;
  /** Base64 in both alphabets and at each alignment, hexadecimal digits, and bytes as decimal numbers without separators. */
  encoded: Set<string>;
}

export function formsOf(secret: string): SecretForms {
  const text = withLineFeeds(secret);
  const whole = [text, text.normalize('NFC'), text.normalize('NFD')].flatMap(each => [each, each.trim()]);
  const texts = [...new Set(whole)].filter(isWorthHiding);
  const short = texts.filter(({ length }) => length <= MAX_ENCODED_LENGTH);
  const lines = text.includes('\n') ? text.split('\n', MAX_LINES).map(line => line.trim()) : [];
  return {
    texts: new Set([...texts, ...lines.filter(isTellingLine)]),
    encoded: new Set(short.flatMap(bytesOf).flatMap(encodedForms)),
  };
}

/** Line ends differ by platform: secrets and what is searched for them have line feeds. */
export function withLineFeeds(text: string): string {
  return text.replaceAll('\r\n', '\n');
}

function isWorthHiding(text: string): boolean {
  return text.trim().length >= MIN_SECRET_LENGTH && !TRIVIAL.test(text);
}

/** Brackets and rules do not count: the lines `});` and `------` say nothing. */
function isTellingLine(line: string): boolean {
  return isWorthHiding(line) && line.replace(/[^\p{L}\p{N}]/gu, '').length >= MIN_SECRET_LENGTH;
}

/** The bytes that are encoded: of the text, of its URL and JSON forms, and as Windows has it. */
function bytesOf(text: string): Buffer[] {
  const inJson = JSON.stringify(text).slice(1, -1);
  const inUrl = encodeURIComponent(Buffer.from(text).toString());
  const utf8 = [...new Set([text, inJson, inUrl])].map(each => Buffer.from(each));
  return [...utf8, Buffer.from(text, 'utf16le')];
}

function encodedForms(bytes: Buffer): string[] {
  // Node shows this number of bytes of a buffer.
  const digits = [bytes, bytes.subarray(0, 50)].flatMap(part => [part.toString('hex'), part.join('')]);
  return [...digits, ...digits.map(each => each.toUpperCase()), ...base64Forms(bytes)];
}

function base64Forms(bytes: Buffer): string[] {
  const whole = unpadded(bytes);
  const lines = BASE64_COLUMNS.flatMap(width => whole.match(new RegExp(`.{${width}}|.+$`, 'g')) ?? []);
  const forms = [whole, ...lines, ...[0, 1, 2].map(offset => alignedBase64(bytes, offset))];
  return forms
    .filter(({ length }) => length >= MIN_BASE64_LENGTH)
    .flatMap(form => [form, form.replaceAll('+', '-').replaceAll('/', '_')]);
}

/** The characters that depend on `bytes` alone when they follow `offset` others, modulo 3. */
function alignedBase64(bytes: Buffer, offset: number): string {
  const text = unpadded(Buffer.concat([Buffer.alloc(offset), bytes]));
  const first = Math.ceil((offset * 8) / 6);
  const last = Math.floor(((offset + bytes.length) * 8) / 6);
  return text.slice(first, last);
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '');
}
