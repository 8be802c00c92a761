import { markPlaceholders } from '../inputs/placeholders.ts';
import { MASK } from '../secrets/mask.ts';

/** A part of a text of a configuration, and whether it may be seen. */
export interface Piece {
  text: string;
  isSecret: boolean;
}

/** Divides a text into pieces. Placeholders are marks in it, one character each. */
export type Divide = (marked: string) => Piece[];

export function shown(text: string): Piece {
  return { text, isSecret: false };
}

export function hidden(text: string): Piece {
  return { text, isSecret: true };
}

/** The text with its secret pieces masked and its placeholders as they were. */
export function maskPieces(text: string, divide: Divide): string {
  const { marked, restore } = markPlaceholders(text);
  if (marked === undefined) return MASK;
  return restore(divide(marked).map(piece => ({ text: piece.text, replacement: piece.isSecret ? MASK : undefined })));
}

/** The literals in the secret pieces of a text. */
export function secretPieces(text: string, divide: Divide): string[] {
  const { marked, literals } = markPlaceholders(text);
  if (marked === undefined) return [text];
  return divide(marked).flatMap(piece => (piece.isSecret ? literals(piece.text) : []));
}
