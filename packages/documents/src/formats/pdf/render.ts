import type { Picture } from '@a2c-smcp/publish';
import { drawPicture, findCanvas, MAX_SIDE_PIXELS } from '../canvas.ts';
import type { PdfPage } from './load.ts';

const POINTS_PER_INCH = 72;
const MAX_DPI = 200;

/** True if pages can be drawn on this machine. */
export function canRender(): boolean {
  return findCanvas() !== undefined;
}

/** A page as a picture. */
export async function renderPage(page: PdfPage): Promise<Picture | undefined> {
  const library = findCanvas();
  if (library === undefined) return undefined;
  const { width, height } = page.getViewport({ scale: 1 });
  const scale = Math.min(MAX_DPI / POINTS_PER_INCH, MAX_SIDE_PIXELS / Math.max(width, height, 1));
  const viewport = page.getViewport({ scale });
  return drawPicture(library, viewport, async context => {
    // The types of pdf.js know the canvas of browsers only.
    const canvasContext = context as never;
    await page.render({ canvas: null, canvasContext, viewport, intent: 'print' }).promise;
  });
}
