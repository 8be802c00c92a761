import { judge } from './harmless.ts';
import { type Divide, masked, type Piece, shown } from './piece.ts';
import { urlPieces } from './url-pieces.ts';

/** A description: words of letters may be seen, everything else as far as it is known to be harmless. */
export const prosePieces: Divide = text =>
  text.split(/(\s+)/).flatMap((word, index) => (index % 2 === 1 ? [shown(word)] : wordPieces(word)));

/** A VRL script: its code may be seen, its literals and comments as far as they are known to be harmless. */
export const vrlPieces: Divide = script =>
  script.split(/("(?:\\.|[^"\\])*(?:"|$)|\b[srt]'(?:\\.|[^'\\])*(?:'|$)|#.*|\d{5,}[\d_.]*)/).flatMap((part, index) => {
    if (index % 2 === 0) return [shown(part)];
    if (part.startsWith('#')) return prosePieces(part);
    const [, open = '', literal = part, close = ''] = /^([srt]?["'])(.*?)(["']?)$/s.exec(part) ?? [];
    return [shown(open), judge(literal, 'value'), shown(close)];
  });

function wordPieces(word: string): Piece[] {
  const [, open = '', text = '', close = ''] = /^([^\p{L}\p{N}]*)(.*?)([^\p{L}\p{N}]*)$/su.exec(word) ?? [];
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return [...marks(open), ...urlPieces(text), ...marks(close)];
  const isWord = /^\p{L}*(?:['’/.:,-]\p{L}+)*$/u.test(text) && text.length <= 40;
  return [...marks(open), isWord ? shown(text) : judge(text, 'value'), ...marks(close)];
}

/** Punctuation around a word. A row of it may be a password. */
function marks(text: string): Piece[] {
  return text === '' ? [] : [text.length < 5 ? shown(text) : masked(text)];
}
