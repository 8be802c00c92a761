import type { OldNumbering } from './old-numbering.ts';

/** Text that is collected for one purpose. */
export interface Sink {
  text: string;
}

/** Properties of a paragraph. `\pard` resets them. */
export interface ParagraphState {
  style: number | undefined;
  /** From 0; above 8 is running text. */
  outline: number | undefined;
  isInTable: boolean;
  /** The list it belongs to, and its level there. */
  list: number | undefined;
  level: number;
  numbering: OldNumbering | undefined;
}

/** The state inside of braces, which ends with them. */
export interface Group {
  /** Undefined if text is dropped; groups inside of it may have a sink of their own. */
  sink: Sink | undefined;
  /** Drops everything up to the end of the group. */
  isSkipped: boolean;
  /** Set after `\*`: a word that is not known then skips the group. */
  isOptional: boolean;
  isHidden: boolean;
  font: number | undefined;
  /** Characters that follow `\u` for programs without Unicode. */
  fallback: number;
  paragraph: ParagraphState;
  field: { instruction: Sink } | undefined;
  /** The numbering that the group defines. */
  numbering: OldNumbering | undefined;
  onClose: (() => void) | undefined;
}

export const plainParagraph: ParagraphState = {
  style: undefined,
  outline: undefined,
  isInTable: false,
  list: undefined,
  level: 0,
  numbering: undefined,
};

/** The state that a document begins with. */
export function plainGroup(sink: Sink): Group {
  return {
    sink,
    isSkipped: false,
    isOptional: false,
    isHidden: false,
    font: undefined,
    fallback: 1,
    paragraph: plainParagraph,
    field: undefined,
    numbering: undefined,
    onClose: undefined,
  };
}

/** The state that a group begins with. */
export function innerGroup(outer: Group): Group {
  return { ...outer, isOptional: false, onClose: undefined };
}
