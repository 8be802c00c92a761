import { ErrorCode, SmcpError } from '@a2c-smcp/protocol';

/** Characters of a path inside a skill. */
const MAX_PATH_LENGTH = 1024;
/** Credentials for the scripts of a skill. Agents never get them. */
const CREDENTIALS_FILE = '.skillenv';
/** Not in a path of any system that we run on: other separators, drives and streams of Windows, control characters. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it looks for
const ODD_CHARACTER = /[\\:\u0000-\u001f\u007f]/;

/** The entry of every skill. It is served without its front matter. */
export const ENTRY_FILE = 'SKILL.md';

/** Why a file of a skill cannot be read; `details.reason` of error 4017. */
export type FileProblem = 'traversal' | 'forbidden' | 'not_found' | 'too_large' | 'unavailable';

const SENTENCES: Record<FileProblem, string> = {
  traversal: 'leads out of the folder of its skill: give a path below it, with slashes',
  forbidden: 'is not for Agents',
  not_found: 'does not exist in its skill',
  too_large: 'is too large',
  unavailable: 'could not be read from its MCP server',
};

/** Error 4017. */
export function fileError(reason: FileProblem, path: string, { size, cause }: ProblemFacts = {}): SmcpError {
  const shown = path.slice(0, MAX_PATH_LENGTH);
  const details = { reason, rel_path: shown, ...(size === undefined ? {} : { total_size: size }) };
  const options = { details, ...(cause === undefined ? {} : { cause }) };
  return new SmcpError(ErrorCode.SkillFileNotAccessible, `The file '${shown}' ${SENTENCES[reason]}`, options);
}

interface ProblemFacts {
  /** Bytes of a file that is too large. */
  size?: number;
  cause?: unknown;
}

/** A path inside a skill without `.` and doubled slashes. Throws 4017 before anything is looked up in a file system. */
export function insidePath(path: string): string {
  const plain = plainPath(path);
  if (plain === undefined) throw fileError('traversal', path);
  if (isCredentialsPath(path)) throw fileError('forbidden', path);
  if (plain === '' || path.length > MAX_PATH_LENGTH) throw fileError('not_found', path);
  return plain;
}

/** A relative path without `.` and doubled slashes; undefined when it may lead out of its folder. */
export function plainPath(path: string): string | undefined {
  const segments = path.split('/').filter(segment => segment !== '' && segment !== '.');
  const isOdd = ODD_CHARACTER.test(path) || path.startsWith('/') || segments.includes('..');
  return isOdd ? undefined : segments.join('/');
}

/** True if a path has the name of the credentials file in it, as any file system would read it. */
export function isCredentialsPath(path: string): boolean {
  // Windows ignores dots and spaces at the end of a name.
  const names = path.split(/[\\/]/).map(name =>
    name
      .normalize('NFKC')
      .toLowerCase()
      .replace(/[. ]+$/, ''),
  );
  return names.includes(CREDENTIALS_FILE);
}
