import type { Element, IdentifiedElement, Page } from './element.ts';
import { Identifier } from './identify.ts';
import { annotation } from './make.ts';
import { type Block, type Outline, outlinePages } from './outline.ts';
import { spreadPages } from './spread.ts';

const PAGE_CHARACTERS = 20_000;

/** An element and where it begins in its source, in the terms of the source's outline. */
export interface Placed {
  at: number;
  element: Element;
}

/** Cuts elements into pages by what they say themselves. */
export function paginate(elements: readonly Element[], title: string): Page<IdentifiedElement>[] {
  return assemblePages(numbered(elements), outlinePages(elements.map(toBlock), PAGE_CHARACTERS), title);
}

/** The number of pages that `paginate` makes. */
export function countPages(elements: readonly Element[]): number {
  return outlinePages(elements.map(toBlock), PAGE_CHARACTERS).starts.length;
}

/** Deals elements out to a number of pages that is fixed in advance. */
export function dealOut(elements: readonly Element[], count: number): { placed: Placed[]; outline: Outline } {
  return { placed: numbered(elements), outline: spreadPages(elements.map(toBlock), count) };
}

function numbered(elements: readonly Element[]): Placed[] {
  return elements.map((element, at) => ({ at, element }));
}

function toBlock(element: Element, at: number): Block {
  const level = levelOf(element);
  return { at, size: weight(element), ...(level !== undefined && { level }) };
}

/** Puts elements, in the order of their places, on the pages that an outline promises. */
export function assemblePages(
  placed: readonly Placed[],
  { starts, level }: Outline,
  title: string,
): Page<IdentifiedElement>[] {
  const contents = starts.map((): Element[] => []);
  let page = 0;
  for (const { at, element } of placed) {
    for (let next = starts[page + 1]; next !== undefined && next <= at; next = starts[page + 1]) page += 1;
    contents[page]?.push(element);
  }
  const identifier = new Identifier();
  let previous = title;
  return contents.map((elements, index) => {
    const own = titleOf(elements, level);
    previous = own ?? (index === 0 ? title : continued(previous));
    // An outline sees a place to cut inside of what turns out to be a single element.
    const shown = elements.length === 0 && index > 0 ? [annotation('An element of the page before goes on')] : elements;
    return { title: previous, elements: shown.map(element => identifier.identify(element)) };
  });
}

/** The heading that a page begins with; below a title, the one of its chapter. */
function titleOf(elements: readonly Element[], level: number): string | undefined {
  const begin = elements.findIndex(({ category }) => category !== 'heading' && category !== 'header');
  const top = elements.slice(0, begin < 0 ? elements.length : begin).filter(({ category }) => category === 'heading');
  const heading = top.findLast(element => (levelOf(element) ?? 0) <= level) ?? top[0];
  return heading && String(heading.content.text);
}

function levelOf({ category, content }: Element): number | undefined {
  return category === 'heading' && typeof content.level === 'number' ? content.level : undefined;
}

/** The title of a page that goes on with a chapter. */
export function continued(title: string): string {
  const match = /^(.*) \((\d+)\)$/s.exec(title);
  return match ? `${match[1]} (${Number(match[2]) + 1})` : `${title} (2)`;
}

/** The length of an element in its JSON form. */
function weight({ content }: Element): number {
  return typeof content.text === 'string' ? content.text.length : JSON.stringify(content).length;
}
