/** The part of an HTTP response that a stream of events needs. */
export interface EventWriter {
  write(text: string): unknown;
  /** Bytes that were written and not sent yet. */
  readonly writableLength: number;
  destroy(): unknown;
}

/** Bytes that may wait for a reader. It gets no events until it has read them. */
const MAX_UNREAD_BYTES = 256 * 1024;
/** Milliseconds after which a reader that is behind and does not read is disconnected. */
const READ_TIMEOUT_MS = 30_000;

/** The reader of one stream of server-sent events, who may be slow or not read at all. */
export class EventReader {
  readonly #writer: EventWriter;
  /** When it was last not behind, in milliseconds of `performance.now()`. */
  #readAt = performance.now();

  constructor(writer: EventWriter) {
    this.#writer = writer;
  }

  /** Sends one event: JSON has no line breaks, so that one `data` line is enough. */
  send(id: string, topic: string, json: string): void {
    this.#writer.write(`id: ${id}\ndata: {"topic":${JSON.stringify(topic)},"value":${json}}\n\n`);
  }

  /** True if it has to read first. Ends its stream when it has not for long, so that this must be asked now and then. */
  isBehind(): boolean {
    const now = performance.now();
    const isBehind = this.#writer.writableLength > MAX_UNREAD_BYTES;
    if (!isBehind) this.#readAt = now;
    else if (now - this.#readAt > READ_TIMEOUT_MS) this.#writer.destroy();
    return isBehind;
  }
}
