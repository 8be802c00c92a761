import { formatNumber } from '@a2c-smcp/publish/content';
import type { HtmlNode } from './tree.ts';

const countings: Record<string, string> = { a: 'lowerLetter', A: 'upperLetter', i: 'lowerRoman', I: 'upperRoman' };

/** The numbers of an ordered list as a browser shows them. */
export class Marks {
  readonly #counting: string;
  readonly #step: number;
  #number: number;

  constructor({ attribs = {}, children = [] }: HtmlNode) {
    const isReversed = attribs.reversed !== undefined;
    const count = children.filter(child => child.name === 'li').length;
    this.#counting = countings[attribs.type ?? ''] ?? 'decimal';
    this.#step = isReversed ? -1 : 1;
    this.#number = integer(attribs.start) ?? (isReversed ? count : 1);
  }

  next({ attribs = {} }: HtmlNode): string {
    const number = integer(attribs.value) ?? this.#number;
    this.#number = number + this.#step;
    return `${formatNumber(number, this.#counting)}.`;
  }
}

function integer(text: string | undefined): number | undefined {
  return text !== undefined && /^\s*-?\d{1,9}/.test(text) ? Number.parseInt(text, 10) : undefined;
}
