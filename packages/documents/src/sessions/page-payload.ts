import { createHash, type Hash, hash } from 'node:crypto';
import { type IdentifiedElement, type Page, portionId } from '@a2c-smcp/publish/content';
import type { PagePayload, StoredElement } from './sessions.ts';

/** Characters of the hash of a page. */
const HASH_LENGTH = 22;
/** Elements behind this number of bytes of JSON are left off the page; they are read by their ids. */
const MAX_PAGE_BYTES = 2 * 1024 * 1024;

/** Serialises a page to leave the worker. */
export function toPayload(page: Page<IdentifiedElement>, index: number): PagePayload {
  const plain = toPlainPayload(page, index);
  if (plain !== undefined) return plain;
  const { title, elements } = page;
  const details: [string, Uint8Array][] = [];
  const shown: string[] = [];
  const pageHash = new PageHash(title);
  let size = 0;
  for (const { id, category, summary, content, metadata, overflow } of elements) {
    for (const [portion, rows] of overflow?.portions.entries() ?? []) {
      details.push([portionId(id, portion + 1), rows]);
      pageHash.addBytes(rows);
    }
    const stored: StoredElement = { id, category, summary, content };
    if (overflow !== undefined) {
      const { portions: _, ...places } = overflow;
      stored.overflow = places;
    }
    const json = JSON.stringify(stored);
    if (metadata?.crc32 !== undefined) pageHash.add(String(metadata.crc32));
    pageHash.add(json);
    const complete = metadata === undefined ? json : JSON.stringify({ ...stored, metadata });
    size += complete.length;
    if (size > MAX_PAGE_BYTES) {
      details.push([id, Buffer.from(complete)]);
      const omitted = { omitted: 'The page is too large to show this here; read the element by its id' };
      shown.push(JSON.stringify({ id, category, summary, content: omitted, isOmitted: true } satisfies StoredElement));
    } else shown.push(complete);
  }
  return {
    index,
    title,
    hash: pageHash.digest().slice(0, HASH_LENGTH),
    elementIds: elements.map(({ id }) => id),
    elements: Buffer.from(`[${shown.join(',')}]`),
    details,
  };
}

const encoder = new TextEncoder();

/** A page without places in the file and long tables is serialised at once, which takes half the time of its elements. */
function toPlainPayload({ title, elements }: Page<IdentifiedElement>, index: number): PagePayload | undefined {
  const stored: StoredElement[] = [];
  const elementIds: string[] = [];
  for (const { id, category, summary, content, metadata, overflow } of elements) {
    if (metadata !== undefined || overflow !== undefined) return undefined;
    stored.push({ id, category, summary, content });
    elementIds.push(id);
  }
  const json = JSON.stringify(stored);
  if (json.length > MAX_PAGE_BYTES) return undefined;
  const pageHash = hash('sha256', title + json, 'base64url').slice(0, HASH_LENGTH);
  return { index, title, hash: pageHash, elementIds, elements: encoder.encode(json), details: [] };
}

/** The hash of a page. Texts are collected and hashed at once, which takes a third of the time of hashing each. */
class PageHash {
  #texts: string;
  #streamed: Hash | undefined;

  constructor(title: string) {
    this.#texts = title;
  }

  add(text: string): void {
    this.#texts += text;
  }

  addBytes(bytes: Uint8Array): void {
    this.#streamed ??= createHash('sha256');
    this.#streamed.update(this.#texts).update(bytes);
    this.#texts = '';
  }

  /** In the alphabet of URLs. */
  digest(): string {
    if (this.#streamed === undefined) return hash('sha256', this.#texts, 'base64url');
    return this.#streamed.update(this.#texts).digest('base64url');
  }
}
