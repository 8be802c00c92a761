import type { DocumentFacts } from '../reader.ts';

/** The YAML header of a text, and the facts in its simple lines: title, description, and keywords or tags. */
export function splitFrontMatter(text: string): { facts: DocumentFacts; header: string; body: string } {
  const match = /^\uFEFF?---\n([\s\S]*?)\n---[ \t]*(?:\n|$)/.exec(text);
  if (match?.[1] === undefined) return { facts: {}, header: '', body: text };
  const fields = new Map(
    [...match[1].matchAll(/^(\w+):[ \t]*(.+)$/gm)].map(([, key = '', value = '']) => [
      key.toLowerCase(),
      unquote(value),
    ]),
  );
  const title = fields.get('title');
  const summary = fields.get('description') ?? fields.get('summary');
  const keywords = (fields.get('keywords') ?? fields.get('tags'))?.replace(/^\[|\]$/g, '').split(',');
  return {
    facts: {
      ...(title !== undefined && { title }),
      ...(summary !== undefined && { summary }),
      ...(keywords !== undefined && { keywords: keywords.map(keyword => unquote(keyword.trim())).filter(Boolean) }),
    },
    header: match[1].trim(),
    body: text.slice(match[0].length),
  };
}

function unquote(value: string): string {
  return value.trim().replace(/^(['"])(.*)\1$/, '$2');
}
