import { createRequire } from 'node:module';
import type { Picture } from '@a2c-smcp/publish';

/** Letters stay sharp. PNG takes ten times as long, and many times the bytes where there are photos. */
const JPEG_QUALITY = 90;

/** Pixels of the longer side of what is drawn: a printed page can be read, and models take no more. */
export const MAX_SIDE_PIXELS = 2000;

/** The part of `@napi-rs/canvas` that is used. */
interface CanvasLibrary {
  createCanvas(width: number, height: number): NativeCanvas;
  loadImage(bytes: Uint8Array): Promise<LoadedImage>;
}

interface NativeCanvas {
  getContext(kind: '2d'): CanvasContext;
  encode(format: 'jpeg', quality: number): Promise<Buffer>;
}

interface CanvasContext {
  fillStyle: string;
  fillRect(x: number, y: number, width: number, height: number): void;
  drawImage(image: LoadedImage, x: number, y: number, width: number, height: number): void;
}

interface LoadedImage {
  width: number;
  height: number;
}

let loaded: { library: CanvasLibrary | undefined } | undefined;

/**
 * The native canvas that pdf.js draws on, an optional dependency of it; loaded with the first call. Undefined where it was not
 * installed, as with `npm install --omit=optional`, or has no build for the platform.
 */
export function findCanvas(): CanvasLibrary | undefined {
  loaded ??= { library: load() };
  return loaded.library;
}

/** Draws a picture on white. */
export async function drawPicture(
  library: CanvasLibrary,
  { width, height }: { width: number; height: number },
  draw: (context: CanvasContext, size: { width: number; height: number }) => void | Promise<void>,
): Promise<Picture> {
  const size = { width: Math.max(Math.ceil(width), 1), height: Math.max(Math.ceil(height), 1) };
  const canvas = library.createCanvas(size.width, size.height);
  const context = canvas.getContext('2d');
  context.fillStyle = 'white';
  context.fillRect(0, 0, size.width, size.height);
  await draw(context, size);
  return { mimeType: 'image/jpeg', bytes: await canvas.encode('jpeg', JPEG_QUALITY) };
}

function load(): CanvasLibrary | undefined {
  try {
    const pdfjs = createRequire(import.meta.url).resolve('pdfjs-dist/package.json');
    return createRequire(pdfjs)('@napi-rs/canvas') as CanvasLibrary;
  } catch {
    return undefined;
  }
}
