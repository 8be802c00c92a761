/** A release cannot be installed on this machine; the message says what is missing. */
export class Unavailable extends Error {
  override name = 'Unavailable';
}
