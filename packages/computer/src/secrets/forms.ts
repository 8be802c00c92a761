/** Shorter texts are no secrets worth hiding, and hiding them would make everything else unreadable. */
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

/**
 * The texts by which a secret is recognised: itself, each of its lines, base64 in both alphabets and at each alignment,
 * hexadecimal digits. JSON and URL encodings are not among them: `canonical` undoes these.
 */
export function formsOf(secret: string): Set<string> {
  const text = withLineFeeds(secret);
  const texts = [...new Set([text, text.trim()])].filter(isWorthHiding);
  const encoded = texts.filter(({ length }) => length <= MAX_ENCODED_LENGTH).flatMap(encodedForms);
  const lines = text.includes('\n') ? text.split('\n', MAX_LINES).map(line => line.trim()) : [];
  return new Set([...texts, ...lines.filter(isTellingLine), ...encoded]);
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

function encodedForms(text: string): string[] {
  const bytes = Buffer.from(text);
  const hex = bytes.toString('hex');
  return [hex, hex.toUpperCase(), ...base64Forms(bytes)];
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
