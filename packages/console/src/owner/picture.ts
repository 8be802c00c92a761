import type { Computer } from '@a2c-smcp/computer';
import { fieldsOf, readJson } from '@a2c-smcp/core';
import { buildDpeUri, parseDpeUri } from '@a2c-smcp/protocol';
import { BinaryAnswer } from '../http/respond.ts';
import { pictureFormat } from './picture-format.ts';

/** Characters of base64; the documents server hands over 5 MiB at most. */
const MAX_BLOB_LENGTH = 12 * 1024 * 1024;
/** Browsers unpack the whole picture, four bytes for a pixel, however small it is shown. */
const MAX_PIXELS = 50_000_000;

/**
 * The picture of an image element, or the first one of a document. It is sent as one of four formats, by its own bytes: no type
 * that an MCP server names reaches the browser, and no SVG, which may run for long. Undefined without such a picture.
 */
export async function pictureOf(computer: Computer, uri: string): Promise<BinaryAnswer | undefined> {
  const { host, docRef, element } = parseDpeUri(uri);
  const address = element === undefined ? await firstPicture(computer, host, docRef) : uri;
  if (address === undefined) return undefined;
  const contents = await computer.readDocument(address);
  const blob = contents.find(content => typeof content.blob === 'string')?.blob;
  if (typeof blob !== 'string' || blob.length > MAX_BLOB_LENGTH) return undefined;
  const bytes = Buffer.from(blob, 'base64');
  const format = pictureFormat(bytes);
  if (format === undefined || format.width * format.height > MAX_PIXELS) return undefined;
  return new BinaryAnswer(format.mimeType, bytes);
}

async function firstPicture(computer: Computer, host: string, docRef = ''): Promise<string | undefined> {
  const page = `${buildDpeUri({ host, docRef, page: 0 })}?categories=image`;
  const [content] = await computer.readDocument(page);
  const { elements } = fieldsOf(readJson(typeof content?.text === 'string' ? content.text : ''));
  const found = (Array.isArray(elements) ? elements : [])
    .map(fieldsOf)
    .find(({ category }) => category === 'image')?.element_id;
  return typeof found === 'string' ? buildDpeUri({ host, docRef, element: found }) : undefined;
}
