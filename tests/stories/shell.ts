/** One command of a shell block: `NAME=value… program word…`, before anything is expanded. */
export interface ShellCommand {
  /** As it is shown, without its comment. */
  readonly text: string;
  readonly variables: readonly (readonly [name: string, value: string])[];
  readonly words: readonly string[];
}

/** The variables for the expansion of words. */
export interface Shell {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The output of `$(command)`. */
  run(command: ShellCommand): Promise<string>;
}

/** The commands of a block, in order. Lines that end with a backslash are continued. */
export function commandsOf(block: string): ShellCommand[] {
  const lines = block.replaceAll(/\\\n\s*/g, ' ').split('\n');
  return lines.flatMap(line => parseCommand(line) ?? []);
}

/** Undefined for an empty line and a comment. */
export function parseCommand(line: string): ShellCommand | undefined {
  const tokens: string[] = line.match(/#.*|(?:'[^']*'|"(?:\$\([^)]*\)|[^"])*"|\$\([^)]*\)|[^\s'"])+/g) ?? [];
  const end = tokens.findIndex(token => token.startsWith('#'));
  const words = end === -1 ? tokens : tokens.slice(0, end);
  if (words.length === 0) return undefined;
  const first = words.findIndex(word => !/^[A-Z_0-9]+=/.test(word));
  const variables = words.slice(0, first === -1 ? words.length : first).map(assignment);
  return { text: words.join(' '), variables, words: first === -1 ? [] : words.slice(first) };
}

/** `NAME=value` as a name and a word. */
export function assignment(word: string): readonly [name: string, value: string] {
  const equals = word.indexOf('=');
  return [word.slice(0, equals), word.slice(equals + 1)];
}

/** A word without quotes, with the values of `~`, `$NAME` and `$(command)`. */
export async function expand(word: string, shell: Shell): Promise<string> {
  const parts = word.match(/'[^']*'|\$\([^)]*\)|\$\w+|"|[^'"$]+|\$/g) ?? [];
  const values = parts.map(async (part, index) => {
    if (part === '"') return '';
    if (part.startsWith("'")) return part.slice(1, -1);
    if (part.startsWith('$(')) return (await shell.run(commandsOf(part.slice(2, -1))[0] ?? nothing)).trimEnd();
    if (part.startsWith('$')) return part === '$' ? part : (shell.env[part.slice(1)] ?? '');
    return index === 0 ? part.replace(/^~(?=\/|$)/, shell.env.HOME ?? '~') : part;
  });
  return (await Promise.all(values)).join('');
}

const nothing: ShellCommand = { text: '', variables: [], words: [] };
