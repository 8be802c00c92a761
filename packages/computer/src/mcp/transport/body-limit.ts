import { JsonMeter } from './json-meter.ts';
import { excessOf, MAX_MESSAGE_LENGTH, TOO_LONG } from './message-bounds.ts';

/** The ends of an event in a stream of them. */
const BLANK_LINES = ['\n\n', '\r\n\r\n', '\r\r'];
const LONGEST_BLANK_LINE = 4;

/**
 * A response whose body fails once a message in it is too long or has too many values: the body as a whole, or one event
 * of an event stream. It also fails when it is an array of too many messages. Bytes pass through as they arrive.
 */
export function limitBody(response: Response, maxLength = MAX_MESSAGE_LENGTH): Response {
  if (!response.body) return response;
  const isStream = response.headers.get('content-type')?.includes('text/event-stream') ?? false;
  const message = new UnfinishedMessage(isStream);
  const limit = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      message.take(chunk);
      const excess = message.length > maxLength ? TOO_LONG : excessOf(message.meter);
      if (excess !== undefined) controller.error(new Error(excess));
      else controller.enqueue(chunk);
    },
  });
  const limited = new Response(response.body.pipeThrough(limit), response);
  const { url, redirected } = response;
  return Object.defineProperties(limited, { url: { value: url }, redirected: { value: redirected } });
}

/** The body so far, or what has come since the last event of a stream that is complete. */
class UnfinishedMessage {
  length = 0;
  meter = new JsonMeter();
  readonly #isStream: boolean;
  /** The last bytes of the chunks before, since the end of an event may be split. */
  #tail = Buffer.alloc(0);

  constructor(isStream: boolean) {
    this.#isStream = isStream;
  }

  take(chunk: Uint8Array): void {
    const start = this.#isStream ? this.#lastEnd(chunk) : undefined;
    if (start !== undefined) {
      this.length = 0;
      this.meter = new JsonMeter();
    }
    const rest = chunk.subarray(start);
    this.length += rest.length;
    this.meter.take(rest);
  }

  /** Where the last end of an event in a chunk begins, 0 when it did before the chunk. */
  #lastEnd(chunk: Uint8Array): number | undefined {
    const text = Buffer.concat([this.#tail, chunk]);
    const end = Math.max(...BLANK_LINES.map(line => text.lastIndexOf(line)));
    const start = end === -1 ? undefined : Math.max(0, end - this.#tail.length);
    this.#tail = text.subarray(1 - LONGEST_BLANK_LINE);
    return start;
  }
}
