import type { Style } from './style.ts';
import { cut, displayWidth, padEnd } from './table.ts';

/** Columns of running text where the output has no width, or more than people like to read. */
const MAX_TEXT_WIDTH = 100;
/** The narrowest second column. Below it, texts go under their names. */
const MIN_TEXT_WIDTH = 32;
const INDENT = '    ';

/** Columns for running text. */
export function textWidth({ width }: Style): number {
  return Math.min(width, MAX_TEXT_WIDTH);
}

/** Breaks a text at spaces into lines of at most `width` columns. Longer words are left whole. Line breaks stay. */
export function wrap(text: string, width: number): string[] {
  return text.split('\n').flatMap(paragraph => wrapParagraph(paragraph, width));
}

function wrapParagraph(paragraph: string, width: number): string[] {
  const [indent = ''] = /^ */.exec(paragraph) ?? [];
  const lines: string[] = [];
  let line = '';
  for (const word of paragraph.split(' ').filter(Boolean)) {
    const longer = line === '' ? indent + word : `${line} ${word}`;
    if (line === '' || displayWidth(longer) <= width) line = longer;
    else {
      lines.push(line);
      line = indent + word;
    }
  }
  return [...lines, line];
}

/** The first lines of a text, with an ellipsis after the last word where more would follow. */
export function wrapShort(text: string, width: number, maxLines: number): string[] {
  const lines = wrap(text, width);
  if (lines.length <= maxLines) return lines;
  const last = lines[maxLines - 1] ?? '';
  const [short = last] = wrap(last, width - 2);
  return [...lines.slice(0, maxLines - 1), cut(`${short} …`, width)];
}

/** Names with texts beside them, wrapped; under them on a narrow terminal. */
export function listing(rows: readonly (readonly [name: string, text: string])[], width: number): string[] {
  const names = rows.reduce((widest, [name]) => Math.max(widest, displayWidth(name)), 0) + 2;
  if (width - names < MIN_TEXT_WIDTH) {
    return rows.flatMap(([name, text]) => [name.trimStart(), ...indented(text, width)]);
  }
  return rows.flatMap(([name, text]) => {
    const [first = '', ...rest] = wrap(text, width - names);
    return [(padEnd(name, names) + first).trimEnd(), ...rest.map(line => ' '.repeat(names) + line)];
  });
}

function indented(text: string, width: number): string[] {
  return text === '' ? [] : wrap(text, width - INDENT.length).map(line => INDENT + line);
}
