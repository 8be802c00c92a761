/** Longer queries are cut. */
const MAX_QUERY_CHARACTERS = 500;
const MAX_TERMS = 24;
const PASSAGE_CHARACTERS = 320;
/** Places of one term that are looked at for the best passage. */
const MAX_PLACES = 200;

const han = /[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff]/g;
const hanRun = /[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff]+/g;
const segmenter = new Intl.Segmenter(['zh', 'ja', 'ko'], { granularity: 'word' });

/** Text in which each character of Chinese, Japanese and Korean is a word, since these languages write no spaces. */
export function withSpaces(text: string): string {
  return text.replace(han, ' $& ');
}

/** The words and, in quotes, the phrases of a query. Chinese, Japanese and Korean is cut into words. */
export function parseQuery(query: string): string[] {
  const terms: string[] = [];
  for (const [, phrase, word] of query.slice(0, MAX_QUERY_CHARACTERS).matchAll(/"([^"]+)"|([^\s"]+)/g)) {
    if (phrase !== undefined) terms.push(phrase.trim());
    else if (word !== undefined) terms.push(...wordsOf(word));
  }
  const meaningful = terms.filter(term => /[\p{L}\p{N}]/u.test(term));
  return [...new Set(meaningful)].slice(0, MAX_TERMS);
}

function wordsOf(text: string): string[] {
  const foreign = text
    .replace(hanRun, ' ')
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .filter(Boolean);
  const runs = text.match(hanRun) ?? [];
  return [...foreign, ...runs.flatMap(run => [...segmenter.segment(run)].map(({ segment }) => segment))];
}

/** The query in the language of FTS5. Each term is a string in quotes, so that nothing in it is an operator. */
export function toMatch(terms: readonly string[], operator: 'AND' | 'OR'): string {
  return terms.map(term => `"${withSpaces(term).replaceAll('"', ' ').trim()}"`).join(` ${operator} `);
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
  // The index knows words by their stems: without its ending, a word is found in most of its forms.
  const wanted = term.length > 5 && !text.includes(term) ? term.slice(0, -2) : term;
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
