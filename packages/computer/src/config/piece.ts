import { MASK } from '../secrets/mask.ts';
import { markPlaceholders } from './placeholders.ts';

/**
 * A part of a text of a configuration. `shown` is known to be harmless. `masked` may be an ordinary word: it is hidden from
 * Agents, but not searched for in logs, where it would hide every word like it. `secret` is masked everywhere.
 */
export interface Piece {
  text: string;
  kind: 'shown' | 'masked' | 'secret';
}

/** Divides a text into pieces. Placeholders are marks in it, one character each. */
export type Divide = (marked: string) => Piece[];

export function shown(text: string): Piece {
  return { text, kind: 'shown' };
}

export function masked(text: string): Piece {
  return { text, kind: 'masked' };
}

export function secret(text: string): Piece {
  return { text, kind: 'secret' };
}

/** The text with its placeholders as they were, and everything masked that is not known to be harmless. */
export function maskPieces(text: string, divide: Divide): string {
  const { marked, restore } = markPlaceholders(text);
  if (marked === undefined) return MASK;
  return restore(joinHidden(divide(marked)));
}

/** The literals in the secret pieces of a text. */
export function secretPieces(text: string, divide: Divide): string[] {
  const { marked, literals } = markPlaceholders(text);
  if (marked === undefined) return [text];
  return divide(marked).flatMap(piece => (piece.kind === 'secret' ? literals(piece.text) : []));
}

/** One mask for pieces that follow each other. */
function joinHidden(pieces: readonly Piece[]): { text: string; replacement: string | undefined }[] {
  const joined: { text: string; replacement: string | undefined }[] = [];
  for (const { text, kind } of pieces) {
    if (text === '') continue;
    const last = joined.at(-1);
    const replacement = kind === 'shown' ? undefined : MASK;
    if (last && last.replacement === replacement) last.text += text;
    else joined.push({ text, replacement });
  }
  return joined;
}
