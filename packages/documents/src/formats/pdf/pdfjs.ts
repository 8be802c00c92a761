/// <reference path="./pdfjs-worker.d.ts" />

/**
 * Loads pdf.js. Its build for Node 20 replaces functions of Node by slow ones of its own, for the whole process; they are
 * restored, since JSON is read and written with them.
 */
const originals = [
  [Array.prototype, 'push', Array.prototype.push],
  [JSON, 'parse', JSON.parse],
  [JSON, 'stringify', JSON.stringify],
] as const;

const pdfjs = await import('pdfjs-dist/legacy/build/pdf.mjs');
// It is loaded with the first document otherwise, and replaces them once more.
await import('pdfjs-dist/legacy/build/pdf.worker.mjs');

for (const [owner, name, value] of originals) {
  Object.defineProperty(owner, name, { value, writable: true, configurable: true, enumerable: false });
}

export const { getDocument, OPS, PDFDataRangeTransport, VerbosityLevel } = pdfjs;
