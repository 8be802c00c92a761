import type { IdentifiedElement, Page } from '../content/element.ts';
import { portionId } from '../content/identify.ts';
import type { PagePayload, StoredElement } from './sessions.ts';

/** Elements after as many bytes of JSON are not on the page; they are read by their ids. */
const MAX_PAGE_BYTES = 2 * 1024 * 1024;

/** A page as it leaves the place where it was parsed. */
export function toPayload({ title, elements }: Page<IdentifiedElement>): Omit<PagePayload, 'document'> {
  const details: [string, Uint8Array][] = [];
  const shown: string[] = [];
  let size = 0;
  for (const { overflow, ...element } of elements) {
    for (const [index, rows] of overflow?.portions.entries() ?? [])
      details.push([portionId(element.id, index + 1), rows]);
    const stored: StoredElement = {
      ...element,
      ...(overflow && { overflow: { size: overflow.size, count: overflow.portions.length } }),
    };
    const json = JSON.stringify(stored);
    size += json.length;
    if (size > MAX_PAGE_BYTES) {
      details.push([element.id, Buffer.from(json)]);
      const { id, category, summary } = element;
      const content = { omitted: 'The page is too large to show this here; read the element by its id' };
      shown.push(JSON.stringify({ id, category, summary, content, isOmitted: true } satisfies StoredElement));
    } else shown.push(json);
  }
  return {
    title,
    elementIds: elements.map(({ id }) => id),
    elements: Buffer.from(`[${shown.join(',')}]`),
    details,
  };
}
