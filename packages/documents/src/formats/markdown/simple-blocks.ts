import * as make from '@a2c-smcp/publish/content';
import { parseHtml } from '../html/read.ts';
import { indentOf, isBlank, isBreak, isPerhapsTarget, opensBlock, trimBlanks, wholeComment } from './lines.ts';
import { readList } from './simple-lists.ts';
import { plainWords } from './words.ts';

/** Lines that are one block. Without elements, its content has to be parsed. */
export interface SimpleBlock {
  /** The first line, counted from 0. */
  from: number;
  /** The line behind the last. */
  to: number;
  elements?: readonly make.Element[];
  /** Set if the lines are targets of links, which count in the lines that are parsed. */
  isTargets?: boolean;
}

const atx = /^(#{1,6})[ \t]+([^ \t].*)$/;
const openingFence = /^(?:(`{3,})([^`]*)|(~{3,})(.*))$/;
const tableRow = /^\|.*\|[ \t]*$/;
const delimiterRow = /^\|(?:[ \t]*:?-+:?[ \t]*\|)+[ \t]*$/;

/**
 * The block that begins at a line, if the first line and those after it leave no doubt about its kind and its end. The line
 * is not blank, and no block before it is open.
 */
export function simpleBlock(lines: readonly string[], from: number): SimpleBlock | undefined {
  const line = lines[from] ?? '';
  switch (line.charCodeAt(0)) {
    case 0x23: // #
      return heading(line, from);
    case 0x60: // `
    case 0x7e: // ~
      return openingFence.test(line) ? listing(lines, from) : paragraph(lines, from);
    case 0x7c: // |
      return table(lines, from);
    case 0x3c: // <
      return html(lines, from);
    case 0x5b: // [
      return targets(lines, from) ?? paragraph(lines, from);
    case 0x20:
    case 0x09:
    case 0x3e: // >
      return undefined;
  }
  if (isBreak(line)) return { from, to: from + 1, elements: [make.other('separator', 'line')] };
  return list(lines, from) ?? paragraph(lines, from);
}

function list(lines: readonly string[], from: number): SimpleBlock | undefined {
  const found = readList(lines, from);
  return found && { from, to: found.to, elements: [found.element] };
}

/** Begins HTML that the next blank line ends. */
const htmlBlock =
  /^<\/?(?:blockquote|center|d[dlt]|details|div|footer|h[1-6r]|header|li|main|nav|[ou]l|p|section|summary|t(?:able|body|[dhr]|head))(?:[ \t>]|\/>|$)/i;

function html(lines: readonly string[], from: number): SimpleBlock | undefined {
  const line = lines[from] ?? '';
  const isComment = wholeComment.test(line);
  if (!isComment && !htmlBlock.test(line)) return undefined;
  let to = from + 1;
  while (!isComment && to < lines.length && !isBlank(lines[to] ?? '')) to += 1;
  return { from, to, elements: parseHtml(lines.slice(from, to).join('\n')).elements };
}

const target = /^\[([^[\]\\^][^[\]\\]{0,500})\]: [^\s<>()\\&\p{Cc}]+(?: "[^"\\]*")?$/u;

/** Targets of links up to a blank line. One that is a picture in place has no words, and is left to the parser. */
function targets(lines: readonly string[], from: number): SimpleBlock | undefined {
  let to = from;
  for (; to < lines.length && !isBlank(lines[to] ?? ''); to += 1) {
    const label = target.exec(lines[to] ?? '')?.[1];
    if (label === undefined || label.trim() === '' || /\]: data:/i.test(lines[to] ?? '')) return undefined;
  }
  const text = lines.slice(from, to).map(trimBlanks).join('\n');
  return { from, to, elements: [make.paragraph(text)], isTargets: true };
}

function heading(line: string, from: number): SimpleBlock | undefined {
  const [, marks, text] = atx.exec(line) ?? [];
  if (marks === undefined || text === undefined) return undefined;
  const own = trimBlanks(text);
  const words = own.endsWith('#') ? undefined : plainWords(own);
  const block = { from, to: from + 1 };
  return words === undefined ? block : { ...block, elements: [make.heading(marks.length, words.trim())] };
}

/** Undefined if the end is missing: the listing then goes on to the end of the text. */
function listing(lines: readonly string[], from: number): SimpleBlock | undefined {
  const [, ticks, tickInfo, tildes = '', tildeInfo] = openingFence.exec(lines[from] ?? '') ?? [];
  const fence = ticks ?? tildes;
  const info = trimBlanks(tickInfo ?? tildeInfo ?? '');
  for (let to = from + 1; to < lines.length; to += 1) {
    if (!closes(lines[to] ?? '', fence)) continue;
    const block = { from, to: to + 1 };
    if (/[\\&]/.test(info)) return block;
    const language = info.split(/[ \t]/, 1)[0] || undefined;
    return { ...block, elements: [make.code(lines.slice(from + 1, to).join('\n'), language)] };
  }
  return undefined;
}

