/** Why a file cannot be read, as a sentence for a person. */
export class UnreadableError extends Error {
  override readonly name = 'UnreadableError';
}
