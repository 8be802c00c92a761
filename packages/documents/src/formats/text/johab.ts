import iconv from 'iconv-lite';

/** Numbers of first, middle and last letters of a syllable by their codes of five bits; a gap is no letter. */
const initials = range(2, 20);
const medials = [...range(3, 7), ...range(10, 15), ...range(18, 23), ...range(26, 29)];
const finals = [1, ...range(2, 17), ...range(19, 29)];

const FIRST_SYLLABLE = 0xac00;
const REPLACEMENT = '\ufffd';

/**
 * Decodes Johab, in which programs of DOS wrote Korean: a syllable is a bit and three letters of five bits each. Signs and
 * Chinese characters are those of EUC-KR at other places.
 */
export function decodeJohab(bytes: Uint8Array): string {
  const parts: string[] = [];
  for (let at = 0; at < bytes.length; at += 1) {
    const first = bytes[at] ?? 0;
    if (first < 0x80) {
      parts.push(String.fromCharCode(first));
      continue;
    }
    const character = pair(first, bytes[at + 1] ?? 0);
    if (character !== REPLACEMENT) at += 1;
    parts.push(character);
  }
  return parts.join('');
}

function pair(first: number, second: number): string {
  if (first >= 0x84 && first <= 0xd3) return syllable((first << 8) | second);
  const isSign = first >= 0xd9 && first <= 0xde;
  const isChinese = first >= 0xe0 && first <= 0xf9;
  const column = second >= 0x31 && second <= 0x7e ? second - 0x31 : second >= 0x91 ? second - 0x43 : -1;
  if ((!isSign && !isChinese) || column < 0) return REPLACEMENT;
  // Each first byte stands for two rows of 94 characters.
  const row = (isSign ? 2 * (first - 0xd9) : 2 * (first - 0xe0) + 41) + Math.floor(column / 94);
  return iconv.decode(Buffer.from([row + 0xa1, (column % 94) + 0xa1]), 'cp949');
}

function syllable(code: number): string {
  const initial = initials.indexOf((code >> 10) & 31);
  const medial = medials.indexOf((code >> 5) & 31);
  const final = finals.indexOf(code & 31);
  if (initial < 0 || medial < 0 || final < 0) return REPLACEMENT;
  return String.fromCharCode(FIRST_SYLLABLE + (initial * medials.length + medial) * finals.length + final);
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}
