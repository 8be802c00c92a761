import { formIn, spaceCjk } from '@a2c-smcp/core';

const PASSAGE_CHARACTERS = 320;
/** Places of one term that are looked at for the best passage. */
const MAX_PLACES = 200;

/** The query in the language of FTS5. Each term is a string in quotes, so that nothing in it is an operator. */
export function toMatch(terms: readonly string[], operator: 'AND' | 'OR'): string {
  return terms.map(term => `"${spaceCjk(term).replaceAll('"', ' ').trim()}"`).join(` ${operator} `);
}

/** The stretch of a text in which most of the terms occur, on one line. */
export function passageOf(text: string, terms: readonly string[]): string {
  const lower = text.toLowerCase();
  const places = terms.flatMap(term => placesOf(lower, term.toLowerCase())).toSorted((a, b) => a.at - b.at);
  let best = { at: 0, count: 0 };
  for (const [index, { at }] of places.entries()) {
    const near = new Set<string>();
    for (let next = index; (places[next]?.at ?? Number.POSITIVE_INFINITY) < at + PASSAGE_CHARACTERS / 2; next += 1) {
      near.add(places[next]?.term ?? '');
    }
    if (near.size > best.count) best = { at, count: near.size };
  }
  return cutOut(text, best.at - PASSAGE_CHARACTERS / 4);
}

function placesOf(text: string, term: string): { at: number; term: string }[] {
  const places: { at: number; term: string }[] = [];
  // The index knows words by their stems.
  const wanted = formIn(text, term);
  for (let at = text.indexOf(wanted); at >= 0 && places.length < MAX_PLACES; at = text.indexOf(wanted, at + 1)) {
    places.push({ at, term });
  }
  return places;
}

function cutOut(text: string, from: number): string {
  let begin = Math.max(0, Math.floor(from));
  if (begin > 0) {
    const border = text.slice(begin, begin + 30).search(/\s/);
    if (border >= 0) begin += border;
  }
  let end = Math.min(text.length, begin + PASSAGE_CHARACTERS);
  if (end < text.length) {
    const border = text.slice(end - 30, end).search(/\s\S*$/);
    if (border >= 0) end = end - 30 + border;
  }
  const passage = text.slice(begin, end).replace(/\s+/g, ' ').trim();
  return `${begin > 0 ? '… ' : ''}${passage}${end < text.length ? ' …' : ''}`;
}
