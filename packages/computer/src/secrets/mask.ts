/** Stands in the place of a secret. */
export const MASK = '***';
