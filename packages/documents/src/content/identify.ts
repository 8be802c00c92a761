import { createHash } from 'node:crypto';
import type { Element, IdentifiedElement } from './element.ts';

/**
 * Gives elements their ids. An id comes from what the element says, not from where it stands, so it survives edits
 * elsewhere in the document; only elements that say the same are told apart by their order.
 *
 * @param scope names the page where the format has a lasting name for it, so that the id leads back to the page
 */
export class Identifier {
  readonly #scope: string;
  readonly #seen = new Map<string, number>();

  constructor(scope = '') {
    this.#scope = scope === '' ? '' : `${scope}.`;
  }

  /** @param earlier how often the same was said before this identifier began */
  identify(element: Element, earlier = 0): IdentifiedElement {
    const identity = element.identity ?? JSON.stringify(element.content);
    const id = `${this.#scope}${element.category}-${digest(`${element.category}\n${identity}`)}`;
    const count = (this.#seen.get(id) ?? earlier) + 1;
    this.#seen.set(id, count);
    return { ...element, id: count === 1 ? id : `${id}-${count}` };
  }
}

/** The scope that an id begins with, if it has one. */
export function scopeOf(id: string): string | undefined {
  const dot = id.indexOf('.');
  return dot < 0 ? undefined : id.slice(0, dot);
}

/** The id of the portion of a table that begins after `index` earlier ones. */
export function portionId(id: string, index: number): string {
  return index === 0 ? id : `${id}~${index}`;
}

/** Splits the id of a portion into the table's id and the portion's index. */
export function parsePortionId(id: string): { base: string; index: number } {
  const match = /^(.+)~([1-9]\d{0,8})$/.exec(id);
  return match?.[1] === undefined ? { base: id, index: 0 } : { base: match[1], index: Number(match[2]) };
}

/** Ten characters that differ whenever the text does, for all practical purposes. */
export function digest(text: string): string {
  const bits = createHash('sha256').update(text).digest().readBigUInt64BE();
  return bits.toString(36).padStart(13, '0').slice(-10);
}
