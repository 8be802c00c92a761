import { isCredentialFlag, isCredentialName, isPairFlag } from './credential-names.ts';
import { isHarmless, isPlaceholders, isPlainSegment } from './harmless.ts';
import { type Divide, hidden, type Piece, shown } from './piece.ts';
import { urlPieces } from './url-pieces.ts';

/** A value of an environment variable or a header: nothing but placeholders may be seen. */
export const valuePieces: Divide = text => [isPlaceholders(text) ? shown(text) : hidden(text)];

/** A path on this machine; only segments that look random are in doubt. */
export const pathPieces: Divide = text =>
  text
    .split(/([/\\])/)
    .map(segment => (/^[/\\]$|^~$/.test(segment) || isPlainSegment(segment) ? shown(segment) : hidden(segment)));

/** A whole command line, as the `command` of an input has it. */
export const commandPieces: Divide = text => {
  const words = text.split(/(\s+)/);
  return words.flatMap((word, index) => {
    if (index % 2 === 1) return [shown(word)];
    const [, quote = '', unquoted = word] = /^(["'])(.*)\1$/s.exec(word) ?? [];
    return [shown(quote), ...argumentPieces(unquoted, words[index - 2]), shown(quote)];
  });
};

/** An argument of a command, after the one before it. */
export function argumentPieces(argument: string, before: string | undefined): Piece[] {
  const flag = /^(--?[A-Za-z][\w.-]*)([=:])(.*)$/s.exec(argument);
  if (flag) return assigned(flag, isCredentialName(flag[1] ?? ''));
  if (before !== undefined && isCredentialFlag(before)) {
    // A flag may follow that stands without a value, but what only looks like one is in doubt.
    return /^-[A-Za-z]$/.test(argument) || isLongFlag(argument) ? [shown(argument)] : valuePieces(argument);
  }
  if (isPlainFlag(argument)) return [shown(argument)];
  const variable = /^([A-Za-z_][\w.-]*)(=)(.*)$/s.exec(argument);
  if (variable)
    return assigned(variable, isCredentialName(variable[1] ?? '') || /^[A-Z][A-Z0-9_]*$/.test(variable[1] ?? ''));
  if (before !== undefined && isPairFlag(before) && /^[A-Z]{1,16}(?:_[A-Z]{1,16})*$/.test(argument))
    return [shown(argument)];
  return literalPieces(argument);
}

/** A text of which nothing is known but itself. */
export const literalPieces: Divide = text => {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return urlPieces(text);
  if (/^(?:\.{0,2}|~|[A-Za-z]:)[/\\]/.test(text)) return pathPieces(text);
  if (isHarmless(text)) return [shown(text)];
  if (/^localhost:\d{1,5}$/.test(text)) return [shown(text)];
  const [, name = '', colon = '', value = text] = /^([A-Za-z][\w-]*)(:\s*)(.*)$/s.exec(text) ?? [];
  return [...nameOf(name), shown(colon), ...valuePieces(value)];
};

function assigned([, name = '', sign = '', value = '']: RegExpExecArray, isCredential: boolean): Piece[] {
  return [...nameOf(name), shown(sign), ...(isCredential ? valuePieces(value) : literalPieces(value))];
}

function nameOf(name: string): Piece[] {
  return [isPlainSegment(name) ? shown(name) : hidden(name)];
}

/** `-y`, `-it`, `--read-only`, and `-transport` as programs in Go have it; not `-pPASSWORD`. */
function isPlainFlag(argument: string): boolean {
  return /^-{1,2}$|^-[A-Za-z]{1,3}$|^-[a-oq-z][a-z]{3,15}$/.test(argument) || isLongFlag(argument);
}

function isLongFlag(argument: string): boolean {
  return /^--[A-Za-z][A-Za-z-]{0,40}\d{0,2}$/.test(argument) && isPlainSegment(argument.slice(2));
}
