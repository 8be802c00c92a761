/**
 * The arguments of a relayed event or acknowledgement as the JSON text they arrived in. The text is known to be valid,
 * so it can be sent on as it is.
 */
export class Verbatim {
  /** All arguments, as in `["client:get_tools",{…}]`. */
  readonly text: string;
  /** The body of a request, for those who route it. Never to be changed: it is not what will be sent. */
  readonly body: unknown;

  constructor(text: string, body?: unknown) {
    this.text = text;
    this.body = body;
  }
}
