import type { LogView } from './plan.ts';

/** The command line that prints the end of a file on Windows. */
export function tailOf(file: string, { lines, isFollowing }: LogView): string[] {
  const path = `'${file.replaceAll("'", "''")}'`;
  const command = `Get-Content -LiteralPath ${path} -Tail ${lines}${isFollowing ? ' -Wait' : ''}`;
  return ['powershell', '-NoProfile', '-Command', command];
}
