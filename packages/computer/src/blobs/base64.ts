/** The bytes that a base64 text decodes to. */
export function decodedSize(base64: string): number {
  const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0;
  return Math.floor((base64.length * 3) / 4) - padding;
}

/**
 * The bytes of a base64 text, or of a piece of one whose length is a multiple of four. Throws for anything else. Node
 * skips characters that do not belong there, which shows in the length, and takes those of base64url.
 */
export function decodeBase64(text: string): Buffer {
  const bytes = Buffer.from(text, 'base64');
  const isWhole = text.length % 4 === 0 && bytes.length === decodedSize(text);
  if (!isWhole || text.includes('-') || text.includes('_')) throw new Error('The text is no base64');
  return bytes;
}
