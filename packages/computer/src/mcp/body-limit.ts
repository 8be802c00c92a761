import { JsonMeter } from './json-meter.ts';
import { excessOf, MAX_MESSAGE_LENGTH, TOO_LONG } from './message-bounds.ts';

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

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
  /** The byte before, and whether its line was still empty. */
  #last = 0;
  #isLineEmpty = true;

  constructor(isStream: boolean) {
    this.#isStream = isStream;
  }

  take(chunk: Uint8Array): void {
    this.length += chunk.length;
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at] as number;
      this.meter.take(byte);
      if (this.#isStream && this.#endsEvent(byte)) {
        this.length = chunk.length - at - 1;
        this.meter = new JsonMeter();
      }
    }
  }

  /** An event ends with an empty line. Lines end with either character or both. */
  #endsEvent(byte: number): boolean {
    const isSecondHalf = byte === LINE_FEED && this.#last === CARRIAGE_RETURN;
    this.#last = byte;
    if (isSecondHalf) return false;
    const isLineEnd = byte === LINE_FEED || byte === CARRIAGE_RETURN;
    const isEnd = isLineEnd && this.#isLineEmpty;
    this.#isLineEmpty = isLineEnd;
    return isEnd;
  }
}
