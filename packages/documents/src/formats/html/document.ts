import { flowDocument } from '../flow.ts';
import { openPlainText } from '../plain-text.ts';
import type { OpenReader } from '../reader.ts';
import { MAX_TEXT_BYTES, readText } from '../text-encoding.ts';
import { outlineHtml } from './header.ts';
import { parseHtml } from './parse.ts';

/** HTML: what a browser would show, without scripts and styles. Nothing is fetched. */
export const openHtml: OpenReader = async file => {
  if (file.size > MAX_TEXT_BYTES) return openPlainText(file);
  const text = await readText(file);
  const { facts, placed } = parseHtml(text);
  return flowDocument(placed, outlineHtml(text, file.size), facts, file.name);
};
