const WHOLE = /^[A-Za-z0-9+/]*$/;
const LAST = /^[A-Za-z0-9+/]*={0,2}$/;

/**
 * The bytes of a base64 text, or of a piece of one whose length is a multiple of four. Only the last piece may be
 * padded. Throws for anything else, which Node would skip in silence.
 */
export function decodeBase64(text: string, isLast = true): Buffer {
  if (text.length % 4 !== 0 || !(isLast ? LAST : WHOLE).test(text)) throw new Error('The text is no base64');
  return Buffer.from(text, 'base64');
}
