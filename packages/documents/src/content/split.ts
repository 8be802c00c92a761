import { code, countedMarks, type Element, list, paragraph } from '@a2c-smcp/publish/content';

/** Longer texts, listings and lists become several elements, so that a page can end between them. */
const MAX_ELEMENT_CHARACTERS = 10_000;

/** Splits elements that are too long for a page; others stay as they are. */
export function splitLong(elements: readonly Element[]): readonly Element[] {
  return elements.some(isLong)
    ? elements.flatMap(element => (isLong(element) ? splitElement(element) : [element]))
    : elements;
}

function isLong(element: Element): boolean {
  return sizeOf(element) > MAX_ELEMENT_CHARACTERS;
}

function sizeOf({ content }: Element): number {
  if (typeof content.text === 'string') return content.text.length;
  return Array.isArray(content.items) ? content.items.reduce((sum, item) => sum + String(item).length, 0) : 0;
}

function splitElement(element: Element): Element[] {
  const { category, content, metadata } = element;
  const text = String(content.text ?? '');
  const parts =
    category === 'text'
      ? cut(text, /[\n.!?。！？] */g).map(part => paragraph(part))
      : category === 'code'
        ? cut(text, /\n/g).map(part => code(part, typeof content.language === 'string' ? content.language : undefined))
        : category === 'list'
          ? splitList(element)
          : [element];
  return parts.map(part => ({ ...part, ...(metadata && { metadata }) }));
}

/** Cuts at the last match before each limit, or at the limit if there is none. */
function cut(text: string, border: RegExp): string[] {
  const parts: string[] = [];
  let from = 0;
  while (text.length - from > MAX_ELEMENT_CHARACTERS) {
    const window = text.slice(from, from + MAX_ELEMENT_CHARACTERS);
    const last = [...window.matchAll(border)].at(-1);
    const end = last === undefined || last.index === 0 ? wholeEnd(window) : last.index + last[0].length;
    parts.push(window.slice(0, end).replace(/\n$/, ''));
    from += end;
  }
  parts.push(text.slice(from));
  return parts.filter(part => part.trim() !== '');
}

/** The length of a text without half a character at its end. */
function wholeEnd(text: string): number {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff ? text.length - 1 : text.length;
}

/** Lists go on in another list, each item with its own mark. */
function splitList({ content }: Element): Element[] {
  const { items, marks, ordered } = content as { items: string[]; marks?: string[]; ordered: boolean };
  const all = items.map((item, index) => {
    const text = item.trimStart();
    const level = Math.floor((item.length - text.length) / 2);
    return { text, level, mark: marks?.[index] };
  });
  const counted = ordered && marks === undefined ? withCounts(all) : all;
  const parts: (typeof all)[] = [[]];
  let size = 0;
  for (const item of counted) {
    size += item.text.length;
    if (size > MAX_ELEMENT_CHARACTERS && (parts.at(-1)?.length ?? 0) > 0) {
      parts.push([]);
      size = item.text.length;
    }
    parts.at(-1)?.push(item);
  }
  return parts.map(part => list(ordered, part));
}

function withCounts<T extends { level: number }>(items: readonly T[]): (T & { mark: string })[] {
  const marks = countedMarks(items.map(({ level }) => level));
  return items.map((item, index) => ({ ...item, mark: marks[index] ?? '-' }));
}
