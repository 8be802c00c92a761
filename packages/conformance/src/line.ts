/** The lines of the protocol, oldest first. 0.1 is that of peers without a version handshake. */
export const lines = ['0.1', '0.2', '0.3', '0.4', '0.5'] as const;

export type Line = (typeof lines)[number];

/** The version that a client of a line states. */
export function versionOf(line: Line): string | undefined {
  return line === '0.1' ? undefined : `${line}.0`;
}

/** The line of a client that states this version; the newest one for a version that is newer. */
export function lineOf(version: string | undefined): Line {
  if (version === undefined) return '0.1';
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return lines.find(line => major === 0 && line === `0.${minor}`) ?? '0.5';
}

export function isBefore(line: Line, other: Line): boolean {
  return lines.indexOf(line) < lines.indexOf(other);
}
