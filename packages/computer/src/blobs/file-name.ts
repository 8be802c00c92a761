/** Characters before the extension, and of the extension. */
const MAX_STEM_LENGTH = 64;
const MAX_EXTENSION_LENGTH = 16;
/** Bytes of both: file systems take names of 255 bytes, and a character has up to four. */
const MAX_STEM_BYTES = 180;
const MAX_EXTENSION_BYTES = 64;

/** Separators, characters that Windows refuses, controls, halves of characters, and marks that reverse what is read. */
const HARMFUL = /[/\\:*?"<>|\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;
/** Names of devices, whatever their extension. */
const RESERVED = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)$/i;

/** A file name that is like the one wished for and harmless on every system. Never empty, and never a path. */
export function fileName(wish: string | undefined): string {
  // Windows drops dots and blanks at the end, and dots at the beginning hide a file elsewhere.
  const name = (wish ?? '')
    .normalize('NFC')
    .replace(HARMFUL, '')
    .replace(/^[.\s]+|[.\s]+$/gu, '');
  const dot = name.lastIndexOf('.');
  const extension = dot === -1 ? '' : cut(name.slice(dot), MAX_EXTENSION_LENGTH, MAX_EXTENSION_BYTES);
  const stem = cut(dot === -1 ? name : name.slice(0, dot), MAX_STEM_LENGTH, MAX_STEM_BYTES).trimEnd();
  const [device = ''] = stem.split('.');
  const isReserved = RESERVED.test(device.trim());
  return `${stem === '' || isReserved ? `file${stem && `-${stem}`}` : stem}${extension}`.replace(/[.\s]+$/u, '');
}

/** The first characters of a text, none of them cut in two. */
function cut(text: string, maxLength: number, maxBytes: number): string {
  let short = '';
  let bytes = 0;
  for (const character of [...text].slice(0, maxLength)) {
    bytes += Buffer.byteLength(character);
    if (bytes > maxBytes) break;
    short += character;
  }
  return short;
}