const closing = /^ {0,3}(`{3,}|~{3,})[ \t]*$/;

function closes(line: string, fence: string): boolean {
  const marks = closing.exec(line)?.[1];
  return marks !== undefined && marks.length >= fence.length && marks.charAt(0) === fence.charAt(0);
}

/** A table with a bar at both ends of each row. */
function table(lines: readonly string[], from: number): SimpleBlock | undefined {
  const head = lines[from] ?? '';
  const delimiters = lines[from + 1] ?? '';
  if (!tableRow.test(head) || !delimiterRow.test(delimiters)) return undefined;
  const cells: (string[] | undefined)[] = [];
  let to = from;
  for (; to < lines.length; to += 1) {
    const line = lines[to] ?? '';
    if (isBlank(line)) break;
    if (!tableRow.test(line)) return undefined;
    if (to !== from + 1) cells.push(cellsOf(line));
  }
  const [headers, ...rows] = cells;
  const block = { from, to };
  if (headers === undefined || headers.length !== delimiters.split('|').length - 2) return undefined;
  const complete = rows.filter(row => row !== undefined);
  return complete.length < rows.length ? block : { ...block, elements: [make.table(headers, complete)] };
}

/** The words of the cells of a row; undefined if one has to be parsed. */
function cellsOf(line: string): string[] | undefined {
  if (line.includes('\\')) return undefined;
  const words: string[] = [];
  for (const cell of trimBlanks(line).slice(1, -1).split('|')) {
    const text = plainWords(trimBlanks(cell));
    if (text === undefined) return undefined;
    words.push(text);
  }
  return words;
}

/** A paragraph, or a heading with a line below it. */
function paragraph(lines: readonly string[], from: number): SimpleBlock | undefined {
  const first = lines[from] ?? '';
  if (opensBlock(first)) return undefined;
  let to = from + 1;
  for (; to < lines.length; to += 1) {
    const line = lines[to] ?? '';
    if (isBlank(line)) break;
    if (!opensBlock(line)) continue;
    if (atx.test(line) || openingFence.test(line) || endsParagraph(line)) break;
    return underlined(first, line, from, to);
  }
  const text = textOf(lines.slice(from, to));
  if (isPerhapsTarget(text)) return undefined;
  if (!isPerhapsLink(text)) return { from, to, elements: [make.paragraph(text)] };
  // Other white space at an end is text beside a link.
  const element = trimBlanks(first) === text ? onlyLink(text) : undefined;
  return element === undefined ? { from, to } : { from, to, elements: [element] };
}

/** A picture that is a link, or a link or picture before more text: the paragraph is as it is written. */
const linkAndMore = /^(?:\[!\[[^[\]`\\<]*\]\([^()\s<>\\`]*\)\]|!?\[[^[\]`\\<]*\]\([^()\s<>\\`]*\)[ \t\n])/;

/** True if a paragraph may be nothing but a link or a picture. */
function isPerhapsLink(text: string): boolean {
  return /^!?\[/.test(text) ? /[)\]]$/.test(text) && !linkAndMore.test(text) : !/[ \t\n]/.test(text);
}

function onlyLink(text: string): make.Element | undefined {
  const [, picture, words = '', address = ''] = /^(!?)\[([^[\]]+)\]\(([^\s()<>\\&`]+)\)$/.exec(text) ?? [];
  if (picture === undefined || words.startsWith('^') || plainWords(words) !== words) return undefined;
  return picture === '' ? make.link(words, address) : make.image(words, address);
}

const listMark = /^(?:[-+*]|1[.)])[ \t]+[^ \t]/;

function endsParagraph(line: string): boolean {
  return listMark.test(line) && !isBreak(line);
}

function underlined(text: string, line: string, from: number, at: number): SimpleBlock | undefined {
  if (at !== from + 1 || !/^(?:={2,}|-{2,})[ \t]*$/.test(line) || /^\[|\|/.test(text)) return undefined;
  const words = plainWords(text);
  const block = { from, to: at + 1 };
  return words === undefined
    ? block
    : { ...block, elements: [make.heading(line.startsWith('=') ? 1 : 2, words.trim())] };
}

/** The lines of a paragraph without indentation. */
function textOf(lines: readonly string[]): string {
  return lines
    .map(line => line.slice(indentOf(line)))
    .join('\n')
    .trim();
}
