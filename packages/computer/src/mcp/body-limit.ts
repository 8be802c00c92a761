import { MAX_MESSAGE_LENGTH, TOO_LONG } from './message-bounds.ts';

/** The ends of an event in a stream of them. */
const BLANK_LINES = ['\n\n', '\r\n\r\n', '\r\r'];
const LONGEST_BLANK_LINE = 4;

/**
 * A response whose body fails once a message in it is too long: the body as a whole, or one event of an event stream.
 * Bytes pass through as they arrive.
 */
export function limitBody(response: Response, maxLength = MAX_MESSAGE_LENGTH): Response {
  if (!response.body) return response;
  const isStream = response.headers.get('content-type')?.includes('text/event-stream') ?? false;
  const unfinished = isStream ? eventLength() : bodyLength();
  const limit = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      if (unfinished(chunk) > maxLength) controller.error(new Error(TOO_LONG));
      else controller.enqueue(chunk);
    },
  });
  const limited = new Response(response.body.pipeThrough(limit), response);
  const { url, redirected } = response;
  return Object.defineProperties(limited, { url: { value: url }, redirected: { value: redirected } });
}

function bodyLength(): (chunk: Uint8Array) => number {
  let length = 0;
  return chunk => {
    length += chunk.length;
    return length;
  };
}

/** Bytes since the last event that is complete. */
function eventLength(): (chunk: Uint8Array) => number {
  let length = 0;
  /** The last bytes of the chunks before, since an end may be split. */
  let tail = Buffer.alloc(0);
  return chunk => {
    const text = Buffer.concat([tail, chunk]);
    const end = Math.max(...BLANK_LINES.map(line => text.lastIndexOf(line)));
    length = end === -1 ? length + chunk.length : text.length - end;
    tail = text.subarray(1 - LONGEST_BLANK_LINE);
    return length;
  };
}
