/// <reference path="./pdfjs-worker.d.ts" />
import { findCanvas } from '../canvas.ts';

/**
 * Loads pdf.js. Its build for Node 20 replaces functions of Node by slow ones of its own, for the whole process; they are
 * restored, since JSON is read and written with them.
 */
const originals = [
  [Array.prototype, 'push', Array.prototype.push],
  [JSON, 'parse', JSON.parse],
  [JSON, 'stringify', JSON.stringify],
] as const;

// Without the native canvas, pdf.js 5 fails to load where it makes a matrix for patterns, which only drawing needs.
if (findCanvas() === undefined) Object.assign(globalThis, { DOMMatrix: class DOMMatrix {} });

const pdfjs = await import('pdfjs-dist/legacy/build/pdf.mjs');
// It is loaded with the first document otherwise, and replaces them once more.
await withSoftHyphens(() => import('pdfjs-dist/legacy/build/pdf.worker.mjs'));

for (const [owner, name, value] of originals) {
  Object.defineProperty(owner, name, { value, writable: true, configurable: true, enumerable: false });
}

export const { getDocument, OPS, PDFDataRangeTransport, VerbosityLevel } = pdfjs;

/**
 * Makes pdf.js 5 read soft hyphens, as which OpenOffice wrote hyphens for years. It takes them for invisible: it leaves them out
 * and draws the letters behind them too far left, so that words are mixed up. The pattern by which it knows invisible
 * characters is made while it is loaded.
 */
async function withSoftHyphens<T>(load: () => Promise<T>): Promise<T> {
  const original = globalThis.RegExp;
  globalThis.RegExp = new Proxy(original, {
    construct: (target, [source, flags]) =>
      new target(typeof source === 'string' ? source.replace('(\\p{Cf})', '((?!\\xad)\\p{Cf})') : source, flags),
  });
  try {
    return await load();
  } finally {
    globalThis.RegExp = original;
  }
}
