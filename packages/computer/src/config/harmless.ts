import { MIN_SECRET_LENGTH } from '../secrets/forms.ts';
import { masked, type Piece, secret, shown } from './piece.ts';
import { PLACEHOLDER_MARK } from './placeholders.ts';

/** Where a text stands: it names the program to run, is another operand, or is the value of a flag or variable. */
export type Position = 'program' | 'operand' | 'value';

const MARK = PLACEHOLDER_MARK;

/** Only placeholders, if need be behind the name of a scheme such as `Bearer`. */
const PLACEHOLDERS = new RegExp(`^(?:[A-Za-z]{1,12} )?${MARK}+$`);
const WORD = /^(?:[a-z]{1,12}|[A-Z]{1,8})$/;
const NUMBER = /^-?\d{1,5}(?:\.\d{1,5})?$/;
/** Also an IPv4 address, which looks like one. */
const VERSION = /^[v^~]?\d{1,4}(?:\.\d{1,3}){1,3}(?:-[a-z]{1,6}(?:\.\d{1,3})?)?$/;
const SCOPED_PACKAGE = /^@([a-z][a-z0-9-]{0,39})\/([a-z][a-z0-9._-]{0,59})$/;
/** Parts by which names of packages and programs are recognised: `mcp-remote`, `mcp_server_git`. */
const PROGRAM = /(?:^|[-_.])(?:mcp|server|client|cli|sdk|bridge|proxy|plugin)s?(?=$|[-_.])/;
const FILE_NAME =
  /\.(?:[cm]?[jt]s|py|jsonc?|ya?ml|toml|txt|md|sh|jar|exe|cmd|bat|db|sqlite3?|csv|pdf|html?|log|conf|cfg|ini|wasm)$/;
/** Beginnings of the tokens of well-known services, and of base64 of JSON. */
const TOKEN = /^(?:sk|pk|rk|gh[a-z]|github_pat|glpat|xox[a-z]|hf|npm|shp[a-z]{2}|AKIA|ASIA|ya29|eyJ)(?:[-_.]|[A-Z0-9])/;

/** Words of at least `MIN_SECRET_LENGTH` letters that configurations use and that are known to be no secrets. */
const KNOWN_WORDS = new Set(
  `stdio streamable streamable-http websocket https true false default always never
   start serve server servers proxy bridge remote local global connect listen install build watch
   docker container python python3 python3.12 debug trace verbose warning error errors quiet silent
   markdown plain utf-8 utf8 write readonly read-only readwrite read-write production development staging
   localhost message messages stream events public private index latest stable require prefer disable allow
   transport config version`.split(/\s+/),
);

/** True if a text is one or several placeholders and no literal. */
export function isPlaceholders(text: string): boolean {
  return text === '' || PLACEHOLDERS.test(text);
}

/** The text as one piece: shown if it is known to be harmless, masked if it is an ordinary name, a secret otherwise. */
export function judge(text: string, position: Position): Piece {
  if (isHarmless(text, position)) return shown(text);
  return looksOrdinary(text) ? masked(text) : secret(text);
}

/** True if a text is a word that says nothing: one of a fixed list, or too short to be a secret. */
export function isKnownWord(text: string): boolean {
  if (KNOWN_WORDS.has(text.toLowerCase())) return true;
  return text.length < MIN_SECRET_LENGTH && (WORD.test(text) || NUMBER.test(text));
}

/** True if one segment of a path on this machine is known to be no secret. Hashes and random names are in doubt. */
export function isPlainSegment(segment: string): boolean {
  if (segment.length > 100 || TOKEN.test(segment) || !/^[\w .+@()~,:-]*$/.test(segment)) return segment === MARK;
  return segment.split(/[^A-Za-z0-9]+/).every(isPlainRun);
}

/** A segment of the path of a URL, which may be a token: a known word, or a version such as `v1`. */
export function urlSegment(segment: string): Piece {
  if (isPlaceholders(segment) || isKnownWord(segment) || /^v\d{1,2}$/.test(segment)) return shown(segment);
  return isPlainName(segment) ? masked(segment) : secret(segment);
}

function isHarmless(text: string, position: Position): boolean {
  if (isPlaceholders(text) || isKnownWord(text) || VERSION.test(text) || isFileName(text)) return true;
  if (position === 'value') return false;
  return isPackage(text) || isRelativePath(text) || (position === 'program' && isProgram(text));
}

function looksOrdinary(text: string): boolean {
  if (WORD.test(text) || NUMBER.test(text)) return true;
  return isProgram(text) || isPackage(text) || isRelativePath(text);
}

/** A name of letters and numbers of two digits, such as the names of images and packages. */
function isPlainName(name: string): boolean {
  if (name === MARK || name === '') return true;
  if (name.length > 60 || TOKEN.test(name) || !/^[A-Za-z0-9._-]+$/.test(name)) return false;
  const parts = name.split(/[-_.]/);
  return parts.length <= 6 && parts.every(part => part === '' || isPlainLetters(part, 16) || /^v?\d{1,2}$/.test(part));
}

function isProgram(text: string): boolean {
  return PROGRAM.test(text) && isPlainName(text);
}

function isPackage(text: string): boolean {
  const [, name = text, version] = /^(.+)@([^@]+)$/.exec(text) ?? [];
  if (version !== undefined && !VERSION.test(version) && !/^(?:\d{1,3}|latest|next|beta|alpha|canary)$/.test(version)) {
    return false;
  }
  const [, scope, scoped] = SCOPED_PACKAGE.exec(name) ?? [];
  if (scope !== undefined && scoped !== undefined) return isPlainSegment(scope) && isPlainSegment(scoped);
  return version !== undefined && isPlainName(name);
}

function isFileName(text: string): boolean {
  return FILE_NAME.test(text) && /^[\w.-]+$/.test(text) && isPlainSegment(text);
}

/** Also the name of a container image, which may end in a tag. */
function isRelativePath(text: string): boolean {
  if (!text.includes('/') || text.startsWith('/')) return false;
  const [, path = text, tag = 'latest'] = /^(.+):([\w.-]+)$/.exec(text) ?? [];
  return (VERSION.test(tag) || isKnownWord(tag)) && path.split('/').every(isPlainName);
}

/** Letters and digits in the order that names have them: `node`, `python3`, `2024`, `a2c`, `x86`. */
function isPlainRun(run: string): boolean {
  if (run === '' || isPlainLetters(run, 24) || /^\d{1,8}$/.test(run)) return true;
  return /^[A-Za-z]{1,12}\d{1,4}[A-Za-z]{0,3}$|^\d{1,4}[A-Za-z]{1,12}$/.test(run);
}

/** Letters as words have them: a few capitals inside are camel case, many are random. */
function isPlainLetters(text: string, maxLength: number): boolean {
  if (text.length > maxLength || !/^[A-Za-z]+$/.test(text)) return false;
  return (text.match(/[a-z][A-Z]/g) ?? []).length <= 2;
}
