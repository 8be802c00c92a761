const SPACE = 0x20;
const TAB = 0x09;

/** The number of blanks and tabs that a line begins with. */
export function indentOf(line: string): number {
  let at = 0;
  while (isSpace(line.charCodeAt(at))) at += 1;
  return at;
}

/** Lines of nothing but these signs underline headings, separate parts, or stand below the names of a table. */
const signs = /^[-+*_=:| \t]+$/;
const number = /^\d{1,9}[.)](?:[ \t]|$)/;
/** A comment that ends on its line. */
export const wholeComment = /^<!--(?!-?>).*-->/;
/** The sign or number of an item, with the space behind it. */
export const listMark = /^(?:[-+*]|\d{1,9}[.)])(?:([ \t]+)|$)/;

/**
 * True if a line may begin something else than a paragraph, wherever it stands. A line that begins like the target of a
 * link is not among them: it is one only as the first of its paragraph.
 */
export function opensBlock(line: string): boolean {
  const at = indentOf(line);
  const code = line.charCodeAt(at);
  switch (code) {
    case 0x23: // #
    case 0x3c: // <
    case 0x3e: // >
      return true;
    case 0x60: // `
    case 0x7e: // ~
      return line.startsWith('```', at) || line.startsWith('~~~', at);
    case 0x5b: // [
      return line.charCodeAt(at + 1) === 0x5e; // ^
    case 0x2d: // -
    case 0x2b: // +
    case 0x2a: // *
    case 0x5f: // _
    case 0x3d: // =
    case 0x3a: // :
    case 0x7c: {
      const next = line.charCodeAt(at + 1);
      return next === SPACE || next === TAB || Number.isNaN(next) || signs.test(line);
    }
  }
  return code >= 0x30 && code <= 0x39 && number.test(line.slice(at, at + 12));
}

const breaks = /^(?:-{3,}|\*{3,}|_{3,})$/;

/** True for a line that separates two parts of a text. */
export function isBreak(line: string): boolean {
  return signs.test(line) && breaks.test(line.replace(/[ \t]+/g, ''));
}

export function isBlank(line: string): boolean {
  return indentOf(line) === line.length;
}

/** A line without the blanks and tabs at its ends. A pattern would take time by the square of their number. */
export function trimBlanks(line: string): string {
  const start = indentOf(line);
  let end = line.length;
  while (end > start && isSpace(line.charCodeAt(end - 1))) end -= 1;
  return line.slice(start, end);
}

function isSpace(code: number): boolean {
  return code === SPACE || code === TAB;
}

/** True if a paragraph may begin with the target of a link: `[`, a label without brackets, and `]:`. */
export function isPerhapsTarget(text: string): boolean {
  return text.startsWith('[') && !/^\[[^[\]\\]*(?:\](?!:)|\[)/.test(text);
}
