import { buffer } from 'node:stream/consumers';
import { drawPicture, findCanvas, MAX_SIDE_PIXELS } from '../canvas.ts';

/** Reads a picture from standard input and writes it to standard output, with fewer pixels. */

/** Milliseconds after which the process ends itself. The worker that started it may have ended before. */
const TIMEOUT_MS = 10_000;

// `process.exit` would wait for the decoder.
setTimeout(() => process.kill(process.pid, 'SIGKILL'), TIMEOUT_MS).unref();

const library = findCanvas();
if (library === undefined) throw new Error('There is no canvas for this platform');
const image = await library.loadImage(await buffer(process.stdin));
const scale = Math.min(1, MAX_SIDE_PIXELS / Math.max(image.width, image.height, 1));
const wanted = { width: image.width * scale, height: image.height * scale };
const { bytes } = await drawPicture(library, wanted, (context, { width, height }) => {
  context.drawImage(image, 0, 0, width, height);
});
process.stdout.write(bytes);
