import type { Element, IdentifiedElement, Page } from './element.ts';
import { Identifier } from './identify.ts';

const PAGE_CHARACTERS = 20_000;
const PAGE_ELEMENTS = 200;

/**
 * Cuts a flow of elements into pages: at each heading of the highest level that occurs more than once, and wherever a
 * page would grow beyond what a reader takes in at once.
 */
export function paginate(elements: readonly Element[], title: string): Page<IdentifiedElement>[] {
  const level = splitLevel(elements);
  const identifier = new Identifier();
  const pages: Page<IdentifiedElement>[] = [];
  let page: Page<IdentifiedElement> = { title, elements: [] };
  let size = 0;
  const turn = (nextTitle: string) => {
    if (page.elements.length > 0) pages.push(page);
    page = { title: nextTitle, elements: [] };
    size = 0;
  };
  for (const element of elements) {
    const length = weight(element);
    const headingLevel = levelOf(element);
    if (headingLevel !== undefined && headingLevel <= level) {
      // A title directly above the first chapter belongs to that chapter's page.
      const begun = page.elements.some(({ category }) => category !== 'heading' && category !== 'header');
      if (begun) turn(headingText(element));
      else page.title = headingText(element);
    } else if (page.elements.length >= PAGE_ELEMENTS || (size > 0 && size + length > PAGE_CHARACTERS)) {
      turn(headingLevel === undefined ? continued(page.title) : headingText(element));
    }
    page.elements.push(identifier.identify(element));
    size += length;
  }
  if (page.elements.length > 0 || pages.length === 0) pages.push(page);
  return pages;
}

function splitLevel(elements: readonly Element[]): number {
  const counts = new Map<number, number>();
  for (const element of elements) {
    const level = levelOf(element);
    if (level !== undefined) counts.set(level, (counts.get(level) ?? 0) + 1);
  }
  const repeated = [...counts].filter(([, count]) => count > 1).map(([level]) => level);
  return repeated.length === 0 ? 1 : Math.min(...repeated);
}

function levelOf({ category, content }: Element): number | undefined {
  return category === 'heading' && typeof content.level === 'number' ? content.level : undefined;
}

function headingText({ content }: Element): string {
  return String(content.text);
}

function continued(title: string): string {
  const match = /^(.*) \((\d+)\)$/s.exec(title);
  return match ? `${match[1]} (${Number(match[2]) + 1})` : `${title} (2)`;
}

function weight({ content }: Element): number {
  return typeof content.text === 'string' ? content.text.length : JSON.stringify(content).length;
}
