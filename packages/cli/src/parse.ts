import { parseArgs } from 'node:util';
import { closest } from '@a2c-smcp/protocol';
import { type Command, type OptionSpecs, type OptionValues, UsageError } from './command.ts';

export interface ParsedLine {
  options: OptionValues<OptionSpecs>;
  args: string[];
  help: boolean;
}

/** Parses the words after a command's name. Options that are not given fall back to the environment, then to defaults. */
export function parseLine(
  command: Command,
  words: readonly string[],
  env: Record<string, string | undefined>,
): ParsedLine {
  const specs = { ...command.options, help: { type: 'boolean', short: 'h', summary: '' } } as const;
  const { values, positionals } = parseWords(words, specs, command);
  const options = Object.entries(command.options).map(([name, { type, multiple, env: variable, ...spec }]) => {
    const given = values[name];
    // An empty variable counts as not set.
    const fallback = (variable === undefined ? undefined : env[variable]) || undefined;
    if (given !== undefined) return [name, given];
    if (type === 'boolean') return [name, fallback !== undefined && !['0', 'false'].includes(fallback)];
    if (multiple) return [name, fallback === undefined ? [] : [fallback]];
    return [name, fallback ?? spec.default];
  });
  if (positionals.length > 0 && command.args === undefined) {
    throw new UsageError(`Unexpected '${positionals[0]}': this command takes options only`);
  }
  return { options: Object.fromEntries(options), args: positionals, help: values.help === true };
}

interface Words {
  values: Record<string, unknown>;
  positionals: string[];
}

function parseWords(words: readonly string[], specs: OptionSpecs, { args: shown = '' }: Command): Words {
  // Without the defaults, which must not hide values of the environment.
  const options = Object.entries(specs).map(([name, { type, short, multiple = false }]) => [
    name,
    { type, multiple, ...(short ? { short } : {}) },
  ]);
  try {
    const args = withImplied(words, specs);
    return parseArgs({ args, options: Object.fromEntries(options), allowPositionals: true });
  } catch (error) {
    const hint = shown.includes('COMMAND') ? "write '--' before a COMMAND with options" : '--help lists the options';
    throw new UsageError(explain(error, Object.keys(specs), hint));
  }
}

/** Adds the values of options that may be given without one, as in `--http` before another option or at the end. */
function withImplied(words: readonly string[], specs: OptionSpecs): string[] {
  const end = words.includes('--') ? words.indexOf('--') : words.length;
  return words.map((word, index) => {
    const implied = word.startsWith('--') && index < end ? specs[word.slice(2)]?.implied : undefined;
    const next = words[index + 1];
    return implied === undefined || (next !== undefined && !next.startsWith('-')) ? word : `${word}=${implied}`;
  });
}

function explain(error: unknown, known: readonly string[], hint: string): string {
  const { message, code } = error as NodeJS.ErrnoException;
  // Node names both spellings where there are two, as in '-p, --port <value>', and has one code for all wrong values.
  const [, short = '', long] = /'(-{1,2}[^', ]*)(?:, (--[^ ']+))?/.exec(message) ?? [];
  const option = long ?? short;
  if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') {
    const near = closest(option.replace(/^-+/, ''), known);
    return `Unknown option '${option}'${near ? `: did you mean '--${near}'?` : `: ${hint}`}`;
  }
  if (/argument missing/.test(message)) return `Option '${option}' needs a value after it`;
  if (/ambiguous/.test(message)) return `Option '${option}' needs a value; write ${option}=-x if it starts with a dash`;
  if (/does not take an argument/.test(message)) return `Option '${option}' takes no value`;
  return message;
}
