/** Longer queries are cut. */
const MAX_QUERY_CHARACTERS = 500;
const MAX_TERMS = 24;
/** A shorter word is searched for as it is. */
const MIN_STEM_WORD_LENGTH = 6;

/** Chinese, Japanese and Korean, which are written without spaces. */
const CJK = /[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff]/g;
const CJK_RUN = /[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff]+/g;

/** Text in which each character of Chinese, Japanese and Korean is a word. */
export function spaceCjk(text: string): string {
  return text.replace(CJK, ' $& ');
}

/** The words and, in quotes, the phrases of a query. Chinese, Japanese and Korean is cut into words. */
export function queryTerms(query: string): string[] {
  const terms: string[] = [];
  for (const [, phrase, word] of query.slice(0, MAX_QUERY_CHARACTERS).matchAll(/"([^"]+)"|([^\s"]+)/g)) {
    if (phrase !== undefined) terms.push(phrase.trim());
    else if (word !== undefined) terms.push(...wordsOf(word));
  }
  const meaningful = terms.filter(term => /[\p{L}\p{N}]/u.test(term));
  return [...new Set(meaningful)].slice(0, MAX_TERMS);
}

/** The form of a term to look for in a text: a long word without its ending, if the text lacks the whole word. */
export function formIn(text: string, term: string): string {
  return term.length >= MIN_STEM_WORD_LENGTH && !text.includes(term) ? term.slice(0, -2) : term;
}

function wordsOf(text: string): string[] {
  const others = text
    .replace(CJK_RUN, ' ')
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .filter(Boolean);
  const found = text.match(CJK_RUN) ?? [];
  if (found.length === 0) return others;
  const segmenter = new Intl.Segmenter(['zh', 'ja', 'ko'], { granularity: 'word' });
  return [...others, ...found.flatMap(run => [...segmenter.segment(run)].map(({ segment }) => segment))];
}
