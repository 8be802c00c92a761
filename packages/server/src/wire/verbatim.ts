import { tooLarge } from '../limits.ts';

/**
 * The arguments of a relayed event or acknowledgement as the JSON they arrived in. It is known to be valid, so it can be
 * sent on as it is.
 */
export class Verbatim {
  /** All arguments, as in `["client:get_tools",{…}]`. Bytes are UTF-8. */
  readonly json: string | Buffer;
  /** The body of a request, for those who route it. Never to be changed: it is not what will be sent. */
  readonly body: unknown;

  constructor(json: string | Buffer, body?: unknown) {
    this.json = json;
    this.body = body;
  }
}

/**
 * Serialises the arguments of an event or an acknowledgement once for all. Throws 413 when that is more than
 * `messageBytes`: JSON may grow on its way, as `1e20` does to 21 digits.
 */
export function encode(args: readonly unknown[], messageBytes: number): Verbatim {
  const json = JSON.stringify(args);
  const size = Buffer.byteLength(json);
  if (size > messageBytes) throw tooLarge(size, messageBytes);
  return new Verbatim(json);
}
