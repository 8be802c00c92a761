/** The drawing operators of a page in the form of pdf.js. */
export interface OperatorList {
  fnArray: number[];
  argsArray: unknown[];
}

/** A transformation of coordinates, as PDF writes it. */
export type Matrix = readonly [number, number, number, number, number, number];
