import { MessageChannel, type MessagePort } from 'node:worker_threads';
import type { Recogniser } from './recogniser.ts';

/** Reads the words of a picture. */
export type Recognise = (picture: Uint8Array) => Promise<string>;

type PortReply = { text: string } | { failure: string };

/**
 * A port at which a worker thread has pictures read. The processes belong to the main thread, because nothing ends those of
 * a thread that is terminated; they end when the port closes with its thread.
 */
export function serveRecogniser(recogniser: Recogniser): MessagePort {
  const { port1: own, port2: given } = new MessageChannel();
  const gone = new AbortController();
  own.on('message', (picture: Uint8Array) => {
    recogniser.read(picture, gone.signal).then(
      text => own.postMessage({ text } satisfies PortReply),
      error => own.postMessage({ failure: error instanceof Error ? error.message : String(error) } satisfies PortReply),
    );
  });
  own.on('close', () => gone.abort(new Error('The reader of the document has ended')));
  own.unref();
  return given;
}

/** The other end of the port. A worker has one picture in flight at a time. */
export function recogniseAt(port: MessagePort): Recognise {
  return picture =>
    new Promise((resolve, reject) => {
      port.once('message', (reply: PortReply) => {
        if ('text' in reply) resolve(reply.text);
        else reject(new Error(reply.failure));
      });
      port.postMessage(picture);
    });
}
