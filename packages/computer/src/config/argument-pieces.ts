import { isCredentialFlag, isCredentialName, isNumberFlag, isPairFlag, isSwitch } from './credential-names.ts';
import { isKnownWord, isPlaceholders, isPlainSegment, judge, type Position } from './harmless.ts';
import { type Divide, masked, type Piece, secret, shown } from './piece.ts';
import { urlPieces } from './url-pieces.ts';

/** A value of an environment variable or a header: nothing but placeholders may be seen. */
export const valuePieces: Divide = text => [isPlaceholders(text) ? shown(text) : secret(text)];

/** A path on this machine; only segments that look random are in doubt. */
export const pathPieces: Divide = text =>
  text
    .split(/([/\\])/)
    .map(segment => (/^[/\\]$|^~$/.test(segment) || isPlainSegment(segment) ? shown(segment) : secret(segment)));

/** A whole command line, as the `command` of an input has it. */
export const commandPieces: Divide = text => {
  const words = text.split(/(\s+)/);
  return words.flatMap((word, index) => {
    if (index % 2 === 1) return [shown(word)];
    const [, quote = '', unquoted = word] = /^(["'])(.*)\1$/s.exec(word) ?? [];
    const pieces = index === 0 ? pathPieces(unquoted) : argumentPieces(unquoted, words[index - 2]);
    return [shown(quote), ...pieces, shown(quote)];
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
  if (before !== undefined && isNumberFlag(before) && /^\d{1,5}$/.test(argument)) return [shown(argument)];
  const variable = /^([A-Za-z_][\w.-]*)(=)(.*)$/s.exec(argument);
  if (variable)
    return assigned(variable, isCredentialName(variable[1] ?? '') || /^[A-Z][A-Z0-9_]*$/.test(variable[1] ?? ''));
  if (before !== undefined && isPairFlag(before)) return pairPieces(argument);
  return literalPieces(argument, positionAfter(before));
}

/** A text of which nothing is known but itself and its position. */
export function literalPieces(text: string, position: Position): Piece[] {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return urlPieces(text);
  if (/^(?:\.{0,2}|~|[A-Za-z]:)[/\\]/.test(text)) return pathPieces(text);
  if (/^localhost:\d{1,5}$/.test(text)) return [shown(text)];
  const [, name = '', colon = '', value = ''] = /^([A-Za-z][\w-]*)(:\s*)(.*)$/s.exec(text) ?? [];
  if (value !== '' && isPlaceholders(value)) return [...nameOf(name), shown(colon), shown(value)];
  const piece = judge(text, position);
  // The value alone is a secret too, because it may turn up without the name.
  return piece.kind === 'secret' && value !== '' ? [masked(name + colon), secret(value)] : [piece];
}

/** A default or an option of an input, which nothing names. */
export const optionPieces: Divide = text => literalPieces(text, 'operand');

/** `NAME`, which is then taken from the environment, or `NAME: value`. */
function pairPieces(text: string): Piece[] {
  if (/^[A-Z]{1,16}(?:_[A-Z]{1,16})*$/.test(text)) return [shown(text)];
  const [, name = '', colon = '', value = text] = /^([A-Za-z][\w-]*)(:\s*)(.*)$/s.exec(text) ?? [];
  return [...nameOf(name), shown(colon), ...valuePieces(value)];
}

function assigned([, name = '', sign = '', value = '']: RegExpExecArray, isCredential: boolean): Piece[] {
  const isNumber = isNumberFlag(name) && /^\d{1,5}$/.test(value);
  // Without a value it may be base64, whose padding looks like the sign.
  const named = value.replaceAll('=', '') === '' && !name.startsWith('-') ? [judge(name, 'value')] : nameOf(name);
  if (isNumber) return [...named, shown(sign), shown(value)];
  return [...named, shown(sign), ...(isCredential ? valuePieces(value) : literalPieces(value, 'value'))];
}

function nameOf(name: string): Piece[] {
  return [isPlainSegment(name) ? shown(name) : secret(name)];
}

/** The program to run is named first, or after a switch or a word such as `run`; a value follows any other flag. */
function positionAfter(before: string | undefined): Position {
  if (before === undefined || isSwitch(before)) return 'program';
  return before.startsWith('-') ? 'value' : 'operand';
}

/** `-y`, `-it`, `--read-only`, and `-transport` as programs in Go have it; not `-pPASSWORD`. */
function isPlainFlag(argument: string): boolean {
  if (/^-{1,2}$|^-[A-Za-z]{1,3}$/.test(argument) || isLongFlag(argument)) return true;
  return /^-[a-z]/.test(argument) && isKnownWord(argument.slice(1));
}

function isLongFlag(argument: string): boolean {
  return /^--[A-Za-z][A-Za-z-]{0,40}\d{0,2}$/.test(argument) && isPlainSegment(argument.slice(2));
}
