import { shorten } from '@a2c-smcp/publish/content';
import type { DocumentFacts } from './reader.ts';

/** Default titles of programs, in the languages of their user interfaces. */
const defaults = [
  /^(?:untitled|un-?named|none|null|title|no title|document|presentation|worksheet|slide|page|scan|microsoft word)?[ _-]?\d*$/i,
  /^(?:document|presentation|book|binder|untitled|presentaci[oó]n|pr[äa]sentation|dokument|documento|mappe|classeur|scan)[ _-]?\d*(?:\.\w{2,4})?$/i,
  /^powerpoint[ -](?:presentation|pr[äa]sentation|presentatie|プレゼンテーション|演示文稿)$/i,
  /^pr[ée]sentation powerpoint$|^(?:powerpoint )?(?:演示文稿|簡報|プレゼンテーション|프레젠테이션)\s*\d*$/i,
  /^(?:no slide title|slide \d+|unbenannt\w*|sans titre|sin t[íi]tulo|无标题|無題|제목 없음)\s*\d*$/i,
  /^\(?(?:anonymous|unspecified|untitled|unknown)\)?$/i,
  /^(?:microsoft (?:word|powerpoint|excel)|microsoft office word) - /i,
  /^<[0-9a-f]{8,}>$/i,
  /^[\d\s.\-_]*$/,
];

/** A title or summary that a person wrote; undefined for a program's default. */
export function meantText(text: string | undefined): string | undefined {
  const plain = text === undefined ? '' : plainText(text);
  return plain === '' || defaults.some(pattern => pattern.test(plain)) ? undefined : plain;
}

/** Facts without what a program filled in. */
export function meantFacts({ title, keywords, summary }: DocumentFacts): DocumentFacts {
  const [ownTitle, ownSummary] = [meantText(title), meantText(summary)];
  const words = keywords?.map(plainText).filter(Boolean) ?? [];
  return {
    ...(ownTitle !== undefined && { title: ownTitle }),
    ...(ownSummary !== undefined && { summary: ownSummary }),
    ...(words.length > 0 && { keywords: words }),
  };
}

/** A summary of the size of a document and its first words. */
export function summarize(size: string, words: readonly string[]): string {
  const text = words.map(part => part.replace(/\s+/g, ' ').trim()).filter(Boolean);
  return text.length === 0 ? size : shorten(`${size}: ${text.join('; ')}`, 300);
}

/** Text without the escapes with which Office writes control characters, as in `_x000D_`. */
export function plainText(text: string): string {
  return unescapeOffice(text)
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim();
}

/** Replaces `_xHHHH_` by the character it stands for; a carriage return before a line end is none. */
export function unescapeOffice(text: string): string {
  if (!text.includes('_x')) return text;
  return text
    .replace(/_x([0-9a-f]{4})_/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/\r\n?/g, '\n');
}
